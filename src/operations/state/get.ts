import { isoTime } from '../../domain/log/identity.ts'
import { integer, optional } from '../../domain/log/input-schema.ts'
import type { Asking } from '../../domain/log/questions.ts'
import { ask } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { hasExpired, shownLapse } from '../../domain/state/expiry.ts'
import { type KeyAnswer, keyNotFound, keyNotFoundAt } from '../../domain/state/mutation.ts'
import { readChain, resolvePoint, showVersion } from '../../domain/state/past/past.ts'
import { aboutState, type KeyShown } from '../../domain/state/questions.ts'
import type { Json } from '../../json/value.ts'
import { key, past } from '../inputs.ts'
import { read } from '../operation.ts'

export const atSequence = optional(integer('As of this version of the state.'))

/** `read` makes the value of its text. */
export function* showKey(row: KeyShown, read: (text: string) => Json = JSON.parse): Asking<KeyAnswer> {
  const text = row.partial ? yield* readChain(row.root, row.key, row.seq) : (row.value ?? 'null')
  return {
    key: row.key,
    value: read(text),
    version: row.version,
    updated_at: isoTime(row.updated_at),
    updated_by: row.by,
    seq: row.seq,
    ...shownLapse(row.traits),
  }
}

export const stateGet = read({
  name: 'state.get',
  summary: 'Read one key, as it is now or as it was.',
  command: {
    words: ['state get'],
    positional: ['key'],
    topic: 'Look',
    examples: [
      'cairn state get done',
      'cairn state get done --at 5',
      'cairn state get done --at-time 10m',
      'cairn state get done --at-time 2026-11-15T09:30:00Z',
      'cairn state get report --raw > report.md',
    ],
  },
  input: { key, ...past, at_sequence: atSequence },
  snapshot: false,
  *read(input, { root }, now) {
    const point = yield* resolvePoint(root, input)
    if (point instanceof Refusal) return point
    if (point === undefined) {
      const [row] = yield* ask(aboutState.key_now, root, input.key)
      return row === undefined || hasExpired(row, now) ? keyNotFound(input.key) : yield* showKey(row)
    }
    const [row] = yield* ask(aboutState.key_at, root, input.key, point)
    return row === undefined || row.kind === 'gone' ? keyNotFoundAt(input.key, point) : yield* showVersion(row)
  },
})
