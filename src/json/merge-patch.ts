import type { Json, JsonObject } from './value.ts'

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** RFC 7396 to the letter: null removes, objects are merged, all else is replaced whole. Neither value is changed. */
export function applyMergePatch(target: Json | undefined, patch: JsonObject): JsonObject {
  const merged = isObject(target) ? { ...target } : {}
  for (const [name, part] of Object.entries(patch)) {
    if (part === null) delete merged[name]
    else
      merged[name] = isObject(part)
        ? applyMergePatch(Object.hasOwn(merged, name) ? merged[name] : undefined, part)
        : part
  }
  return merged
}
