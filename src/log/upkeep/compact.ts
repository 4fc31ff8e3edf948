import { digestOf } from '../../domain/log/event.ts'
import { type Asking, ask, askRows, type Load } from '../../domain/log/questions.ts'
import type { EventRow, RootRow, StreamRow } from '../../domain/log/tables.ts'
import { roots, streams } from '../../domain/log/tables.ts'
import { stateStream } from '../../domain/state/facts.ts'
import { type KeyRow, stateKeys, type VersionRow } from '../../domain/state/tables.ts'
import type { Removed } from '../../operations/store/maintenance-port.ts'
import type { Changes, Engine, Work } from '../../store/engine.ts'
import { isOwn, lineageOf } from '../forks/lineage.ts'

/** Events or versions that are looked at in one transaction: writers of the root wait no longer than that. */
const pageRows = 2000

/** A digest as it is kept. */
export function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex')
}

/** A head and a stream after upkeep: everybody who remembers rows of this root has to look again. */
export function touched(head: RootRow, stream?: StreamRow): Changes[] {
  const moved: Changes = {
    table: roots,
    rows: [{ ...head, generation: head.generation + 1 }],
  }
  return stream === undefined ? [moved] : [moved, { table: streams, rows: [stream] }]
}

/**
 * First the floor moves, so that nobody reads what is about to go; then bodies and versions go, page by page. A crash in
 * between leaves some of them: the next compaction finds them.
 */
export async function compact(engine: Engine, root: number, before: number): Promise<Removed> {
  const [next] = await engine.read(ask('first_after', root, before), false)
  const floor = await engine.write([root], (heads) => moveFloor(root, heads[0], next?.seq))
  if (floor === 0) return { events: 0, versions: 0, floor: 0 }
  const mine = await engine.read(ownRows(root), false)
  let events = 0
  for (let version = 0; ; ) {
    const page = await engine.write([root], (heads) => removeBodies(root, heads[0], version, floor, mine))
    events += page.removed
    if (page.last === undefined) break
    version = page.last
  }
  let versions = 0
  for (const keys of piecesOf(await engine.read(askRows(stateKeys, root), false))) {
    versions += await engine.write([root], (heads) => removeVersions(root, heads[0], keys, floor, mine))
  }
  return { events, versions, floor }
}

function* question<Row>(asked: Load): Generator<Load[], Row[], readonly object[][]> {
  const [rows] = yield [asked]
  return (rows ?? []) as Row[]
}

function* moveFloor(root: number, head: RootRow | undefined, next: number | undefined): Work<number> {
  const [stream] = yield* question<StreamRow>({ table: streams, key: [root, stateStream] })
  const floor = Math.min((next ?? Number.MAX_SAFE_INTEGER) - 1, head?.seq ?? 0)
  if (head === undefined || stream === undefined || floor <= stream.floor)
    return { changes: [], out: stream?.floor ?? 0 }
  return { changes: touched(head, { ...stream, floor, base: Math.max(stream.base, floor) }), out: floor }
}

/** Whether a row at this place is the root's own and shared with no fork. */
type Mine = (seq: number) => boolean

function* ownRows(root: number): Asking<Mine> {
  const lineage = yield* lineageOf(root)
  const shared = Math.max(0, ...(yield* ask('sharers', root)).map(({ upto }) => upto))
  return (seq) => seq > shared && isOwn(lineage, seq)
}

interface Page {
  readonly removed: number
  /** The last version of the stream that was looked at; undefined at the end. */
  readonly last: number | undefined
}

function* removeBodies(root: number, head: RootRow | undefined, after: number, floor: number, mine: Mine): Work<Page> {
  const asked: Load = { ask: 'log_of_stream', with: [root, stateStream, after, floor, pageRows] }
  const page = yield* question<EventRow>(asked)
  const last = page.length < pageRows ? undefined : page.at(-1)?.version
  const each = page.flatMap((row) =>
    row.data === null || !mine(row.seq) ? [] : [[root, row.seq, bytesOf(digestOf(row.data))]],
  )
  if (head === undefined || each.length === 0) return { changes: [], out: { removed: 0, last } }
  return { changes: [{ deed: 'remove_body', each }, ...touched(head)], out: { removed: each.length, last } }
}

/** Keys with about as many versions as go into one transaction; one key is never taken apart. */
function* piecesOf(rows: readonly KeyRow[]): Generator<string[]> {
  let piece: string[] = []
  let versions = 0
  for (const { key, version } of rows) {
    if (piece.length > 0 && versions + version > pageRows) {
      yield piece
      piece = []
      versions = 0
    }
    piece.push(key)
    versions += version
  }
  if (piece.length > 0) yield piece
}

function* removeVersions(
  root: number,
  head: RootRow | undefined,
  keys: string[],
  floor: number,
  mine: Mine,
): Work<number> {
  const found = yield keys.map((key) => ({ ask: 'version_links', with: [root, key] }) as const)
  const each = keys.flatMap((key, at) =>
    unneeded((found[at] ?? []) as Link[], floor)
      .filter(({ seq }) => mine(seq))
      .map(({ seq }) => [root, key, seq]),
  )
  if (head === undefined || each.length === 0) return { changes: [], out: 0 }
  const gone: Changes[] = [
    { deed: 'remove_version', each },
    { deed: 'remove_place', each },
  ]
  return { changes: [...gone, ...touched(head)], out: each.length }
}

type Link = Pick<VersionRow, 'seq' | 'prior'>

/** Of the versions up to the floor, only those stay that the newest of them or a later one builds on. */
function unneeded(rows: readonly Link[], floor: number): Link[] {
  const prior = new Map(rows.map((row) => [row.seq, row.prior]))
  const newest = rows.filter((row) => row.seq <= floor).at(-1)?.seq ?? 0
  const needed = new Set<number>()
  for (const { seq } of rows.filter((row) => row.seq >= newest)) {
    for (let at = seq; at > 0 && !needed.has(at); at = prior.get(at) ?? 0) needed.add(at)
  }
  return rows.filter((row) => !needed.has(row.seq))
}
