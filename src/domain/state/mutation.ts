import type { Deciding } from '../deciding.ts'
import { type JsonObject, stateStream } from '../event.ts'
import { isoTime } from '../identity.ts'
import { byteLength, type Json } from '../json.ts'
import { Refusal, refuse } from '../refusal.ts'
import type { Ref, Rows } from '../rows.ts'
import { type KeyRow, sessions, stateKeys } from '../tables.ts'
import { bytesAfterAppend } from './evolve.ts'
import { checkExpected, type Expectation, meets } from './expected.ts'
import { keyRefs, liveKey } from './key.ts'
import { mergeInto } from './merge.ts'
import { checkRoom } from './room.ts'

/** One change of one key, alone or as part of a batch. */
export type Mutation =
  | ({ op: 'set'; value: Json } & Expectation)
  | ({ op: 'delete' } & Expectation)
  | ({ op: 'merge'; patch: JsonObject } & Expectation)
  | { op: 'increment'; key: string; delta: number }
  | { op: 'append'; key: string; items: Json[] }

export type KeyAnswer = {
  key: string
  value: Json
  version: number
  updated_at: string
  updated_by: string | null
  seq: number
}
export type DeletedAnswer = { key: string; version: number; deleted: true; seq: number }
export type IncrementAnswer = { key: string; value: number; version: number }
export type AppendAnswer = { key: string; length: number; version: number }

interface Answers {
  set: KeyAnswer
  delete: DeletedAnswer
  merge: KeyAnswer
  increment: IncrementAnswer
  append: AppendAnswer
}
export type AnswerOf<M extends Mutation> = Answers[M['op']]

/** A write that lost its race is answered with the current value, so that value is loaded too. */
export function mutationRefs(mutation: Mutation, rows: Rows): Ref[] {
  const { key } = mutation
  if (mutation.op === 'append') return keyRefs(rows, key, 'append')
  if (mutation.op === 'increment' || rows.missing(keyRefs(rows, key)).length > 0) return keyRefs(rows, key)
  return keyRefs(rows, key, meets(rows, mutation) ? 'row' : 'value')
}

/** Decides one mutation: the one place where a key's rules are, whatever way the mutation came. */
export function mutate<M extends Mutation>(mutation: M, on: Deciding): AnswerOf<M> | Refusal {
  const decided = decideOne(mutation, on)
  return decided as AnswerOf<M> | Refusal
}

function decideOne(mutation: Mutation, on: Deciding): Answers[keyof Answers] | Refusal {
  switch (mutation.op) {
    case 'set':
      return set(mutation, on)
    case 'delete':
      return remove(mutation, on)
    case 'merge':
      return merge(mutation, on)
    case 'increment':
      return increment(mutation, on)
    case 'append':
      return append(mutation, on)
  }
}

function set(mutation: Mutation & { op: 'set' }, on: Deciding): KeyAnswer | Refusal {
  const { key, value } = mutation
  const refusal =
    checkExpected(on.rows, mutation) ?? checkRoom(on.rows, key, byteLength(JSON.stringify(value)), on.limits)
  if (refusal) return refusal
  on.record({ type: 'set', stream: stateStream, key, data: { value } })
  return keyAnswer(on.rows, key, value)
}

function remove(mutation: Mutation & { op: 'delete' }, on: Deciding): DeletedAnswer | Refusal {
  const { key } = mutation
  const refusal = checkExpected(on.rows, mutation)
  if (refusal) return refusal
  if (liveKey(on.rows, key) === undefined) return keyNotFound(key)
  const event = on.record({ type: 'delete', stream: stateStream, key, data: {} })
  return { key, version: present(on.rows, key).version, deleted: true, seq: event.seq }
}

function merge(mutation: Mutation & { op: 'merge' }, on: Deciding): KeyAnswer | Refusal {
  const { key, patch } = mutation
  const expected = checkExpected(on.rows, mutation)
  if (expected) return expected
  const row = liveKey(on.rows, key)
  if (row !== undefined && row.type !== 'object') return wrongType(row, 'merged into', 'an object')
  const merged = mergeInto(row === undefined ? undefined : JSON.parse(row.value ?? '{}'), patch)
  if (merged instanceof Refusal) return merged
  const full = checkRoom(on.rows, key, byteLength(JSON.stringify(merged)), on.limits)
  if (full) return full
  on.record({ type: 'patch', stream: stateStream, key, data: { patch } })
  return keyAnswer(on.rows, key, merged)
}

function increment(mutation: Mutation & { op: 'increment' }, on: Deciding): IncrementAnswer | Refusal {
  const { key, delta } = mutation
  const row = liveKey(on.rows, key)
  if (row !== undefined && row.type !== 'number') return wrongType(row, 'incremented', 'a number')
  const value = (row === undefined ? 0 : Number(row.value)) + delta
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return refuse(
      'number_out_of_range',
      `${JSON.stringify(key)} would become ${value}, which is not exact any more.`,
      `Numbers stay between ±${Number.MAX_SAFE_INTEGER}; count in larger units or start again with state set.`,
      { key, current_value: row === undefined ? null : Number(row.value), delta },
    )
  }
  const full = checkRoom(on.rows, key, String(value).length, on.limits)
  if (full) return full
  on.record({ type: 'increment', stream: stateStream, key, data: { delta } })
  return { key, value, version: present(on.rows, key).version }
}

function append(mutation: Mutation & { op: 'append' }, on: Deciding): AppendAnswer | Refusal {
  const { key, items } = mutation
  const row = liveKey(on.rows, key)
  if (row !== undefined && row.type !== 'array') return wrongType(row, 'appended to', 'an array')
  const bytes = bytesAfterAppend(row, items, JSON.stringify(items))
  const full = checkRoom(on.rows, key, bytes, on.limits)
  if (full) return full
  on.record({ type: 'append', stream: stateStream, key, data: { items } })
  const { items: length, version } = present(on.rows, key)
  return { key, length: length ?? 0, version }
}

function present(rows: Rows, key: string): KeyRow {
  const row = rows.get(stateKeys, key)
  if (row === undefined) throw new Error(`the key ${key} has no row after it was written`)
  return row
}

export function keyAnswer(rows: Rows, key: string, value: Json): KeyAnswer {
  const row = present(rows, key)
  return {
    key,
    value,
    version: row.version,
    updated_at: isoTime(row.updated_at),
    updated_by: rows.get(sessions, row.updated_by)?.id ?? null,
    seq: row.seq,
  }
}

export function keyNotFound(key: string): Refusal {
  const hint = 'List the keys with `cairn state get`, or create it with `cairn state set`.'
  return refuse('key_not_found', `There is no key ${JSON.stringify(key)}.`, hint, { key })
}

function wrongType(row: KeyRow, done: string, needed: string): Refusal {
  return refuse(
    'wrong_type',
    `${JSON.stringify(row.key)} holds ${row.type === 'array' || row.type === 'object' ? 'an' : 'a'} ${row.type}, so it cannot be ${done}.`,
    `Only ${needed}, or a key that does not exist, can be; use state set to replace it.`,
    { key: row.key, type: row.type, current_version: row.version },
  )
}
