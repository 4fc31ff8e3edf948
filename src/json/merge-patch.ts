import type { Json, JsonObject } from './value.ts'

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** RFC 7396 to the letter: null removes, objects are merged, all else is replaced whole. Neither value is changed. */
export function applyMergePatch(target: Json | undefined, patch: JsonObject): JsonObject {
  return mergeInto(target, patch, new Set())
}

/** The same patch by patch; what one has copied the next ones change in place. */
export function applyMergePatches(target: Json, patches: readonly JsonObject[]): Json {
  const own = new Set<JsonObject>()
  return patches.reduce<Json>((value, patch) => mergeInto(value, patch, own), target)
}

/** `own` are the objects that were made here: these may be changed, all others are copied first. */
function mergeInto(target: Json | undefined, patch: JsonObject, own: Set<JsonObject>): JsonObject {
  const merged = isObject(target) && own.has(target) ? target : isObject(target) ? { ...target } : {}
  own.add(merged)
  for (const [name, part] of Object.entries(patch)) {
    if (part === null) delete merged[name]
    else if (isObject(part)) merged[name] = mergeInto(Object.hasOwn(merged, name) ? merged[name] : undefined, part, own)
    else merged[name] = part
  }
  return merged
}
