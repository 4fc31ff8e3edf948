import type { Json } from './value.ts'

/**
 * The one text of a value: members sorted by UTF-16 code units and no spaces, as RFC 8785 lays down. Equal values have
 * equal texts whatever the order of their members, so it serves for fingerprints.
 */
export function canonical(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value)
  // For finite numbers, true, false and null this is what JSON.stringify answers, at half the cost.
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  let text = '{'
  for (const name of Object.keys(value).sort()) {
    if (text !== '{') text += ','
    text += `${JSON.stringify(name)}:${canonical(value[name] as Json)}`
  }
  return `${text}}`
}

/** Whether two values are equal, whatever the order of their members. */
export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b)
  return !Array.isArray(b) && sameMembers(a, b)
}

function sameItems(a: Json[], b: Json[]): boolean {
  return a.length === b.length && a.every((item, index) => sameJson(item, b[index] as Json))
}

function sameMembers(a: { [key: string]: Json }, b: { [key: string]: Json }): boolean {
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && sameJson(a[name] as Json, b[name] as Json))
}
