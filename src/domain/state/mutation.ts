import type { Json } from '../../json/value.ts'
import type { Deciding } from '../log/deciding.ts'
import { isoTime } from '../log/identity.ts'
import { type Refusal, refuse } from '../log/refusal.ts'
import type { Ref, Rows } from '../log/rows.ts'
import { sessions } from '../sessions/tables.ts'
import { checkKind, type Kind } from './crdt/kind.ts'
import { type Expectation, meets } from './expected.ts'
import { type LapseShown, shownLapse } from './expiry.ts'
import { keyRefs } from './key.ts'
import { type KeyRow, stateKeys } from './tables.ts'

/** One way to change one key: the rules are here, whether it comes alone, in a batch or as a raw event. */
export interface Mutation<Asked, Out> {
  /** The kinds of key it can change; only plain ones unless it says so. */
  readonly kinds?: readonly Kind[]
  /** What must be loaded first; asked again after each loading until nothing is missing. */
  refs(asked: Asked, rows: Rows): Ref[]
  decide(asked: Asked, on: Deciding): Out | Refusal
}

/** The mutation as it may be asked for: only of keys of its own kinds. */
export function ofItsKinds<Asked extends { key: string }, Out>(given: Mutation<Asked, Out>): Mutation<Asked, Out> {
  const { kinds = ['plain'] } = given
  return { ...given, decide: (asked, on) => checkKind(on.rows, asked.key, kinds) ?? given.decide(asked, on) }
}

export type KeyAnswer = {
  key: string
  value: Json
  version: number
  updated_at: string
  updated_by: string | null
  seq: number
} & LapseShown

/** A write that lost its race is answered with the current value, so that value is loaded too. */
export function conditionalRefs(asked: Expectation, rows: Rows): Ref[] {
  const refs = keyRefs(rows, asked.key)
  if (rows.missing(refs).length > 0) return refs
  return keyRefs(rows, asked.key, meets(rows, asked) ? 'row' : 'value')
}

/** The row of a key that was just written. */
export function presentKey(rows: Rows, key: string): KeyRow {
  const row = rows.get(stateKeys, key)
  if (row === undefined) throw new Error(`the key ${key} has no row after it was written`)
  return row
}

export function keyAnswer(rows: Rows, key: string, value: Json): KeyAnswer {
  const row = presentKey(rows, key)
  return {
    key,
    value,
    version: row.version,
    updated_at: isoTime(row.updated_at),
    updated_by: rows.get(sessions, row.updated_by)?.id ?? null,
    seq: row.seq,
    ...shownLapse(row.traits),
  }
}

/** Of a key that was not there at a place of the past, whatever became of it since. */
export function keyNotFoundAt(key: string, place: number): Refusal {
  const hint = `See when it was written with \`state.history\`, or what was there with \`state.all({ at: ${place} })\`.`
  return refuse('key_not_found', `There was no key ${JSON.stringify(key)} at ${place}.`, hint, { key })
}

export function keyNotFound(key: string): Refusal {
  const hint = 'List the keys with `state.all`, or create it with `state.set`.'
  return refuse('key_not_found', `There is no key ${JSON.stringify(key)}.`, hint, { key })
}
