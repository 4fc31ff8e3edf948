import { chainHash, digestOf, eventOf, firstHash, stateStream } from '../domain/event.ts'
import { evolve } from '../domain/evolve.ts'
import { newHead } from '../domain/head.ts'
import { type Asking, ask } from '../domain/questions.ts'
import { presentFrom } from '../domain/state/baseline.ts'
import { type EventRow, type StreamRow, stateKeys, stateVersions, streams, type VersionRow } from '../domain/tables.ts'
import { Overlay } from './overlay.ts'

/** Rows read at once while a log is replayed. */
const page = 1000

/** What is wrong with an event, and where it is. */
export interface BrokenEvent {
  readonly seq: number
  readonly what: string
}

/** Called after each event with the rows as they are then, and the versions it made. */
type Watch = (rows: Overlay, made: VersionRow[]) => void

/**
 * Rebuilds the rows of a root from its log, and checks the log on the way: no gap, no changed byte. Where bodies were
 * removed, the replay starts from the versions that were kept of that moment.
 */
export function* replay(root: string, watch: Watch = () => undefined): Asking<Overlay | BrokenEvent> {
  const rows = new Overlay(root, undefined)
  const [state] = yield* ask('stream', root, stateStream)
  const base = state?.base ?? 0
  const versions = new Map<string, number>()
  let based = base === 0
  let previous: Pick<EventRow, 'seq' | 'hash'> = { seq: 0, hash: firstHash }
  for (let more = true; more; ) {
    const events: EventRow[] = yield* ask('log_since', root, previous.seq, page)
    more = events.length === page
    for (const row of events) {
      const what = checkEvent(row, previous, versions)
      if (what) return { seq: row.seq, what }
      if (!based && row.seq > base) {
        yield* layBase(rows, state as StreamRow)
        based = true
      }
      if (row.data !== null && (based || row.stream !== stateStream)) evolve(rows, eventOf(row as Whole))
      else pass(rows, row)
      watch(rows, rows.accept(stateVersions))
      previous = row
    }
  }
  if (!based) yield* layBase(rows, state as StreamRow)
  return rows
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

/** An event whose body is gone, or that the base already stands for: only the heads move. */
function pass(rows: Overlay, row: EventRow): void {
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
}

/** Takes the keys as they were at the base from the versions that were kept. */
function* layBase(rows: Overlay, state: StreamRow): Asking<void> {
  rows.forget(stateKeys)
  rows.forget(stateVersions)
  const stored = new Map((yield* ask('keys_of_root', state.root)).map((row) => [row.key, row] as const))
  const head = rows.head()
  if (head !== undefined) rows.setHead({ ...head, keys: 0, bytes: 0 })
  for (const [key, row] of stored) {
    presentFrom(rows, yield* ask('versions_of_key', state.root, key, state.base), row)
  }
}
