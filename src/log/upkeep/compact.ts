import type { Parts, RowsOfPast } from '../../domain/log/part.ts'
import { type Asking, ask } from '../../domain/log/questions.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import type { RootRow } from '../../domain/log/tables.ts'
import type { Removed } from '../../operations/store/maintenance-port.ts'
import type { Engine, Work } from '../../store/engine.ts'
import { isOwn, lineageOf } from '../forks/lineage.ts'
import { asLoads } from '../write/as-loads.ts'
import { prunePast, type Removable, removableStreams } from './removable.ts'
import { bytesOfBodies, bytesOfPast, touched, withoutBodies, withoutRows } from './touched.ts'

/** Events that are looked at in one transaction: writers of the root wait no longer than that. */
const pageEvents = 2000

/**
 * First the floor moves, so that nobody reads what is about to go; then bodies and rows of the past go, page by page. A crash in
 * between leaves some of them: the next compaction finds them.
 */
export async function compact(engine: Engine, parts: Parts, root: number, before: number): Promise<Removed> {
  const [next] = await engine.read(ask(aboutLog.first_after, root, before), false)
  const floor = await engine.write([root], ([head]) => moveFloor(parts, root, head, next?.seq))
  if (floor === 0) return { events: 0, versions: 0, floor: 0 }
  const mine = await engine.read(ownRows(root), false)
  let events = 0
  for (const { stream } of await engine.read(removableStreams(parts, root), false)) {
    for (let version: number | undefined = 0; version !== undefined; ) {
      const after: number = version
      const page = await engine.write([root], ([head]) => removeBodies(head, stream.stream, after, floor, mine))
      events += page.removed
      version = page.last
    }
  }
  let versions = 0
  for (const piece of await engine.read(pieces(parts, root, floor), false))
    versions += await engine.write([root], ([head]) => removeRows(parts, head, piece, mine))
  return { events, versions, floor }
}

function* moveFloor(parts: Parts, root: number, head: RootRow | undefined, next: number | undefined): Work<number> {
  const found = yield* asLoads(removableStreams(parts, root))
  const before = Math.max(0, ...found.map(({ stream }) => stream.floor))
  const floor = Math.min((next ?? Number.MAX_SAFE_INTEGER) - 1, head?.seq ?? 0)
  if (head === undefined || found.length === 0 || floor <= before) return { changes: [], out: before }
  const moved = found.map(({ stream }: Removable) => ({ ...stream, floor, base: Math.max(stream.base, floor) }))
  return { changes: touched(head, moved), out: floor }
}

/** Whether a row at this place is the root's own and shared with no fork. */
type Mine = (seq: number) => boolean

export function* ownRows(root: number): Asking<Mine> {
  const lineage = yield* lineageOf(root)
  const shared = Math.max(0, ...(yield* ask(aboutLog.sharers, root)).map(({ upto }) => upto))
  return (seq) => seq > shared && isOwn(lineage, seq)
}

interface Page {
  readonly removed: number
  /** The last version of the stream that was looked at; undefined at the end. */
  readonly last: number | undefined
}

function* removeBodies(
  head: RootRow | undefined,
  stream: string,
  after: number,
  floor: number,
  mine: Mine,
): Work<Page> {
  if (head === undefined) return { changes: [], out: { removed: 0, last: undefined } }
  const page = yield* asLoads(ask(aboutLog.log_of_stream, head.root, stream, after, floor, pageEvents))
  const last = page.length < pageEvents ? undefined : page.at(-1)?.version
  const whole = page.filter(({ seq, data }) => data !== null && mine(seq))
  if (whole.length === 0) return { changes: [], out: { removed: 0, last } }
  const counted = touched(head, [], -bytesOfBodies(whole))
  return { changes: [withoutBodies(head.root, whole), ...counted], out: { removed: whole.length, last } }
}

/** Asked anew at each attempt. */
type Piece = () => Asking<RowsOfPast[]>

/** What of the past of all parts nobody needs any more, in pieces. */
function* pieces(parts: Parts, root: number, floor: number): Asking<readonly Piece[]> {
  const found: Piece[] = []
  for (const part of new Set((yield* removableStreams(parts, root)).map((each) => each.part))) {
    if (part.ownPast !== undefined) found.push(...(yield* part.ownPast.prune(root, floor)))
    else found.push(() => prunePast(part, root, floor))
  }
  return found
}

function* removeRows(parts: Parts, head: RootRow | undefined, piece: Piece, mine: Mine): Work<number> {
  if (head === undefined) return { changes: [], out: 0 }
  const found = yield* asLoads(piece())
  const own = found.map(({ table, rows }) => ({ table, rows: rows.filter(({ seq }) => mine(seq)) }))
  const count = own.reduce((sum, { rows }) => sum + rows.length, 0)
  if (count === 0) return { changes: [], out: 0 }
  const counted = touched(head, [], -bytesOfPast(own))
  return { changes: [...withoutRows(parts, head.root, own), ...counted], out: count }
}
