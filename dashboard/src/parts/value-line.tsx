import type { Json } from '../../../src/json/value.ts'
import { plain } from './text.tsx'

/** More does not fit into a line, however wide. */
const charsMax = 240

/** A value in one line, without writing out more of it than is shown. */
export function lineOf(value: Json, left = charsMax): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, left))
  if (typeof value !== 'object' || value === null) return String(value)
  const isList = Array.isArray(value)
  const parts: string[] = []
  let room = left
  for (const name in value) {
    const inner = lineOf((value as { [name: string]: Json })[name] as Json, room)
    const text = isList ? inner : `${name}: ${inner}`
    parts.push(text)
    room -= text.length + 2
    if (room <= 0) {
      parts.push('…')
      break
    }
  }
  const inside = parts.join(', ')
  return isList ? `[${inside}]` : `{${inside}}`
}

export function ValueLine({ value }: { value: Json }) {
  return <span className={`value json-${value === null ? 'null' : typeof value}`}>{plain(lineOf(value))}</span>
}
