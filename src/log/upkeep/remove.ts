import type { Parts } from '../../domain/log/part.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { RootRow } from '../../domain/log/tables.ts'
import { hasEnded } from '../../domain/sessions/lifecycle.ts'
import { type SessionRow, sessions } from '../../domain/sessions/tables.ts'
import type { Changes, Work } from '../../store/engine.ts'

export function* removeRoot(
  parts: Parts,
  root: number,
  head: RootRow | undefined,
  force: boolean,
): Work<{ events: number } | Refusal> {
  const [found] = yield [{ table: sessions, root, range: {} }]
  const open = ((found ?? []) as SessionRow[]).filter((row) => !hasEnded(row.status))
  if (open.length > 0 && !force) {
    const message = `${open.length} of its sessions have not ended, ${open[0]?.name} among them.`
    const hint = 'End it first with `cairn session end`, or remove it anyway with --force.'
    return { changes: [], out: refuse('illegal_transition', message, hint, { open: open.length }) }
  }
  const changes: Changes[] = [{ deed: 'leave_project', each: [[root]] }]
  for (const table of parts.tables) if ('root' in table.columns) changes.push({ clear: table, root })
  return { changes, out: { events: head?.seq ?? 0 } }
}
