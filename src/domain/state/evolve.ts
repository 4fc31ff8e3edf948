import type { JsonObject } from '../../json/value.ts'
import { byteLength, type Json, sameJson } from '../../json/value.ts'
import type { Event } from '../log/event.ts'
import type { Rows } from '../log/rows.ts'
import { streams } from '../log/tables.ts'
import { keepLapse, lapseOf, lapseTraits } from './expiry.ts'
import { stateStream } from './facts.ts'
import { liveKey, presentValue } from './key.ts'
import { carriedOn, deltasMax, joinItems } from './past/versions.ts'
import { type KeyRow, stateKeys, stateVersions, type VersionRow } from './tables.ts'
import { isConvergent } from './traits.ts'
import { shapeOf, type ValueShape } from './value-shape.ts'

/** An array up to this size stands whole in its key row, where people and tools look; a longer one only in its versions. */
const wholeArrayBytesMax = 4096

/** How one version of a key is written to its past. */
export type Past = Pick<VersionRow, 'kind' | 'prior' | 'body' | 'traits'>

/** A key that is set anew has the traits it is given, and no others. */
export function setKey(rows: Rows, event: Event, key: string, value: Json, traits: string | null = null): void {
  setText(rows, event, key, value, JSON.stringify(value), traits)
}

/** The same, where the text of the value is at hand. */
function setText(rows: Rows, event: Event, key: string, value: Json, text: string, traits: string | null): void {
  writeText(rows, event, key, shapeOf(value), text, { kind: 'whole', prior: 0, body: text, traits }, 0, traits)
}

/** Puts another value in the place of one, whose traits it keeps. */
export function writeValue(
  rows: Rows,
  event: Event,
  key: string,
  value: Json,
  text: string,
  past: Omit<Past, 'traits'>,
  deltas: number,
): void {
  const traits = liveKey(rows, key)?.traits ?? null
  writeText(rows, event, key, shapeOf(value), text, { ...past, traits }, deltas, traits)
}

export function writeText(
  rows: Rows,
  event: Event,
  key: string,
  shape: ValueShape,
  text: string,
  past: Past,
  deltas: number,
  traits: string | null,
): void {
  write(rows, event, key, past, presentOf(shape, text, deltas, traits), traits)
}

/** A version is written as a difference only where that saves something. */
const wholeBytesMax = 1024

/** Values up to this size are told along with the word that they changed. */
export const toldBytesMax = 4096

/**
 * Whether the next version of a value may be a difference to this row. One that has become short enough to be told is written whole: so
 * whoever is to tell a difference knows that what it builds on is not long.
 */
export function mayBeDifference(old: KeyRow, text: string, more = 0): boolean {
  const hasBecomeShort = text.length <= toldBytesMax && (old.value?.length ?? 0) > toldBytesMax
  return text.length + more > wholeBytesMax && old.deltas + 1 < deltasMax(text.length) && !hasBecomeShort
}

type Present = Pick<KeyRow, 'type' | 'value' | 'partial' | 'deltas' | 'items' | 'bytes'>

const gone: Present = { type: 'gone', value: null, partial: 0, deltas: 0, items: null, bytes: 0 }

/**
 * How a value stands in its key row after so many differences; without a value it is a tombstone. What a conflict-free value
 * keeps inside takes up room too.
 */
export function presentOf(shape: ValueShape | undefined, text: string, deltas: number, traits: string | null): Present {
  if (shape === undefined) return gone
  const isWhole = isConvergent(traits)
  const bytes = byteLength(text) + (isWhole ? byteLength(traits as string) : 0)
  const partial = shape.type === 'array' && deltas > 0 && !isWhole && bytes > wholeArrayBytesMax ? 1 : 0
  return { ...shape, value: partial ? '[]' : text, partial, deltas, bytes }
}

