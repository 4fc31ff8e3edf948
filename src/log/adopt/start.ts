import type { Limits } from '../../domain/log/limits.ts'
import type { Parts } from '../../domain/log/part.ts'
import { type Asking, askRow, askRows } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { type RootRow, roots, streams } from '../../domain/log/tables.ts'
import type { Changes, Engine } from '../../store/engine.ts'
import { type Forked, fork } from '../forks/fork.ts'
import { LiveChains } from '../proof/live-chains.ts'
import { replay } from '../proof/replay.ts'
import type { RootNumbers } from '../write/root-numbers.ts'
import { AdoptingRows } from './adopting-rows.ts'
import { broken } from './foreign-event.ts'
import type { Nearest } from './nearest.ts'

export interface Adopting {
  readonly engine: Engine
  readonly parts: Parts
  readonly limits: Limits
  readonly numbers: RootNumbers
  readonly newId: () => string
}

/** Where a history is gone on with. */
export interface Start {
  readonly rows: AdoptingRows
  /** The root that must be where it was when the rows were read. */
  readonly held: number
  readonly head: RootRow | undefined
  /** What makes the root first, together with its first events. */
  readonly making?: (head: RootRow | undefined) => Asking<Forked | Refusal>
}

export async function newRoot({ numbers }: Adopting, id: string): Promise<Start> {
  const number = await numbers.next()
  return { rows: new AdoptingRows(number, id), held: number, head: undefined }
}

/** The rows of a root as its log makes them, to go on from. */
export async function endOf({ engine, parts }: Adopting, { root, id }: RootRow): Promise<Start | Refusal> {
  const rows = new AdoptingRows(root, id)
  const chains = new LiveChains()
  const replayed = await engine.read(
    standing(
      rows,
      replay(parts, { root, id }, (made, rest) => chains.add(made, rest), rows),
    ),
    true,
  )
  rows.takeChanged()
  return 'what' in replayed ? broken(replayed.seq, replayed.what) : { rows, held: root, head: rows.head() }
}

/** Where the past of a stream begins, and how often rows were changed past the log, is not in the log: it stays as it is. */
function* standing<Out>(rows: AdoptingRows, replaying: Asking<Out>): Asking<Out> {
  const replayed = yield* replaying
  for (const stored of yield* askRows(streams, rows.root)) {
    const { floor, base } = stored
    rows.put(streams, { ...(rows.get(streams, stored.stream) ?? stored), floor, base })
  }
  const [head, stored] = [rows.head(), yield* askRow(roots, rows.root)]
  if (head !== undefined && stored !== undefined) {
    const { generation, bytes } = stored
    rows.setHead({ ...head, generation, bytes })
  }
  return replayed
}

/** A fork that is still to be made, with its rows as it will have them. */
export async function newFork(given: Adopting, { root: origin, common }: Nearest): Promise<Start | Refusal> {
  const { engine, parts, numbers, newId } = given
  const to = { root: -(await numbers.next()), id: `sess_${newId()}` }
  const making = (head: RootRow | undefined) => fork(parts, head, { at: common.seq, to })
  const read = await engine.read(rowsOfFork(parts, origin.root, to, making), true)
  return read instanceof Refusal ? read : { ...read, held: origin.root, making }
}

function* rowsOfFork(
  parts: Parts,
  origin: number,
  to: { root: number; id: string },
  making: NonNullable<Start['making']>,
): Asking<Pick<Start, 'rows' | 'head'> | Refusal> {
  const head = yield* askRow(roots, origin)
  const forked = yield* making(head)
  if (forked instanceof Refusal) return forked
  const rows = new AdoptingRows(to.root, to.id)
  const made = forked.changes.filter(isWritten)
  for (const { table, rows: each } of made) {
    for (const row of each as readonly RootRow[]) {
      if (row.root !== to.root) continue
      if (table.name === roots.name) rows.setHead(row)
      else rows.keep(table, row)
    }
  }
  for (const part of parts.list) {
    const lookedAt = part.ownPast === undefined ? [] : yield* part.ownPast.lookedAt(origin, made)
    for (const { table, rows: each } of lookedAt) for (const row of each) rows.keep(table, row)
  }
  return { rows, head }
}

function isWritten(change: Changes): change is Extract<Changes, { table: unknown }> {
  return 'table' in change
}
