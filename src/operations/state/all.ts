import { isoTime } from '../../domain/log/identity.ts'
import { integer, optional, text } from '../../domain/log/input-schema.ts'
import { keyBytesCeiling } from '../../domain/log/limits.ts'
import { type Asking, ask, askRow } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { roots, streams } from '../../domain/log/tables.ts'
import { hasExpired } from '../../domain/state/expiry.ts'
import { stateStream } from '../../domain/state/facts.ts'
import { afterPrefix } from '../../domain/state/key-prefix.ts'
import type { KeyAnswer } from '../../domain/state/mutation.ts'
import { resolvePoint, showVersion, versionText } from '../../domain/state/past/past.ts'
import { aboutState } from '../../domain/state/questions.ts'
import { held } from '../../json/json-text.ts'
import { byteLength, type Json } from '../../json/value.ts'
import { isPast, past } from '../inputs.ts'
import { read } from '../operation.ts'
import { atSequence, showKey } from './get.ts'

/** A key whose value is larger than what was asked for. */
type KeyWithout = Omit<KeyAnswer, 'value'> & { value_omitted: true; bytes: number }

interface Moment {
  keys: (KeyAnswer | KeyWithout)[]
  version: number
  seq: number
  updated_at: number
}

interface Wanted {
  readonly prefix: string
  /** Bytes of the largest value that is not left out. */
  readonly most: number
}

/** What is there now; undefined before the first write. */
function* readNow(root: number, { prefix, most }: Wanted, now: number): Asking<Moment | undefined> {
  const stream = yield* askRow(streams, root, stateStream)
  const head = yield* askRow(roots, root)
  if (stream === undefined || head === undefined) return undefined
  const keys: Moment['keys'] = []
  for (const row of yield* ask(aboutState.keys_now, root, prefix, afterPrefix(prefix))) {
    if (hasExpired(row, now)) continue
    if (row.bytes <= most) keys.push(yield* showKey(row, held))
    else keys.push(without(yield* showKey({ ...row, partial: 0, value: null }), row.bytes))
  }
  return { keys, version: stream.version, seq: head.seq, updated_at: stream.updated_at }
}

function* readAt(root: number, { prefix, most }: Wanted, seq: number): Asking<Moment | undefined> {
  const keys: Moment['keys'] = []
  for (const row of yield* ask(aboutState.keys_at, root, prefix, afterPrefix(prefix), seq)) {
    if (row.kind === 'gone') continue
    const body = yield* versionText(row)
    const whole = { ...row, prior: 0, body }
    const bytes = most === Number.POSITIVE_INFINITY ? 0 : byteLength(body)
    if (bytes <= most) keys.push(yield* showVersion(whole, held))
    else keys.push(without(yield* showVersion({ ...whole, body: null }), bytes))
  }
  const [event] = yield* ask(aboutLog.stream_at, root, stateStream, seq)
  return event && { keys, version: event.version, seq, updated_at: event.at }
}

function without({ value: _, ...key }: KeyAnswer, bytes: number): KeyWithout {
  return { ...key, value_omitted: true, bytes }
}

function documentAnswer(rootId: string, moment: Moment) {
  // Not by assignment: a member named __proto__ is one like any other here.
  const state: { [key: string]: Json } = Object.fromEntries(
    moment.keys.flatMap((each) => ('value' in each ? [[each.key, each.value]] : [])),
  )
  const keys: { [key: string]: Omit<KeyAnswer, 'key' | 'seq'> | Omit<KeyWithout, 'key' | 'seq'> } = Object.fromEntries(
    moment.keys.map(({ key, seq: _, ...shown }) => [key, shown]),
  )
  return {
    root_session_id: rootId,
    state,
    keys,
    version: moment.version,
    global_version: moment.version,
    last_sequence: moment.version,
    sequence: moment.version,
    seq: moment.seq,
    updated_at: isoTime(moment.updated_at),
    materialized_at: isoTime(moment.updated_at),
  }
}

function noStateYet(): Refusal {
  return refuse('state_not_found', 'This root has no state yet.', 'The first write creates it, such as `state.set`.')
}

/** The past does not change any more: whoever asks for it is told where it has something to show. */
function* noStateAt(root: number, place: number): Asking<Refusal> {
  const [first] = yield* ask(aboutLog.events_of_version, root, stateStream, 1)
  if (first === undefined) return noStateYet()
  const hint = `Its first write is at ${first.seq}: ask for that or later.`
  return refuse('state_not_found', `This root had no state at ${place}.`, hint)
}

export const stateAll = read({
  name: 'state.all',
  large: true,
  summary: 'Read the whole state in one consistent view, as it is now or as it was.',
  command: {
    words: ['state get', 'state ls'],
    examples: ['cairn state get --prefix build/', 'cairn state ls --at-time 11:30'],
  },
  input: {
    prefix: optional(text('Only keys with this prefix.', { max: keyBytesCeiling })),
    ...past,
    at_sequence: atSequence,
    max_value_bytes: optional(
      integer('Leave out values of more bytes; their keys have value_omitted and bytes.', { min: 1 }),
    ),
  },
  settles: (input) => !isPast(input) && input.at_sequence === undefined,
  snapshot: true,
  *read(input, { root, rootId }, now) {
    const point = yield* resolvePoint(root, input)
    if (point instanceof Refusal) return point
    const wanted = { prefix: input.prefix ?? '', most: input.max_value_bytes ?? Number.POSITIVE_INFINITY }
    const moment = yield* point === undefined ? readNow(root, wanted, now) : readAt(root, wanted, point)
    if (moment !== undefined) return documentAnswer(rootId, moment)
    return point === undefined ? noStateYet() : yield* noStateAt(root, point)
  },
})
