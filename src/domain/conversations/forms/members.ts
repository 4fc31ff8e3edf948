import type { Json, JsonObject } from '../../../json/value.ts'

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The blocks, parts or items of a content; none where it is a text. */
export function blocksOf(content: Json | undefined): JsonObject[] {
  return Array.isArray(content) ? content.filter(isObject) : []
}

export function textAt(object: Json | undefined, name: string): string | undefined {
  const value = isObject(object) ? object[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** What type a block, part or item says it is. */
export function typeOf(block: JsonObject): string {
  return textAt(block, 'type') ?? ''
}

export function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name))
}
