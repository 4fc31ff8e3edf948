import { type Asking, ask, askRow } from '../log/questions.ts'
import { rowThen } from '../log/row-past.ts'
import type { Rows } from '../log/rows.ts'
import type { Stretch } from './facts.ts'
import { type ConversationRow, conversations } from './tables.ts'

/** What is visible of a conversation that has come to a version, as stretches in the order in which they are read. */
export function visibleAt(row: ConversationRow | undefined, no: number, version: number): Stretch[] {
  const before = row === undefined ? [] : (JSON.parse(row.visible) as Stretch[])
  return extended(before, [no, (row?.after ?? 0) + 1, version])
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
  left: readonly Stretch[],
) {
  rows.put(conversations, { root, no, visible: JSON.stringify(left), after: version })
}

/** How many versions stretches hold. */
export function countOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, [, from, upto]) => sum + upto - from + 1, 0)
}

/** Whether a version of the conversation of a session is among them. */
export function isVisible(stretches: readonly Stretch[], no: number, version: number): boolean {
  return stretches.some(([of, from, upto]) => of === no && from <= version && version <= upto)
}

/** Without the versions of a conversation from one to another; `instead` stands where the first of them stood. */
export function replaced(
  stretches: readonly Stretch[],
  no: number,
  [first, last]: readonly [number, number],
  instead: Stretch,
): Stretch[] {
  const left: Stretch[] = []
  let isDone = false
  const put = () => {
    if (!isDone) left.push(instead)
    isDone = true
  }
  for (const stretch of stretches) {
    const [of, from, upto] = stretch
    if (of !== no || upto < first || from > last) {
      left.push(stretch)
      continue
    }
    if (from < first) left.push([no, from, first - 1])
    put()
    if (upto > last) left.push([no, last + 1, upto])
  }
  return left
}

/** What is visible of a conversation when it had come to a version, which event `seq` was. */
export function* askVisible(root: number, no: number, { version, seq }: Point): Asking<Stretch[]> {
  const now = yield* askRow(conversations, root, no)
  if (!isBefore(now, version)) return visibleAt(now, no, version)
  const [then] = yield* ask('row_at', root, conversations.name, conversations.place(now), seq)
  return visibleAt(rowBefore(now, then), no, version)
}

/** A version of a conversation, and the event that it is; both are 0 before the first. */
export interface Point {
  readonly version: number
  readonly seq: number
}

/** Whether a version lies before what the row says. */
export function isBefore(row: ConversationRow | undefined, version: number): row is ConversationRow {
  return row !== undefined && row.after > version
}

/** The row as it was, from what was kept of it. */
export function rowBefore(
  now: ConversationRow,
  then: { readonly row: string } | undefined,
): ConversationRow | undefined {
  return then && { ...rowThen(conversations, now, then.row), root: now.root }
}
