// Node has isWellFormed and toWellFormed since 20.0; the library that tsconfig.json names does not know them yet.
/// <reference lib="es2024.string" />

import { depthMax } from './limits.ts'
import { type Refusal, refuse } from './refusal.ts'

/** The way from the document to a place in it: member names and item numbers. */
export type Path = readonly (string | number)[]

/** A refusal is read in a terminal and in a model's context, so what it quotes stays short. */
const quotedUnitsMax = 40
const pathUnitsMax = 160

/** JSON escapes the C0 controls; these others also move a cursor, hide text or turn its direction. */
const unsafeToPrint = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** The text in double quotes, cut when long, with nothing in it that a terminal would obey. */
export function quoted(text: string): string {
  return escaped(text.length > quotedUnitsMax ? `${headOf(text, quotedUnitsMax)}…` : text)
}

/** A path as people write it: `$.a[3].b`, or `$["two words"]` where a dot would mislead. */
export function pathText(path: Path): string {
  let text = '$'
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else if (part.length <= quotedUnitsMax && /^[A-Za-z_$][\w$]*$/.test(part)) text += `.${part}`
    else text += `[${quoted(part)}]`
  }
  return text
}

/** Why a number cannot be kept. `written` is its spelling in the text it came from. */
export function faultOfNumber(value: number, path: Path, written?: string): Refusal | undefined {
  if (value === 0 && written !== undefined && hasUnderflown(written)) {
    const what = `holds ${shortNumber(written)}, which is too small for a number and would read as 0`
    return refuseAt('number_out_of_range', path, what, 'Write 0, or send it as a string.')
  }
  if (isExact(value) || isLargeDouble(value, written)) return undefined
  const number = shortNumber(written ?? (value === 0 ? '-0' : String(value)))
  if (value === 0) {
    const what = number === '-0' ? 'holds -0' : `holds ${number}, which reads as -0`
    return refuseAt('number_out_of_range', path, what, 'Write 0: the sign of zero is not kept.')
  }
  if (Number.isNaN(value)) return refuseAt('number_out_of_range', path, 'holds NaN', 'Use null for a missing number.')
  return refuseBeyond(value, path, number)
}

/** Said of a number that is too large, or of a double that would come back as an integer literal. */
function refuseBeyond(value: number, path: Path, number: string): Refusal {
  const hint =
    'Integers go from -9007199254740991 to 9007199254740991, doubles from 1e21 to 1.7e308; send others as a string.'
  if (!Number.isFinite(value)) {
    return refuseAt('number_out_of_range', path, `holds ${number}, which is too large for a number`, hint)
  }
  if (!/[.eE]/.test(number) || Math.abs(value) >= 1e21) {
    return refuseAt('number_out_of_range', path, `holds ${number}, which is beyond the exact integers`, hint)
  }
  const what = `holds ${number}, which JSON writes back as ${value}, an integer beyond the exact ones`
  return refuseAt(
    'number_out_of_range',
    path,
    what,
    'Send it as a string, or in a larger unit, so that it is below 9e15.',
  )
}

function isExact(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER && !Object.is(value, -0)
}

/**
 * Whether a number beyond the exact integers is a double like any other: one that was written with a fraction or an exponent, and
 * is written with an exponent again. Below 1e21 it would be written as an integer, which no reader could take as exact
 * (docs/decisions/0025-doubles-that-look-like-integers.md).
 */
function isLargeDouble(value: number, written: string | undefined): boolean {
  const isDouble = written === undefined || /[.eE]/.test(written)
  return isDouble && Math.abs(value) >= 1e21 && Number.isFinite(value)
}

/** Whether a number that reads as 0 was written as another. */
function hasUnderflown(written: string): boolean {
  return /[1-9]/.test(written.split(/[eE]/, 1)[0] ?? '')
}

/** Why a text cannot be kept as a value or as a member name. */
export function faultOfText(text: string, path: Path): Refusal | undefined {
  if (!text.isWellFormed()) {
    const hint = 'Send whole characters: text cut in the middle of an emoji has such a half.'
    return refuseAt('invalid_input', path, 'holds half of a surrogate pair', hint)
  }
  if (text.includes('\0')) {
    return refuseAt('invalid_input', path, 'holds a NUL character', 'Remove it; send binary data as base64.')
  }
  return undefined
}

/** Why a text cannot be a member name; `path` ends in it. */
export function faultOfName(name: string, path: Path): Refusal | undefined {
  if (name === '__proto__') {
    return refuseAt('invalid_input', path, 'is named __proto__', 'Rename it: JavaScript reads it as a prototype.')
  }
  return faultOfText(name, path)
}

export function refuseDepth(path: Path, levels: number = depthMax): Refusal {
  const { code, message, hint, details } = refuseAt(
    'too_deep',
    path,
    `is nested deeper than ${levels} levels (limit: depth ${levels})`,
    'Flatten the value, or split it across several keys.',
  )
  return refuse(code, message, hint, { ...details, limit: 'depth', limit_value: levels })
}

/** A refusal about one place of a document: the path opens the message and stands whole in the details. */
export function refuseAt(
  code: 'invalid_input' | 'number_out_of_range' | 'too_deep' | 'value_too_large',
  path: Path,
  what: string,
  hint: string,
): Refusal {
  const text = pathText(path)
  return refuse(code, `${shortPath(text)} ${what}.`, hint, { path: text })
}

/** Both ends of a long path are kept: the beginning says which value, the end says which member. */
export function shortPath(text: string): string {
  if (text.length <= pathUnitsMax) return text
  const half = pathUnitsMax / 2
  return `${headOf(text, half)}…${text.slice(-half).toWellFormed()}`
}

function shortNumber(written: string): string {
  return written.length > quotedUnitsMax ? `${written.slice(0, quotedUnitsMax)}…` : written
}

/** The first units of a text without cutting a character in two. */
function headOf(text: string, units: number): string {
  const last = text.charCodeAt(units - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units)
}

function escaped(text: string): string {
  return JSON.stringify(text).replace(unsafeToPrint, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
