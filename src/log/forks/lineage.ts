import { type Asking, askRows } from '../../domain/log/questions.ts'
import { type SegmentRow, segments } from '../../domain/log/tables.ts'

/** The end of a segment that goes on. */
export const openEnd = Number.MAX_SAFE_INTEGER

/** Whose rows a root reads, in the order of the log. One that is no fork has all of its own. */
export function* lineageOf(root: number): Asking<readonly SegmentRow[]> {
  if (root > 0) return [{ root, source: root, after: 0, upto: openEnd, origin: null }]
  return yield* askRows(segments, root)
}

/** Whether a row at this place of the log is the root's own. */
export function isOwn(lineage: readonly SegmentRow[], seq: number): boolean {
  return lineage.some(({ root, source, after, upto }) => source === root && seq > after && seq <= upto)
}

/** The lineage of a fork at an event. */
export function lineageAt(origin: number, lineage: readonly SegmentRow[], at: number, fork: number): SegmentRow[] {
  const shared = lineage
    .filter(({ after }) => after < at)
    .map(({ source, after, upto }) => ({ root: fork, source, after, upto: Math.min(upto, at), origin: null }))
  return [...shared, { root: fork, source: fork, after: at, upto: openEnd, origin }]
}
