import { checkFence } from '../domain/leases/fence.ts'
import { alsoCalled, flag, integer, optional, text } from '../domain/log/input-schema.ts'
import { readInstant } from '../domain/log/instant.ts'
import { keyBytesCeiling, pageMax } from '../domain/log/limits.ts'
import type { Point } from '../domain/log/past/place.ts'
import { Refusal, refuse } from '../domain/log/refusal.ts'
import { replicaName } from '../domain/state/crdt/actor.ts'
import { checkKey } from '../domain/state/key-name.ts'

/** Members that several operations take, described once. */

const sessionText = { max: 512 }

/** `key/` and the longest key, then the token. */
const fenceCharsMax = keyBytesCeiling + 64

export const session = alsoCalled(
  'session_id',
  optional(text('The session: its id, slug or name, or the start or end of its id.', sessionText)),
)

export const requestId = optional(
  text('Makes retries safe: a repeat with the same id returns the first answer and does nothing else.', { max: 256 }),
)

export const fence = optional(
  text('Only while this lease is held: NAME:TOKEN.', { max: fenceCharsMax, check: checkFence }),
)

export const toolCall = optional(
  text('The tool call that makes this change: its id in the conversation of the session that writes.', { max: 512 }),
)

export const allowSecret = optional(flag('Allow values that look like secrets.'))

export const key = text('Name of the key.', {
  max: keyBytesCeiling,
  check: (name, { keyBytes }) => checkKey(name, keyBytes),
})

export const version = optional(integer('Only if the key is at this version; 0 means that it does not exist.'))

export const createOnly = optional(flag('Only if the key does not exist.'))

/** Every read takes it, save those of plain rows, which have no past: leases, tokens. `pastPlace` says whether it can be told. */
export const at = optional(integer('As of this sequence number of the log.'))

/** Whether a read is of the past: what is asked one after the other must then be of one moment, as upkeep may come between. */
export function isPast({ at, at_time }: Point): boolean {
  return at !== undefined || at_time !== undefined
}

function checkInstant(value: string): Refusal | undefined {
  const read = readInstant(value)
  return read instanceof Refusal ? read : undefined
}

export const atTime = optional({
  ...text('The same by its time, in ISO 8601.', { max: 64, check: checkInstant }),
  isTime: true,
})

/** What every read of the past takes: `at`, or the time of it. */
export const past = { at, at_time: atTime }

export const limit = optional(integer('Maximum number of results.', { min: 1, max: pageMax }))

/** Of a list of ids that begin like this, or of hashes. One that was cut or made up would pass for the end of the list. */
export function cursor(begin: 'sess_' | 'tok_' | '', digits = 32) {
  const whole = new RegExp(`^${begin}[0-9a-f]{${digits}}$`)
  const check = (value: string) =>
    whole.test(value)
      ? undefined
      : refuse('invalid_input', 'Invalid cursor.', 'Pass the `next_cursor` of the previous page, unchanged.')
  return optional(text('The next_cursor of the previous page.', { max: 64, check }))
}

export const replica = optional(replicaName)

export const parent = alsoCalled(
  'parent_session_id',
  optional(text('The parent session; without it, a root is created.', sessionText)),
)

/** A working directory. */
export function project(about: string) {
  return alsoCalled('project_dir', text(about, { max: 4096 }))
}
