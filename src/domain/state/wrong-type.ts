import { type Refusal, refuse } from '../log/refusal.ts'
import type { KeyRow } from './tables.ts'

/** What a change of a value works on, in words, and the plainest value of that type. */
const accepted = {
  number: { words: 'a number', plainest: '0' },
  array: { words: 'an array', plainest: '[]' },
  object: { words: 'an object', plainest: '{}' },
} as const

export type AcceptedType = keyof typeof accepted

/** A value of another type than a change works on. The hint says what makes the change possible, unless somebody is faster. */
export function wrongType(row: KeyRow, done: string, accepts: AcceptedType): Refusal {
  const { words, plainest } = accepted[accepts]
  const article = row.type === 'array' || row.type === 'object' ? 'an' : 'a'
  const holds = row.type === 'null' ? 'null' : `${article} ${row.type}`
  return refuse(
    'wrong_type',
    `${JSON.stringify(row.key)} holds ${holds}, so it cannot be ${done}.`,
    `This works on ${words}, or on a key that does not exist. To replace the value, write ${plainest} with \`state.set\` and \`version: ${row.version}\`.`,
    { key: row.key, type: row.type, accepts, current_version: row.version },
  )
}
