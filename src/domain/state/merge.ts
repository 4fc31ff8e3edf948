import type { JsonObject } from '../event.ts'
import { checkJson, type Json } from '../json.ts'
import { depthMax } from '../limits.ts'
import { Refusal, refuse } from '../refusal.ts'

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * RFC 7396 with dotted names: `{"a.b": 1}` is a path below `a`, unless a member of exactly that name exists. `null`
 * removes, arrays are replaced whole. The target is not changed.
 */
export function mergePatch(target: Json | undefined, patch: Json): Json | Refusal {
  if (!isObject(patch)) return patch
  const merged: JsonObject = isObject(target) ? { ...target } : {}
  for (const [name, part] of Object.entries(patch)) {
    const refusal = mergeMember(merged, name, part)
    if (refusal) return refusal
  }
  return merged
}

function mergeMember(merged: JsonObject, name: string, part: Json): Refusal | undefined {
  const dot = Object.hasOwn(merged, name) ? -1 : name.indexOf('.')
  if (dot >= 0) return mergePath(merged, name.slice(0, dot), name.slice(dot + 1), part)
  if (part === null) {
    delete merged[name]
    return undefined
  }
  const value = mergePatch(Object.hasOwn(merged, name) ? merged[name] : undefined, part)
  if (value instanceof Refusal) return value
  merged[name] = value
  return undefined
}

function mergePath(merged: JsonObject, first: string, rest: string, part: Json): Refusal | undefined {
  if (first === '' || rest === '' || first === '__proto__' || rest === '__proto__') {
    return refuse(
      'invalid_input',
      `The dotted name ${JSON.stringify(`${first}.${rest}`)} has a part that cannot be used.`,
      'Each part between dots must be a name of its own; write nested objects instead of dots to be explicit.',
    )
  }
  // Before going down: a name of a hundred thousand dots would overflow the stack.
  if (rest.split('.', depthMax).length === depthMax) {
    const message = `A dotted name has more than ${depthMax} parts (limit: depth ${depthMax}).`
    return refuse('too_deep', message, 'Flatten the value, or split it over several keys.', { limit: 'depth' })
  }
  const below = Object.hasOwn(merged, first) ? merged[first] : undefined
  if (below !== undefined && !isObject(below)) {
    return refuse(
      'wrong_type',
      `${JSON.stringify(first)} is not an object, so nothing can be set below it.`,
      'Replace it first, or patch it without a dotted name.',
    )
  }
  if (part === null && below === undefined) return undefined
  const value = mergePatch(below ?? {}, { [rest]: part })
  if (value instanceof Refusal) return value
  merged[first] = value
  return undefined
}

/** The merge as an operation asks for it: into an object or nothing, with a result that keeps every rule of a value. */
export function mergeInto(target: Json | undefined, patch: JsonObject): Json | Refusal {
  const merged = mergePatch(target, patch)
  return merged instanceof Refusal ? merged : checkJson(merged)
}
