import { diagnose } from './diagnosis.ts'
import { depthMax } from './limits.ts'
import type { Refusal } from './refusal.ts'
import type { Json } from './value.ts'

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Most strings end within this many units; for those a loop is faster than a call of `indexOf`. */
const nearUnits = 24

/**
 * Reads one JSON document and refuses what `JSON.parse` would hide: duplicate and `__proto__` members, numbers that
 * lose digits or their sign, NUL, half surrogate pairs and deep nesting. It never throws.
 *
 * The native parser builds the value because it is several times faster than any loop in JavaScript. Beside it stand
 * two cheap passes: one over the text, which counts members and levels before anything is built, and one over the
 * value. A document with fewer members in its value than in its text has a duplicate. Only a document that fails is
 * read again, slowly, by `diagnose`, to say what is wrong and where; and one with numbers that only their spelling tells from
 * others that may not be kept.
 *
 * `levels` is for documents that wrap a value, such as a request: their nesting is more than that of the value.
 */
export function readJson(text: string, levels: number = depthMax): Json | Refusal {
  const value = readSound(text, levels)
  // A number that is too small reads as 0, which a value does not show.
  if (value !== undefined && !mayUnderflow(text)) return value
  return diagnose(text, levels) ?? (JSON.parse(text) as Json)
}

/** Below 1e-323 nothing but 0 is left: that takes an exponent of three digits, or more than so many zeros before the first digit. */
const farBelow = /\d[eE]-0*[1-9]\d\d/
const manyZeros = '0'.repeat(200)

/** Whether a number in a text may be too small to be told from 0. The search for plain text is native, and so goes first. */
function mayUnderflow(text: string): boolean {
  const hasExponent = text.includes('e-') || text.includes('E-')
  return (hasExponent && farBelow.test(text)) || text.includes(manyZeros)
}

/** The value of a document without any fault, else undefined, which no JSON value is. */
function readSound(text: string, levels: number): Json | undefined {
  const members = countMembers(text, levels)
  if (members < 0 || !text.isWellFormed()) return undefined
  const value = parse(text)
  if (value === undefined) return undefined
  // Without these no string of the value can hold anything that the text does not show.
  const suspect = text.includes('\\u') || text.includes('__proto__')
  return tally(value, suspect) === members ? value : undefined
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** The members of all objects in a text, or -1 when it nests too deep. Exact for JSON, harmless for anything else. */
function countMembers(text: string, levels: number): number {
  const end = text.length
  let members = 0
  let depth = 0
  for (let at = 0; at < end; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) at = closingQuote(text, at + 1)
    else if (unit === colon) members++
    else if (unit === openBracket || unit === openBrace) {
      if (++depth > levels) return -1
    } else if (unit === closeBracket || unit === closeBrace) depth--
  }
  return members
}

/** Whether a text has more values than so many, nested ones counted: each costs far more than its few characters. Harmless for what is no JSON. */
export function hasMoreValues(text: string, most: number): boolean {
  // Each value but the first takes two characters at least.
  if (text.length <= most * 2) return false
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) at = closingQuote(text, at + 1)
    else if ((unit === comma || opensValue(text, at, unit)) && ++values > most) return true
  }
  return false
}

/** Whether a list or an object begins here that has something in it. */
function opensValue(text: string, at: number, unit: number): boolean {
  if (unit !== openBracket && unit !== openBrace) return false
  const next = text.charCodeAt(at + 1)
  return next !== closeBracket && next !== closeBrace
}

/** Where the string ends whose first unit is at `from`, or the end of the text. */
function closingQuote(text: string, from: number): number {
  const near = Math.min(from + nearUnits, text.length)
  let at = from
  for (; at < near; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) return at
    if (unit === backslash) at++
  }
  for (;;) {
    const found = text.indexOf('"', at)
    if (found < 0) return text.length
    let before = found
    while (before > at && text.charCodeAt(before - 1) === backslash) before--
    // After an even number of backslashes the quote itself is not escaped.
    if ((found - before) % 2 === 0) return found
    at = found + 1
  }
}

/** The members of all objects in a value, or -1 when something in it may not be kept. */
function tally(value: Json, suspect: boolean): number {
  if (typeof value === 'number') return isSoundNumber(value) ? 0 : -1
  if (typeof value === 'string') return !suspect || isSoundText(value) ? 0 : -1
  if (typeof value !== 'object' || value === null) return 0
  return Array.isArray(value) ? tallyItems(value, suspect) : tallyMembers(value, suspect)
}

function tallyItems(items: Json[], suspect: boolean): number {
  let members = 0
  for (let index = 0; index < items.length; index++) {
    const inner = tally(items[index] as Json, suspect)
    if (inner < 0) return -1
    members += inner
  }
  return members
}

function tallyMembers(value: { [key: string]: Json }, suspect: boolean): number {
  const names = Object.keys(value)
  let members = names.length
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string
    if (suspect && (name === '__proto__' || !isSoundText(name))) return -1
    const inner = tally(value[name] as Json, suspect)
    if (inner < 0) return -1
    members += inner
  }
  return members
}

function isSoundNumber(value: number): boolean {
  // Dividing tells 0 from -0 and costs less here than Object.is.
  if (value === 0) return 1 / value > 0
  // A number beyond these may be kept if it was written as a double, which the value does not show.
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
}

function isSoundText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
