import { depthMax } from './limits.ts'
import type { PatchOperation } from './patch-operation.ts'
import { itemPlace, leadsInto, type Pointer, pointerText, readPointer, valueAt, valueBelow } from './pointer.ts'
import { type JsonRefusalCode, Refusal, refuse } from './refusal.ts'
import { quoted } from './refusals.ts'
import { checkJson, type Json, sameJson } from './value.ts'

type Container = Json[] | { [key: string]: Json }

export interface PatchLimits {
  /** Bytes that its copies may have together. */
  readonly copiedMax?: number
  /** How deep what it makes may be. */
  readonly levels?: number
}

/** Why an operation cannot be done: code, message without a full stop, hint. */
type Fault = readonly [code: JsonRefusalCode, why: string, hint: string]

const readAgain = 'Read the value again and base the patch on it.'

/**
 * Applies a JSON Patch (RFC 6902): all of its operations or, with a refusal that says which one and where, none. The
 * value is not changed. Without a value only the whole of it can be added. A test that fails is a `version_conflict`:
 * whoever wrote it saw another value. What does not apply is `invalid_input`.
 */
export function applyJsonPatch(
  value: Json | undefined,
  operations: readonly PatchOperation[],
  { copiedMax = Number.POSITIVE_INFINITY, levels = depthMax }: PatchLimits = {},
): Json | undefined | Refusal {
  const patched = new Patched(value, copiedMax, levels)
  for (const [index, operation] of operations.entries()) {
    const fault = patched.apply(operation)
    if (fault === undefined) continue
    const [code, why, hint] = fault
    const { op, path } = operation
    return refuse(code, `Operation ${index} (${op} ${quoted(path)}) does not apply: ${why}.`, hint, { index, op, path })
  }
  return patched.value
}

class Patched {
  value: Json | undefined
  readonly #copiedMax: number
  readonly #levels: number
  #copied = 0
  /** Containers that were made here and stand at one place: these may be changed, all others are copied first. */
  #own = new Set<Container>()

  constructor(value: Json | undefined, copiedMax: number, levels: number) {
    this.value = value
    this.#copiedMax = copiedMax
    this.#levels = levels
  }

  apply(operation: PatchOperation): Fault | undefined {
    const at = pointerOf(operation.path)
    switch (operation.op) {
      case 'add':
        return this.#add(at, operation.value)
      case 'remove':
        return this.#remove(at)
      case 'replace':
        return this.#found(at) ?? this.#put(at, operation.value)
      case 'test':
        return this.#test(at, operation.value)
      case 'move':
        return this.#move(pointerOf(operation.from), at)
      case 'copy':
        return this.#copy(pointerOf(operation.from), at)
    }
  }

