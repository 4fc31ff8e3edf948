import { type Asking, ask, askRow } from '../../log/questions.ts'
import { rowThen } from '../../log/row-past.ts'
import type { Rows } from '../../log/rows.ts'
import { aboutLog } from '../../log/sql/about-log.ts'
import type { Base, Leaves, Stretch } from '../facts.ts'
import { type ConversationRow, conversations } from '../tables.ts'
import { eventLeft, resolved } from './left.ts'
import { isVisible } from './stretches.ts'

/** Stretches that one rewind says itself: so the thousandth costs as much as the tenth. */
const ownMax = 64

/** What is visible of a conversation that has come to a version. */
export function leavesAt(row: ConversationRow | undefined, no: number, version: number): Leaves {
  const { visible, ...on } = leavesOf(row)
  return { ...on, visible: extended(visible, [no, (row?.after ?? 0) + 1, version]) }
}

/** The same for an event to record: what the event before it has said already is not said again where that is much. */
export function leavesToRecord(row: ConversationRow | undefined, no: number, version: number): Leaves {
  const all = leavesAt(row, no, version)
  if (row === undefined || all.visible.length <= ownMax) return all
  const before = leavesOf(row).visible
  // Of the last of them more may be visible now.
  const isLonger = all.visible.length === before.length && all.visible.at(-1)?.[2] !== before.at(-1)?.[2]
  const count = isLonger ? before.length - 1 : before.length
  return { on: [no, row.after, count], visible: all.visible.slice(count) }
}

function leavesOf(row: ConversationRow | undefined): Leaves {
  const said = row === undefined ? [] : (JSON.parse(row.visible) as readonly Stretch[] | Leaves)
  return 'visible' in said ? said : { visible: said }
}

/** Stretches with another behind them; one that follows on the last is one with it, an empty one is none. */
function extended(stretches: readonly Stretch[], [no, from, upto]: Stretch): Stretch[] {
  if (from > upto) return [...stretches]
  const last = stretches.at(-1)
  if (last === undefined || last[0] !== no || last[2] + 1 !== from) return [...stretches, [no, from, upto]]
  return [...stretches.slice(0, -1), [no, last[1], upto]]
}

/** What an event that says so leaves visible. All that follows on it is visible. */
export function leaveVisible(
  rows: Rows,
  { root, version }: { root: number; version: number },
  no: number,
  { visible, on }: Leaves,
) {
  rows.put(conversations, { root, no, visible: JSON.stringify(on ? { on, visible } : visible), after: version })
}

/** What is visible of a conversation when it had come to a version, which event `seq` was. */
export function* askVisible(root: number, no: number, point: Point): Asking<Stretch[]> {
  return yield* resolved(root, leavesAt(yield* rowAt(root, no, point), no, point.version))
}

/** The row of a conversation when it had come to a version. */
export function* rowAt(root: number, no: number, { version, seq }: Point): Asking<ConversationRow | undefined> {
  const now = yield* askRow(conversations, root, no)
  if (now === undefined || now.after <= version) return now
  const [then] = yield* ask(aboutLog.row_at, root, conversations.name, conversations.place(now), seq)
  return then && { ...rowThen(conversations, now, then.row), root: now.root }
}

/** Whether a version of a conversation is visible now. */
export function* askIsVisible(root: number, no: number, version: number): Asking<boolean> {
  const row = yield* askRow(conversations, root, no)
  if (row === undefined || version > row.after) return true
  let { visible, on }: { visible: readonly Stretch[]; on?: Base } = leavesOf(row)
  for (let before = Number.POSITIVE_INFINITY; !isVisible(visible, no, version); ) {
    const left = on && (yield* eventLeft(root, on, before))
    if (left === undefined) return false
    visible = left.visible
    on = left.on
    before = left.seq
  }
  return true
}

/** A version of a conversation, and the event that it is; both are 0 before the first. */
export interface Point {
  readonly version: number
  readonly seq: number
}
