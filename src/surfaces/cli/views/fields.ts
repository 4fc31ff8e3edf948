import { safe } from '../output.ts'
import type { View } from './view.ts'

/** Name and value, one a line; what is empty is left out. */
export const fields: View = (answer, terminal) => {
  const shown = Object.entries(answer).filter(([, value]) => value !== null && value !== '' && !isEmpty(value))
  const width = Math.max(0, ...shown.map(([name]) => name.length))
  const lines = shown.map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `${terminal.paint('dim', safe(name).padEnd(width))}  ${safe(text)}\n`
  })
  return lines.join('')
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
