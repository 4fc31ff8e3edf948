import { depthMax } from './limits.ts'
import type { Refusal } from './refusal.ts'
import { faultOfName, faultOfNumber, faultOfText, type Path, quoted, refuseAt, refuseDepth } from './refusals.ts'
import type { Json } from './value.ts'

/** An object shared at every level unfolds to 2^64 members. No value that may be kept has as many as these. */
const visitedMax = 4 * 1024 * 1024

interface Walk {
  readonly path: (string | number)[]
  readonly levels: number
  visited: number
}

/**
 * Holds a JavaScript value handed to the library to the rules of `readJson`, and refuses what `JSON.stringify` would
 * drop or change without a word. The value itself comes back: whoever keeps it copies it or writes it out at once.
 * A value that is to stand inside of another counts its depth and says its path from there.
 */
export function checkJson(value: unknown, at: Path = [], levels: number = depthMax): Json | Refusal {
  try {
    return faultOf(value, { path: [...at], levels, visited: 0 }) ?? (value as Json)
  } catch {
    // Only a proxy can throw here, and a value that cannot be read is the caller's to mend, not a fault of ours.
    return refuseAt('invalid_input', [], 'cannot be read: a proxy in it throws', 'Pass plain objects and arrays.')
  }
}

function faultOf(value: unknown, walk: Walk): Refusal | undefined {
  switch (typeof value) {
    case 'string':
      return faultOfText(value, walk.path)
    case 'number':
      return faultOfNumber(value, walk.path)
    case 'boolean':
      return undefined
    case 'object':
      return value === null ? undefined : faultOfContainer(value, walk)
    default:
      return refuseAt('invalid_input', walk.path, `is ${withArticle(typeof value)}`, hintForKind(typeof value))
  }
}

function faultOfContainer(value: object, walk: Walk): Refusal | undefined {
  if (walk.path.length >= walk.levels) return refuseDepth(walk.path, walk.levels)
  const isArray = Array.isArray(value)
  if (!isPlain(value, isArray)) return refuseClass(value, walk.path)
  if (Object.getOwnPropertySymbols(value).length > 0) {
    return refuseAt('invalid_input', walk.path, 'has a symbol as a key', 'Use text as keys.')
  }
  return isArray ? faultOfItems(value, walk) : faultOfMembers(value, walk)
}

function faultOfItems(items: unknown[], walk: Walk): Refusal | undefined {
  for (let index = 0; index < items.length; index++) {
    walk.path.push(index)
    const fault = faultOfProperty(items, index, walk)
    if (fault !== undefined) return fault
    walk.path.pop()
  }
  return undefined
}

function faultOfMembers(value: object, walk: Walk): Refusal | undefined {
  for (const name of Object.keys(value)) {
    walk.path.push(name)
    const fault = faultOfName(name, walk.path) ?? faultOfProperty(value, name, walk)
    if (fault !== undefined) return fault
    walk.path.pop()
  }
  return undefined
}

function faultOfProperty(owner: object, name: string | number, walk: Walk): Refusal | undefined {
  if (++walk.visited > visitedMax) {
    return refuseAt('value_too_large', [], `has more than ${visitedMax} members`, 'Split it across several keys.')
  }
  const property = Object.getOwnPropertyDescriptor(owner, name)
  if (property === undefined) {
    return refuseAt('invalid_input', walk.path, 'is a hole in an array', 'Fill it with null, or remove it.')
  }
  if (property.get !== undefined || property.set !== undefined) {
    return refuseAt('invalid_input', walk.path, 'is a getter or setter', 'Pass its value: { ...object } reads it.')
  }
  return faultOf(property.value, walk)
}

function isPlain(value: object, isArray: boolean): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === (isArray ? Array.prototype : Object.prototype)) return true
  if (typeof prototype !== 'object' || prototype === null) return !isArray
  return isForeignBase(prototype, isArray)
}

/** Plain values from another realm, such as a test runner's sandbox, have an `Object.prototype` that is not ours. */
function isForeignBase(prototype: object, isArray: boolean): boolean {
  if ('toJSON' in prototype) return false
  if (isArray) return Array.isArray(prototype)
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf')
}

function refuseClass(value: object, path: Path): Refusal {
  const name = className(value)
  return refuseAt('invalid_input', path, `is an instance of ${name}, not a plain value`, hintForClass(value))
}

function className(value: object): string {
  const made: unknown = Reflect.get(value, 'constructor')
  return typeof made === 'function' && made.name !== '' ? quoted(made.name).slice(1, -1) : 'a class of its own'
}

function hintForClass(value: object): string {
  if (value instanceof Date) return 'Pass date.toISOString().'
  if (value instanceof Map) return 'Pass Object.fromEntries(map).'
  if (value instanceof Set) return 'Pass [...set].'
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return 'Pass the bytes as a base64 string.'
  if (value instanceof Promise) return 'Await it first.'
  if (value instanceof Error) return 'Pass error.message.'
  return 'Pass a plain object, for example { ...object }.'
}

function withArticle(kind: string): string {
  return kind === 'undefined' ? kind : `a ${kind}`
}

function hintForKind(kind: string): string {
  if (kind === 'undefined') return 'Use null, or leave the member out.'
  if (kind === 'bigint') return 'Pass a number, or a string when it is beyond 9007199254740991.'
  return 'Only null, booleans, numbers, strings, arrays and plain objects can be stored.'
}
