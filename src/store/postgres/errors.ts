import { tokens } from '../../domain/access/tables.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { requests } from '../../domain/log/tables.ts'
import { Lost, notTaken } from '../engine.ts'
import { tooOld } from '../migrations.ts'

interface PostgresError extends Error {
  code?: string
  table?: string
}

const outcomeUnknown = () =>
  refuse(
    'outcome_unknown',
    'The connection to the store broke while the change was being committed: it may or may not have been made.',
    'Repeat it with the same `request_id`: it takes effect once, and you get its answer.',
  )

export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'outcome_unknown'
}

/** Errors by the class of their SQLSTATE; nobody outside is ever shown one. */
const byClass: Record<string, () => Refusal> = {
  '08': () => unavailable('The connection to Postgres broke; nothing was written.'),
  '22': rowNotTaken,
  '23': rowNotTaken,
  '25': () => unavailable('Postgres gave up a change that took too long; nothing was written.'),
  '28': () => unavailable('Postgres refused the user or password of this store.'),
  '3D': () => unavailable('The database of this store does not exist.'),
  '42': () =>
    refuse(
      'storage_error',
      'The database user lacks privileges that Cairn needs.',
      'Grant them, or connect as another user.',
    ),
  '40': () => refuse('busy', 'Too many conflicts with other writers.', 'Try again.'),
  '53': () => refuse('unavailable', 'Postgres is out of connections or space.', 'Try again in a moment.'),
  '55': () => refuse('busy', 'Timed out waiting for another writer of this root.', 'Try again.'),
  '57': () => unavailable('Postgres is stopping or took too long; nothing was written.'),
  '58': () => refuse('storage_error', 'Postgres reported a disk error.', 'Check its log.'),
}

function rowNotTaken(): Refusal {
  const message = 'A row violates a constraint of this store.'
  return refuse('storage_error', message, 'Check the store with `store.doctor`.', notTaken)
}

function unavailable(message: string): Refusal {
  return refuse(
    'unavailable',
    message,
    'Check that the server is running and that its address in the configuration is correct.',
  )
}

/** A table or a column that is not there. */
const lacking: readonly unknown[] = ['42P01', '42703']

/** What the driver says of itself, before or without an answer of the server. */
const byMessage: readonly [RegExp, () => Refusal][] = [
  [
    /invalid url|uri malformed/i,
    () => refuse('invalid_input', 'The address of the store is not a valid URL.', urlHint),
  ],
  [/password|SASL/i, () => unavailable('Postgres refused the user or password of this store.')],
]

const urlHint = 'Give postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters percent-encoded.'

/** Not every code of five letters is one: EPIPE is none. */
const sqlState = /^(?:\d[0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/

/** The server has no connection left; somebody may give one back. */
export function isFull(error: unknown): boolean {
  return (error as PostgresError).code === '53300'
}

/** Nothing was written, and the same may well succeed now: another transaction was in the way, or remembered the request first. */
export function lossOf(error: unknown, committing = false): unknown {
  const { code = '' } = error as PostgresError
  return /^40(?:001|P01)$/.test(code) ? new Lost('another transaction was in the way') : refusalOf(error, committing)
}

/** What a failure of the database means to a user. `committing`: the commit had been sent. */
export function refusalOf(error: unknown, committing = false): unknown {
  if (error instanceof Refusal || error instanceof Lost) return error
  const { code, table, message } = error as PostgresError
  if (code === '23505' && table === requests.name) return new Lost('another transaction remembered this request first')
  if (code === '23505' && table === tokens.name) return new Lost('another transaction took this name first')
  const known = code !== undefined && sqlState.test(code)
  if (known && committing && /^(08|25|57)/.test(code)) return outcomeUnknown()
  if (lacking.includes(code)) return tooOld('This database', message)
  if (known) return byClass[code.slice(0, 2)]?.() ?? error
  const said = byMessage.find(([pattern]) => pattern.test(message))
  if (said) return said[1]()
  const broken = code !== undefined || /terminated|timeout|Connection|closed/i.test(message)
  if (!broken) return error
  return committing ? outcomeUnknown() : unavailable(`The store cannot be reached (${code ?? 'no answer'}).`)
}

/** Waits for all that was sent, then fails with the first failure: none may be left behind unheard. */
export async function settled<Result>(sent: readonly Promise<Result>[]): Promise<Result[]> {
  const results = await Promise.allSettled(sent)
  const failed = results.find((result) => result.status === 'rejected' && !isAftermath(result.reason))
  const any = failed ?? results.find((result) => result.status === 'rejected')
  if (any?.status === 'rejected') throw any.reason
  return results.map((result) => (result as PromiseFulfilledResult<Result>).value)
}

/** 25P02: an earlier statement of the transaction failed; that one tells why. */
function isAftermath(error: unknown): boolean {
  return (error as PostgresError).code === '25P02'
}
