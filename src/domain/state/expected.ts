import type { Json } from '../../json/value.ts'
import { type Refusal, refuse } from '../log/refusal.ts'
import type { Rows } from '../log/rows.ts'
import { liveKey, presentValue } from './key.ts'
import { stateKeys } from './tables.ts'

/** What a conditional write expects of its key. */
export interface Expectation {
  readonly key: string
  /** The version the caller saw; 0 when it saw no key. */
  readonly version?: number | undefined
  readonly create_only?: boolean | undefined
}

/** A tombstone counts with its version, and also as version 0: whoever saw "not there" is right either way. */
export function meets(rows: Rows, expected: Expectation): boolean {
  const row = rows.get(stateKeys, expected.key)
  const live = liveKey(rows, expected.key)
  if (expected.create_only && live !== undefined) return false
  if (expected.version === undefined) return true
  if (expected.version === 0) return live === undefined
  return expected.version === (row?.version ?? 0)
}

export function checkExpected(rows: Rows, expected: Expectation): Refusal | undefined {
  if (meets(rows, expected)) return undefined
  const row = rows.get(stateKeys, expected.key)
  const live = liveKey(rows, expected.key)
  const current: Json = live === undefined ? null : (presentValue(rows, live) ?? null)
  const version = row?.version ?? 0
  const shown = JSON.stringify(expected.key)
  if (expected.version === undefined) {
    return refuse(
      'already_exists',
      `The key ${shown} already exists.`,
      `Write it without \`create_only\`, or with \`version: ${version}\`.`,
      {
        key: expected.key,
        current_version: version,
        current_value: current,
      },
    )
  }
  return refuse(
    'version_conflict',
    live === undefined
      ? `The key ${shown} does not exist; it was expected at version ${expected.version}.`
      : `The key ${shown} is at version ${version}, not ${expected.version}.`,
    `Read it again, redo the change on the current value, and write with \`version: ${live === undefined ? 0 : version}\`.`,
    { key: expected.key, current_version: version, your_version: expected.version, current_value: current },
  )
}
