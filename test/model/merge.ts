// Merging as the model does it: RFC 7396, with dotted names as paths.
import type { Json } from '../../src/domain/json.ts'

type Obj = { [name: string]: Json }

export function isObject(value: Json | undefined): value is Obj {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `blocked` when a dotted name leads below something that is no object. */
export function mergeInto(target: Json | undefined, patch: Obj): { value: Json } | 'blocked' {
  const members = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [name, part] of Object.entries(patch)) {
    const dot = members.has(name) ? -1 : name.indexOf('.')
    const first = dot < 0 ? name : name.slice(0, dot)
    const below = members.get(first)
    if (dot >= 0 && below !== undefined && !isObject(below)) return 'blocked'
    if (part === null && (dot < 0 || below === undefined)) {
      members.delete(first)
      continue
    }
    const inner = dot < 0 ? part : { [name.slice(dot + 1)]: part }
    const merged = isObject(inner) ? mergeInto(below, inner) : { value: inner }
    if (merged === 'blocked') return 'blocked'
    members.set(first, merged.value)
  }
  return { value: Object.fromEntries(members) }
}
