import { sha256 } from '../hashing/hashing.ts'

/** UUIDv7 layout: 48 bits of time, then the version and variant marks among 74 bits of `rest` (20 hex digits). */
export function uuid7(at: number, rest: string): string {
  const variant = (8 + (Number.parseInt(rest.charAt(3), 16) & 3)).toString(16)
  return `${at.toString(16).padStart(12, '0')}7${rest.slice(0, 3)}${variant}${rest.slice(4, 19)}`
}

/**
 * The id of a session below a root comes from the event that made it. A rebuild from the log gives the same id; a fork
 * keeps the event but has another root, and so gets ids of its own.
 */
export function childSessionId(root: string, eventId: string, at: number): string {
  return `sess_${uuid7(at, sha256(`${root}/${eventId}`))}`
}

/** A topic as a part of names: plain small letters and digits. */
function wordsOf(topic: string): string {
  const words = topic
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')
  return words || 'session'
}

/** `2026-11-15_faster-parser_3f9a1c`: sorts by day, says what it is about, and ends like the id. */
export function slugOf(topic: string, at: number, id: string): string {
  return `${new Date(at).toISOString().slice(0, 10)}_${wordsOf(topic)}_${id.slice(-6)}`
}

/** The name of a child that was given none; its number makes it unique in its root. */
export function nameOf(topic: string, no: number, id: string): string {
  return `${wordsOf(topic)}_${no}_${id.slice(-6)}`
}

/** Two names that a person cannot tell apart on every file system are one name. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** Everything in a group of writes has one time: its text is made once. */
let shown = { at: Number.NaN, text: '' }

export function isoTime(at: number): string {
  if (shown.at !== at) shown = { at, text: new Date(at).toISOString() }
  return shown.text
}