function write(rows: Rows, event: Event, key: string, past: Past, present: Present, traits: string | null): void {
  const old = rows.get(stateKeys, key)
  const version = (old?.version ?? 0) + 1
  const created = old === undefined || old.type === 'gone' ? event.at : old.created_at
  rows.put(stateVersions, {
    root: event.root,
    key,
    seq: event.seq,
    version,
    kind: past.kind,
    prior: past.prior,
    at: event.at,
    age: event.at - created,
    session_no: event.session_no,
    traits: past.traits,
    body: past.body,
  })
  rows.put(stateKeys, {
    root: event.root,
    key,
    version,
    seq: event.seq,
    type: present.type,
    partial: present.partial,
    deltas: present.deltas,
    items: present.items,
    bytes: present.bytes,
    created_at: created,
    updated_at: event.at,
    updated_by: event.session_no,
    traits,
    value: present.value,
  })
  if (traits !== null || (old !== undefined && old.traits !== null)) keepLapse(rows, key, old?.traits ?? null, traits)
  count(rows, old, present)
}

/** The stream counts live keys and their bytes, for the limits. */
export function count(rows: Rows, old: KeyRow | undefined, now: Present): void {
  const stream = rows.get(streams, stateStream)
  if (stream === undefined) throw new Error(`no state of ${rows.root}`)
  const wasLive = old !== undefined && old.type !== 'gone'
  const isLive = now.type !== 'gone'
  const items = stream.items + Number(isLive) - Number(wasLive)
  const bytes = stream.bytes + (isLive ? now.bytes : 0) - (wasLive ? old.bytes : 0)
  if (items !== stream.items || bytes !== stream.bytes) rows.put(streams, { ...stream, items, bytes })
}

export function deleteKey(rows: Rows, event: Event, key: string): void {
  write(rows, event, key, { kind: 'gone', prior: 0, body: null, traits: null }, gone, null)
}

export function incrementKey(rows: Rows, event: Event, key: string, delta: number): void {
  const old = rows.get(stateKeys, key)
  changeValue(rows, event, key, (old?.type === 'number' ? Number(old.value) : 0) + delta)
}

/** Puts another value in the place of one, whose traits it keeps. */
export function changeValue(rows: Rows, event: Event, key: string, value: Json): void {
  const text = JSON.stringify(value)
  writeValue(rows, event, key, value, text, { kind: 'whole', prior: 0, body: text }, 0)
}

export function appendKey(rows: Rows, event: Event, key: string, items: Json[]): void {
  const old = rows.get(stateKeys, key)
  if (old?.type === 'array') appendTo(rows, event, old, items)
  else setKey(rows, event, key, items)
}

/** The size of an array with these items, whose own text is `added`, at its end. */
export function bytesAfterAppend(array: KeyRow | undefined, items: Json[], added: string): number {
  if (array === undefined) return byteLength(added)
  const comma = array.items && items.length ? 1 : 0
  return array.bytes + byteLength(added) - '[]'.length + comma
}

function appendTo(rows: Rows, event: Event, old: KeyRow, items: Json[]): void {
  const added = JSON.stringify(items)
  const bytes = bytesAfterAppend(old, items, added)
  const partial = bytes > wholeArrayBytesMax ? 1 : 0
  const present: Present = {
    type: 'array',
    value: partial ? '[]' : joinItems([{ body: added }, { body: old.value }]),
    partial,
    deltas: old.deltas + 1,
    items: (old.items ?? 0) + items.length,
    bytes,
  }
  write(rows, event, old.key, appendPast(rows, old, added), present, old.traits)
}

function appendPast(rows: Rows, old: KeyRow, added: string): Past {
  const { rows: carried, missing } = carriedOn(rows, old)
  if (missing) throw new Error(`version ${missing} of ${old.key} was not loaded`)
  const prior = carried.at(-1)?.prior ?? old.seq
  const traits = old.traits
  return {
    kind: 'append',
    prior,
    traits,
    body: carried.length === 0 ? added : joinItems([{ body: added }, ...carried]),
  }
}

/** Makes the document equal to `payload`; keys that already hold the same value keep their version. */
export function replaceState(rows: Rows, event: Event, payload: JsonObject): void {
  for (const row of rows.all(stateKeys)) {
    if (row.type !== 'gone' && !Object.hasOwn(payload, row.key)) deleteKey(rows, event, row.key)
  }
  for (const [key, value] of Object.entries(payload)) {
    const old = rows.get(stateKeys, key)
    const present = old === undefined ? undefined : presentValue(rows, old)
    // One that would go by itself is set to stay.
    const isSame =
      present !== undefined && sameJson(present, value) && lapseTraits(lapseOf(old?.traits ?? null)) === null
    if (!isSame) setKey(rows, event, key, value)
  }
}
