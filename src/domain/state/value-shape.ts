import type { Json } from '../../json/value.ts'
import type { KeyRow } from './tables.ts'

/** What is known of a value without looking at it again. */
export type ValueShape = Pick<KeyRow, 'type' | 'items'>

export function shapeOf(value: Json): ValueShape {
  if (value === null) return { type: 'null', items: null }
  if (Array.isArray(value)) return { type: 'array', items: value.length }
  return { type: typeof value as KeyRow['type'], items: null }
}
