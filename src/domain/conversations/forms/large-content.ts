import { byteLength, type Json, type JsonObject } from '../../../json/value.ts'
import { fromBase64, toBase64 } from '../base64.ts'
import type { BlobPlace } from '../stored.ts'
import { isObject } from './members.ts'

/** Text or bytes that were taken out of a message. */
export interface Taken extends Pick<BlobPlace, 'path' | 'encoding'> {
  readonly content: Uint8Array
}

/** A message without its large texts and without anything binary: an empty text stands at each place. */
export function takeLarge(message: JsonObject, overBytes: number): { message: JsonObject; taken: Taken[] } {
  const taken: Taken[] = []
  const visit = (value: Json, path: BlobPlace['path'], isBinary: boolean): Json => {
    if (typeof value === 'string') {
      const content = contentOf(value, isBinary, overBytes)
      if (content === undefined) return value
      taken.push({ path, ...content })
      return ''
    }
    if (Array.isArray(value)) return value.map((item, at) => visit(item, [...path, at], false))
    return isObject(value) ? visitMembers(value, path) : value
  }
  const visitMembers = (object: JsonObject, path: BlobPlace['path']): JsonObject => {
    const binary = holdsBinary(object, path.at(-1)) ? 'data' : undefined
    const members = Object.entries(object).map(([name, member]) => [
      name,
      visit(member, [...path, name], name === binary),
    ])
    return Object.fromEntries(members)
  }
  const rest = visitMembers(message, [])
  return taken.length === 0 ? { message, taken } : { message: rest, taken }
}

/** Whether `data` of an object is binary: the source of an image or document of Anthropic, or audio of OpenAI. */
function holdsBinary({ type }: JsonObject, name: string | number | undefined): boolean {
  return (name === 'source' && type === 'base64') || name === 'input_audio'
}

function contentOf(
  text: string,
  isBinary: boolean,
  overBytes: number,
): Pick<Taken, 'content' | 'encoding'> | undefined {
  const bytes = isBinary && text !== '' ? fromBase64(text) : undefined
  if (bytes !== undefined) return { content: bytes, encoding: 'base64' }
  // No character takes more than three bytes for each unit: most texts need not be measured.
  if (text.length * 3 <= overBytes || byteLength(text) <= overBytes) return undefined
  return { content: new TextEncoder().encode(text), encoding: 'utf8' }
}

/** The message as it was, with those places of which the content is not there. */
export function putBack(
  message: JsonObject,
  places: readonly BlobPlace[],
  contentOfHash: (hash: string) => Uint8Array | undefined,
): { message: JsonObject; missing: BlobPlace[] } {
  if (places.length === 0) return { message, missing: [] }
  const whole = copyOf(message) as JsonObject
  const missing = places.filter((place) => {
    const content = contentOfHash(place.hash)
    return content === undefined || !fill(whole, place, content)
  })
  return { message: whole, missing }
}

function copyOf(value: Json): Json {
  if (Array.isArray(value)) return value.map(copyOf)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)]))
}

/** Whether the place was there: an event of another store may name one that is not, or that is no text. */
function fill(whole: JsonObject, { path, encoding }: BlobPlace, content: Uint8Array): boolean {
  let holder: Json | undefined = whole
  for (const part of path.slice(0, -1)) holder = memberOf(holder, part)
  const last = path.at(-1)
  if (last === undefined || memberOf(holder, last) !== '') return false
  const text = encoding === 'base64' ? toBase64(content) : new TextDecoder('utf-8', { ignoreBOM: true }).decode(content)
  ;(holder as { [part: string | number]: Json })[last] = text
  return true
}

function memberOf(holder: Json | undefined, part: string | number): Json | undefined {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, part)) return undefined
  return (holder as { [part: string | number]: Json })[part]
}
