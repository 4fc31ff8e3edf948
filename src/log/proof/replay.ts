import { chainHash, digestOf, eventOf, firstHash, sessionStream, stateStream } from '../../domain/log/event.ts'
import { evolve } from '../../domain/log/evolve.ts'
import { newHead } from '../../domain/log/head.ts'
import { foldName } from '../../domain/log/identity.ts'
import { type Asking, ask } from '../../domain/log/questions.ts'
import {
  type EventRow,
  type RootRow,
  type StreamRow,
  sessionNames,
  sessions,
  streams,
  type VersionRow,
} from '../../domain/log/tables.ts'
import { layBase } from './replay-base.ts'
import { ReplayedRows } from './replayed-rows.ts'

/** Rows read at once while a log is replayed. */
const page = 1000

/** What is wrong with an event, and where it is. */
export interface BrokenEvent {
  readonly seq: number
  readonly what: string
}

/** Called after each event with the rows as they are then, and the versions it made: it keeps those that are to stay. */
type Watch = (rows: ReplayedRows, made: VersionRow[]) => void

function keepAll(rows: ReplayedRows, made: VersionRow[]): void {
  for (const row of made) rows.keep(row)
}

/**
 * Rebuilds the rows of a root from its log, and checks the log on the way: no gap, no changed byte. Where bodies were
 * removed, the replay starts from the versions that were kept of that moment.
 */
export function* replay(root: string, watch: Watch = keepAll): Asking<ReplayedRows | BrokenEvent> {
  const rows = new ReplayedRows(root)
  const [state] = yield* ask('stream', root, stateStream)
  const base = state?.base ?? 0
  const versions = new Map<string, number>()
  /** The last event up to the base that names each key. */
  const named = new Map<string, number>()
  let based = base === 0
  let previous: Pick<EventRow, 'seq' | 'hash'> = { seq: 0, hash: firstHash }
  for (let more = true; more; ) {
    const events: readonly EventRow[] = yield* ask('log_since', root, previous.seq, page)
    more = events.length === page
    for (const row of events) {
      const what = checkEvent(row, previous, versions)
      if (what) return { seq: row.seq, what }
      if (!based && row.seq > base) {
        const broken = yield* layBase(rows, state as StreamRow, named)
        if (broken) return broken
        based = true
      }
      if (!based && row.key !== null) named.set(row.key, row.seq)
      if (row.data !== null && (based || row.stream !== stateStream)) evolve(rows, eventOf(row as Whole))
      else {
        const broken = yield* pass(rows, row, state)
        if (broken) return broken
      }
      watch(rows, rows.takeMade())
      previous = row
    }
  }
  return (based ? undefined : yield* layBase(rows, state as StreamRow, named)) ?? rows
}

type Whole = EventRow & { data: string }

function checkEvent(
  row: EventRow,
  previous: Pick<EventRow, 'seq' | 'hash'>,
  versions: Map<string, number>,
): string | undefined {
  if (row.seq !== previous.seq + 1) return `follows ${previous.seq}: there is a gap`
  const version = (versions.get(row.stream) ?? 0) + 1
  if (row.version !== version) return `is version ${row.version} of ${row.stream}, expected ${version}`
  versions.set(row.stream, version)
  const digest = row.data === null ? row.digest : digestOf(row.data)
  if (digest === null) return 'has neither a body nor the digest of one'
  return chainHash(previous.hash, row, digest) === row.hash ? undefined : 'does not fit its hash'
}

/** A head that is further than the log, and has not the hash of its last event, stands for events that are gone. */
export function missingEnd(rows: ReplayedRows, stored: RootRow | undefined): BrokenEvent | undefined {
  const { seq, hash } = rows.head() ?? { seq: 0, hash: firstHash }
  if (stored === undefined || stored.seq <= seq || stored.hash === hash) return undefined
  return { seq: seq + 1, what: `is missing: the log went on to ${stored.seq}` }
}

/** An event whose body is gone, or that the base already stands for: only the heads move. */
function* pass(rows: ReplayedRows, row: EventRow, state: StreamRow | undefined): Asking<BrokenEvent | undefined> {
  const stream = rows.get(streams, row.stream)
  rows.setHead({ ...(rows.head() ?? newHead(row.root)), seq: row.seq, hash: row.hash })
  rows.put(streams, {
    root: row.root,
    stream: row.stream,
    version: row.version,
    created_at: stream?.created_at ?? row.at,
    updated_at: row.at,
    floor: 0,
    base: 0,
  })
  if (row.type === 'session_created') return yield* passCreation(rows, row, state)
  if (row.stream === stateStream && row.seq <= (state?.base ?? 0)) return undefined
  return { seq: row.seq, what: 'has no body, and nothing else says what it did' }
}

/** What a session was created with went with a value that was erased: it is taken from the session as it is stored. */
function* passCreation(
  rows: ReplayedRows,
  row: EventRow,
  state: StreamRow | undefined,
): Asking<BrokenEvent | undefined> {
  const stored = yield* ask('sessions_of_root', row.root)
  const session = stored.find(({ no }) => sessionStream(no) === row.stream)
  const head = rows.head()
  if (session === undefined || head === undefined)
    return { seq: row.seq, what: 'has no body, and its session is missing' }
  rows.put(sessions, session)
  rows.put(sessionNames, { root: row.root, folded: foldName(session.name), no: session.no })
  rows.setHead({ ...head, sessions: session.no + 1 })
  // It began with a state of its own.
  if (state?.created_at === row.at) rows.put(streams, { ...state, version: 0, updated_at: row.at })
  return undefined
}
