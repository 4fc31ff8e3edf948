import { quoted } from './refusals.ts'
import type { Json } from './value.ts'

/** The parts of a JSON Pointer (RFC 6901); none means the whole document. */
export type Pointer = readonly string[]

/** Reads a pointer, or says in words why the text is none. */
export function readPointer(text: string): Pointer | { readonly fault: string } {
  if (text === '') return []
  if (!text.startsWith('/')) return { fault: `the pointer ${quoted(text)} does not begin with /` }
  if (/~(?![01])/.test(text)) return { fault: `the pointer ${quoted(text)} has a ~ that is neither ~0 nor ~1` }
  const parts = text.slice(1).split('/')
  // Nothing that is kept has such a member, and whoever assigns it changes a prototype.
  if (parts.includes('__proto__')) return { fault: `the pointer ${quoted(text)} leads through __proto__` }
  return text.includes('~') ? parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')) : parts
}

/** A pointer as it is written. */
export function pointerText(pointer: Pointer): string {
  return pointer.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The place of an item by its part of a pointer; undefined when it is no number as RFC 6901 writes them. */
export function itemPlace(part: string): number | undefined {
  return /^(?:0|[1-9]\d{0,9})$/.test(part) ? Number(part) : undefined
}

/** The value at one part below another value; undefined when nothing is there. */
export function valueBelow(value: Json | undefined, part: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value)) return Object.hasOwn(value, part) ? value[part] : undefined
  const place = itemPlace(part)
  return place === undefined ? undefined : value[place]
}

export function valueAt(value: Json | undefined, pointer: Pointer): Json | undefined {
  let found = value
  for (const part of pointer) found = valueBelow(found, part)
  return found
}

/** Whether the second pointer leads to a place inside of what the first points at. */
export function leadsInto(outer: Pointer, inner: Pointer): boolean {
  return inner.length > outer.length && outer.every((part, at) => part === inner[at])
}
