import { depthMax } from '../../../json/limits.ts'
import { isObject } from '../../../json/merge-patch.ts'
import { type Path, pathText, quoted, refuseDepth, shortPath } from '../../../json/refusals.ts'
import type { JsonObject } from '../../../json/value.ts'
import { checkJson, type Json } from '../../../json/value.ts'
import { Refusal, refuse } from '../../log/refusal.ts'
import { isRemoval, operate, operationIn } from './merge-operators.ts'

/**
 * RFC 7396 with operators and dotted names: `{"a.b": 1}` is a path below `a`, unless a member of exactly that name exists.
 * `null` removes, arrays are replaced whole, and what stands in them is plain. The target is not changed. What comes out
 * keeps every rule of a value where target and patch do.
 */
export function mergePatch(target: Json | undefined, patch: Json, levels: number = depthMax): Json | Refusal {
  if (!isObject(patch)) return patch
  const made = mergeObject(target, patch, levels)
  return made instanceof Refusal ? made : made.value
}

/** The same of an object, and whether it needed more than RFC 7396. */
export function mergeObject(target: Json | undefined, patch: JsonObject, levels: number): Merged | Refusal {
  const merging = new Merging(levels)
  const value = refuseOperatorAtTop(patch) ?? merging.members(isObject(target) ? target : {}, patch, [])
  return value instanceof Refusal ? value : { value, isPlain: merging.isPlain }
}

interface Merged {
  readonly value: JsonObject
  /** No operator and no path was met, so the patch says the same to whoever knows RFC 7396 alone. */
  readonly isPlain: boolean
}

/** An operator works at a name; the whole of what a patch is for has none. */
export function refuseOperatorAtTop(patch: JsonObject): Refusal | undefined {
  const operation = operationIn(patch, [])
  if (operation === undefined || operation instanceof Refusal) return operation
  const { name: operator } = operation
  const message = `$ holds ${operator}, which has no name here to apply to.`
  const hint = `Put it under a name: {"NAME": {"${operator}": …}}. In \`state.patch\` the names are the keys.`
  return refuse('invalid_input', message, hint, { path: pathText([]), operator })
}

class Merging {
  isPlain = true
  readonly #levels: number
  /** Objects that were made here: these may be changed, all others are copied first. Thousands of dotted names can lead below one. */
  readonly #own = new Set<JsonObject>()

  constructor(levels: number) {
    this.#levels = levels
  }

  members(target: JsonObject, patch: JsonObject, path: Path): JsonObject | Refusal {
    if (path.length >= this.#levels) return refuseDepth(path, this.#levels)
    const merged = this.#owned(target)
    for (const name of Object.keys(patch)) {
      const refusal = this.#member(merged, name, patch[name] as Json, path)
      if (refusal) return refusal
    }
    return merged
  }

  #owned(target: JsonObject): JsonObject {
    if (this.#own.has(target)) return target
    const copy = { ...target }
    this.#own.add(copy)
    return copy
  }

  #member(merged: JsonObject, name: string, part: Json, path: Path): Refusal | undefined {
    const dot = Object.hasOwn(merged, name) ? -1 : name.indexOf('.')
    if (dot >= 0) return this.#below(merged, name.slice(0, dot), name.slice(dot + 1), part, path)
    const value = this.#part(Object.hasOwn(merged, name) ? merged[name] : undefined, part, [...path, name])
    if (value instanceof Refusal) return value
    if (value === undefined) delete merged[name]
    else merged[name] = value
    return undefined
  }

  /** What comes to stand at a place of which the patch says `part`; undefined when it goes. */
  #part(target: Json | undefined, part: Json, path: Path): Json | undefined | Refusal {
    if (part === null) return undefined
    if (!isObject(part)) return checkJson(part, path, this.#levels)
    const operation = operationIn(part, path)
    if (operation instanceof Refusal) return operation
    if (operation !== undefined) {
      this.isPlain = false
      return operate(operation, target, path, this.#levels)
    }
    return this.members(isObject(target) ? target : {}, part, path)
  }

  #below(merged: JsonObject, first: string, rest: string, part: Json, path: Path): Refusal | undefined {
    this.isPlain = false
    const place = [...path, first]
    const refusal = checkDotted(first, rest, path)
    if (refusal) return refusal
    const below = Object.hasOwn(merged, first) ? merged[first] : undefined
    if (below !== undefined && !isObject(below)) {
      const message = `${shortPath(pathText(place))} is not an object, so there is nothing below it.`
      const hint = 'Replace it first, or patch it without a dotted name.'
      return refuse('wrong_type', message, hint, { path: pathText(place) })
    }
    if (below === undefined && isRemoval(part)) return undefined
    const value = this.members(below ?? {}, { [rest]: part }, place)
    if (value instanceof Refusal) return value
    merged[first] = value
    return undefined
  }
}

/** Whether both sides of the first dot of a name can be names. */
export function checkDotted(first: string, rest: string, path: Path): Refusal | undefined {
  if (isName(first) && isName(rest)) return undefined
  const message = `${shortPath(pathText(path))} has the dotted name ${quoted(`${first}.${rest}`)} with an invalid part.`
  const hint = 'Each part between the dots must be a valid name; write nested objects instead of dots to be explicit.'
  return refuse('invalid_input', message, hint, { path: pathText(path) })
}

function isName(part: string): boolean {
  return part !== '' && part !== '__proto__' && !part.startsWith('$')
}
