import { cutAt, lastVersion } from '../../domain/conversations/cut.ts'
import { contextStream, type Leaves } from '../../domain/conversations/facts.ts'
import { conversations } from '../../domain/conversations/tables.ts'
import { hiddenBetween } from '../../domain/conversations/visible/left.ts'
import { leavesAt, leavesToRecord, type Point, rowAt } from '../../domain/conversations/visible/visible.ts'
import { checkWriter, writerRefs } from '../../domain/conversations/writer.ts'
import type { Deciding } from '../../domain/log/deciding.ts'
import { alsoCalled, flag, integer, optional } from '../../domain/log/input-schema.ts'
import { known, knownNow } from '../../domain/log/past/known.ts'
import { type Asking, askRow } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { type Ref, type RowsWithPast, rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import type { SessionRow } from '../../domain/sessions/tables.ts'
import { restore, restoreRefs } from '../../domain/state/past/restore.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'
import { stateRefs } from '../state/mutating.ts'

/** A place at which a conversation may be cut, and what was visible there. */
interface Cut extends Point {
  readonly leaves: Leaves
}

export function* visibleCut(root: number, no: number, version: number): Asking<Cut | Refusal> {
  const point = yield* cutAt(root, no, version)
  if (point instanceof Refusal) return point
  return { ...point, leaves: leavesToRecord(yield* rowAt(root, no, point), no, version) }
}

/** …with how many versions that are visible now were not. */
function* hidingCut(root: number, no: number, version: number): Asking<(Cut & { hidden: number }) | Refusal> {
  const cut = yield* visibleCut(root, no, version)
  if (cut instanceof Refusal) return cut
  const now = leavesAt(yield* askRow(conversations, root, no), no, yield* lastVersion(root, no))
  return { ...cut, hidden: yield* hiddenBetween(root, now, cut.leaves) }
}

interface Rewinding {
  readonly to: number
  readonly withState: boolean
}

function rewindRefs(rows: RowsWithPast, no: number, { to, withState }: Rewinding): Ref[] {
  const own = [...writerRefs(rows, no), rowOf(streams, contextStream(no)), rowOf(conversations, no)]
  const cut = known(rows, hidingCut(rows.root, no, to))
  if ('missing' in cut) return [...own, ...cut.missing]
  if (!withState || cut.out instanceof Refusal) return own
  return [...own, ...stateRefs, ...restoreRefs(restorationAt(cut.out), rows)]
}

function restorationAt({ seq }: Point) {
  return { point: { at: seq }, keys: undefined }
}

/** Hides what came after a point. Nothing is deleted, and the numbers go on. */
function rewind(on: Deciding, { to, withState }: Rewinding) {
  const { no, rows } = on
  const session = on.session as SessionRow
  const refusal = mayWrite(on) ?? checkWriter(on, session)
  if (refusal) return refusal
  const cut = knownNow(rows, hidingCut(rows.root, no, to))
  if (cut instanceof Refusal) return cut
  const { leaves, hidden } = cut
  const last = rows.get(streams, contextStream(no))?.version ?? 0
  if (hidden > 0 || to !== last)
    on.record({ type: 'context_rewound', stream: contextStream(no), data: { to, ...leaves } })
  const restored = withState ? restore(restorationAt(cut), on) : undefined
  if (restored instanceof Refusal) return restored
  return {
    session_id: session.id,
    hidden,
    last_sequence: rows.get(streams, contextStream(no))?.version ?? 0,
    seq: rows.head()?.seq ?? 0,
    ...(restored && { changed: restored.changed }),
  }
}

const withState = optional(flag('Also restore the shared state to what it was at that point.'))

/** Without a point nothing is hidden, and the conversation goes on where it is. */
export const contextOverwrite = change({
  name: 'context.overwrite',
  summary: 'Go on with a conversation from a point: what came after it is hidden, not deleted.',
  command: {
    words: ['overwrite', 'rewind'],
    positional: ['session'],
    topic: 'Conversations',
    examples: ['cairn overwrite 3f9a1c0b --from-point 12', 'cairn rewind 3f9a1c0b --to-point 12 --with-state'],
  },
  reach: 'subtree',
  startsGroup: true,
  input: {
    from_point: alsoCalled(
      'to_point',
      optional(integer('The last version that stays visible; default the end of the conversation.')),
    ),
    with_state: withState,
  },
  needs(input, rows, { no }) {
    const stream = rowOf(streams, contextStream(no))
    return rows.missing([stream]).length > 0 ? [stream] : rewindRefs(rows, no, overwriting(input, rows, no))
  },
  decide: (input, on) => rewind(on, overwriting(input, on.rows, on.no)),
})

function overwriting(
  { from_point, with_state = false }: { from_point?: number; with_state?: boolean },
  rows: RowsWithPast,
  no: number,
): Rewinding {
  return { to: from_point ?? rows.get(streams, contextStream(no))?.version ?? 0, withState: with_state }
}
