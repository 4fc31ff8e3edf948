import type { Parts } from '../../domain/log/part.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import { hasEnded } from '../../domain/sessions/lifecycle.ts'
import { sessionRemoved } from '../../domain/sessions/session.ts'
import { type SessionRow, sessions } from '../../domain/sessions/tables.ts'
import type { Work } from '../../store/engine.ts'
import type { Family } from '../forks/family.ts'
import { released, removed } from '../forks/removed.ts'
import { asLoads } from '../write/as-loads.ts'

/** Removes a root. What its forks need of it stays under `number`; without one, nothing is done where there are any. */
export function* removeRoot(
  parts: Parts,
  root: number,
  { heads, segments }: Family,
  force: boolean,
  number: number | undefined,
): Work<{ events: number; sharers: string[] } | 'has forks' | Refusal> {
  const [found] = yield [{ table: sessions, root, range: {} }]
  const open = ((found ?? []) as SessionRow[]).filter((row) => !hasEnded(row.status))
  if (open.length > 0 && !force) {
    const message =
      open.length === 1
        ? `Its session ${open[0]?.name} has not ended.`
        : `${open.length} of its sessions have not ended, ${open[0]?.name} among them.`
    const hint = 'End it first with `session.end`, or remove it anyway with `force: true`.'
    return { changes: [], out: refuse('illegal_transition', message, hint, { open: open.length }) }
  }
  const head = heads.find((each) => each.root === root)
  if (head === undefined) return { changes: [], out: sessionRemoved() }
  const gone = yield* asLoads(removed(parts, head, segments, number))
  if (gone === undefined) return { changes: [], out: 'has forks' }
  const freed = yield* asLoads(released(parts, { heads, segments: gone.segments }))
  const changes = [{ deed: 'leave_project', each: [[root]] } as const, ...gone.changes, ...freed]
  return { changes, out: { events: head.seq, sharers: sharersOf(root, { heads, segments }) } }
}

/** The forks that read rows of a root: what these share stays when it goes. */
export function sharersOf(root: number, { heads, segments }: Family): string[] {
  const sharing = new Set(segments.filter((row) => row.source === root && row.root !== root).map((row) => row.root))
  return heads.filter((head) => head.hidden === 0 && sharing.has(head.root)).map(({ id }) => id)
}