  #found(at: Pointer): Fault | undefined {
    return valueAt(this.value, at) === undefined ? nothingAt(this.value, at) : undefined
  }

  #test(at: Pointer, expected: Json): Fault | undefined {
    const present = valueAt(this.value, at)
    if (present !== undefined && sameJson(present, expected)) return undefined
    return ['version_conflict', present === undefined ? 'nothing is there' : 'another value is there', readAgain]
  }

  #add(at: Pointer, added: Json): Fault | undefined {
    const part = at.at(-1)
    const parent = part === undefined ? undefined : valueAt(this.value, at.slice(0, -1))
    if (!Array.isArray(parent)) return this.#put(at, added)
    const place = part === '-' ? parent.length : itemPlace(part as string)
    if (place === undefined || place > parent.length) return notAnItem(part as string, parent.length)
    const deep = tooDeep(at, added, this.#levels)
    if (deep) return deep
    ;(this.#ownAt(at.slice(0, -1)) as Json[]).splice(place, 0, added)
    return undefined
  }

  /** Sets a member, an item that is there, or the whole. */
  #put(at: Pointer, value: Json): Fault | undefined {
    const part = at.at(-1)
    const fault = tooDeep(at, value, this.#levels) ?? (part === undefined ? undefined : this.#holds(at.slice(0, -1)))
    if (fault) return fault
    if (part === undefined) {
      this.value = value
      return undefined
    }
    const parent = this.#ownAt(at.slice(0, -1))
    if (Array.isArray(parent)) parent[itemPlace(part) as number] = value
    else parent[part] = value
    return undefined
  }

  #remove(at: Pointer): Fault | undefined {
    const part = at.at(-1)
    if (part === undefined) return ['invalid_input', 'the whole value cannot be removed', 'Use state delete.']
    const fault = this.#found(at)
    if (fault) return fault
    const parent = this.#ownAt(at.slice(0, -1))
    if (Array.isArray(parent)) parent.splice(itemPlace(part) as number, 1)
    else delete parent[part]
    return undefined
  }

  #move(from: Pointer, at: Pointer): Fault | undefined {
    const fault = this.#found(from)
    if (fault) return fault
    if (leadsInto(from, at)) {
      return ['invalid_input', 'a value cannot be moved into itself', 'Copy it, or choose another place.']
    }
    const moved = valueAt(this.value, from) as Json
    // What is moved to the whole leaves nothing behind that it would have to be taken from.
    return at.length === 0 ? this.#put(at, moved) : (this.#remove(from) ?? this.#add(at, moved))
  }

  #copy(from: Pointer, at: Pointer): Fault | undefined {
    const fault = this.#found(from)
    if (fault) return fault
    const copied = valueAt(this.value, from) as Json
    // Copies of copies double with each operation, so their length is counted before they are made.
    this.#copied += JSON.stringify(copied).length
    if (this.#copied > this.#copiedMax) {
      const why = `it would copy more than ${this.#copiedMax} bytes`
      return ['value_too_large', why, 'Store large data once, and refer to it.']
    }
    // From here on it stands at two places.
    this.#own = new Set()
    return this.#add(at, copied)
  }

  #holds(at: Pointer): Fault | undefined {
    const parent = valueAt(this.value, at)
    return typeof parent === 'object' && parent !== null ? undefined : nothingAt(this.value, at)
  }

  /** The container at a pointer, all the way down made our own. */
  #ownAt(at: Pointer): Container {
    let parent = this.#owned(this.value as Container)
    this.value = parent
    for (const part of at) {
      const below = this.#owned(valueBelow(parent, part) as Container)
      if (Array.isArray(parent)) parent[itemPlace(part) as number] = below
      else parent[part] = below
      parent = below
    }
    return parent
  }

  #owned(container: Container): Container {
    if (this.#own.has(container)) return container
    const copy = Array.isArray(container) ? [...container] : { ...container }
    this.#own.add(copy)
    return copy
  }
}

/** Pointers were read once when the patch came in. */
function pointerOf(text: string): Pointer {
  const pointer = readPointer(text)
  if ('fault' in pointer) throw new Error(pointer.fault)
  return pointer
}

/** Says how far a pointer leads, and why no further. */
function nothingAt(value: Json | undefined, at: Pointer): Fault {
  let found = value
  for (const [depth, part] of at.entries()) {
    const below = valueBelow(found, part)
    if (below === undefined) return noPart(found, part, pointerText(at.slice(0, depth)))
    found = below
  }
  if (found === undefined) return ['invalid_input', 'there is no value', 'Add the whole value first: path "".']
  return ['invalid_input', `${quoted(pointerText(at))} is neither an object nor an array`, readAgain]
}

function noPart(value: Json | undefined, part: string, where: string): Fault {
  if (typeof value !== 'object' || value === null) {
    return ['invalid_input', `${quoted(where)} is neither an object nor an array`, readAgain]
  }
  if (Array.isArray(value)) return notAnItem(part, value.length)
  return ['invalid_input', `there is no member ${quoted(part)} in ${quoted(where)}`, readAgain]
}

function notAnItem(part: string, length: number): Fault {
  return ['invalid_input', `${quoted(part)} is not a valid index in an array of ${length}`, readAgain]
}

function tooDeep(at: Pointer, value: Json, levels: number): Fault | undefined {
  const checked = checkJson(value, at, levels)
  return checked instanceof Refusal ? [checked.code, 'what it makes lies too deep', checked.hint] : undefined
}
