import { isoTime } from '../../domain/log/identity.ts'
import { flag, integer, optional } from '../../domain/log/input-schema.ts'
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
import { authorOf, type KeyAuthor } from './why.ts'

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
      'cairn state get done --why',
      'cairn state get done --at-time 10m',
      'cairn state get done --at-time 2026-11-15T09:30:00Z',
      'cairn state get report --raw > report.md',
    ],
  },
  input: {
    key,
    ...past,
    at_sequence: atSequence,
    why: optional(flag('Also who gave it this value, and in which turn of whose conversation.')),
  },
  // Who wrote it must be told of the value that is answered.
  snapshot: ({ why }) => why === true,
  *read(input, { root }, now) {
    const point = yield* resolvePoint(root, input)
    if (point instanceof Refusal) return point
    const found = yield* keyAsked(root, input.key, point, now)
    if (found instanceof Refusal || input.why !== true) return found
    return { ...found, why: yield* authorOf(root, input.key, point) }
  },
})

/** A key and, where that was asked for, who gave it its value; `why` is null where that past was removed. */
type KeyExplained = KeyAnswer & { why?: KeyAuthor | null }

function* keyAsked(root: number, key: string, point: number | undefined, now: number): Asking<KeyExplained | Refusal> {
  if (point === undefined) {
    const [row] = yield* ask(aboutState.key_now, root, key)
    return row === undefined || hasExpired(row, now) ? keyNotFound(key) : yield* showKey(row)
  }
  const [row] = yield* ask(aboutState.key_at, root, key, point)
  return row === undefined || row.kind === 'gone' ? keyNotFoundAt(key, point) : yield* showVersion(row)
}
