import { type Asking, ask, askRow } from '../../domain/log/questions.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { type RootRow, roots, type SegmentRow } from '../../domain/log/tables.ts'
import type { Engine, Work } from '../../store/engine.ts'
import { asLoads } from '../write/as-loads.ts'

/** A root with all that have rows in common with it or came from one another, and whose rows are whose. */
export interface Family {
  readonly heads: readonly RootRow[]
  readonly segments: readonly SegmentRow[]
}

/** The numbers of a family, in the order in which everybody holds them. */
function membersOf(root: number, segments: readonly SegmentRow[]): number[] {
  const members = new Set([root])
  for (const { root, source, origin } of segments) for (const each of [root, source, origin ?? root]) members.add(each)
  return [...members].sort((a, b) => a - b)
}

function* segmentsOf(root: number): Asking<readonly SegmentRow[]> {
  return yield* ask(aboutLog.segments_of_family, root)
}

/** For whoever only looks: a family as it is at one moment. */
export function* familyOf(root: number): Asking<Family> {
  const segments = yield* segmentsOf(root)
  const heads: RootRow[] = []
  for (const member of membersOf(root, segments)) {
    const head = yield* askRow(roots, member)
    if (head !== undefined) heads.push(head)
  }
  return { heads, segments }
}

/** What is done to rows that others share holds all of them; a fork that was made meanwhile has to be held too. */
export async function writeToFamily<Out>(
  engine: Engine,
  root: number,
  work: (family: Family) => Work<Out>,
): Promise<Out> {
  for (;;) {
    const members = membersOf(root, await engine.read(segmentsOf(root), false))
    const done = await engine.write(members, function* (heads): Work<{ made: Out } | undefined> {
      const segments = yield* asLoads(segmentsOf(root))
      if (String(membersOf(root, segments)) !== String(members)) return { changes: [], out: undefined }
      const { changes, out } = yield* work({ heads, segments })
      return { changes, out: { made: out } }
    })
    if (done !== undefined) return done.made
  }
}
