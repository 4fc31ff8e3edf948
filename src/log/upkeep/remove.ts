import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { RootRow, SessionRow } from '../../domain/log/tables.ts'
import { hasEnded } from '../../domain/sessions/lifecycle.ts'
import type { Changes, Work } from '../../store/engine.ts'

const everything = [
  'leave_project',
  'remove_events',
  'remove_streams',
  'remove_names',
  'remove_keys',
  'remove_versions',
  'remove_lapses',
  'remove_schemas',
  'remove_leases',
  'remove_tokens',
  'remove_requests',
  'remove_sessions',
  'remove_head',
] as const

export function* removeRoot(
  root: string,
  head: RootRow | undefined,
  force: boolean,
): Work<{ events: number } | Refusal> {
  const [found] = yield [{ ask: 'sessions_of_root', with: [root] }]
  const open = ((found ?? []) as SessionRow[]).filter((row) => !hasEnded(row.status))
  if (open.length > 0 && !force) {
    const message = `${open.length} of its sessions have not ended, ${open[0]?.name} among them.`
    const hint = 'End it first with `cairn session end`, or remove it anyway with --force.'
    return { changes: [], out: refuse('illegal_transition', message, hint, { open: open.length }) }
  }
  const changes: Changes[] = everything.map((deed) => ({ deed, each: [[root]] }))
  return { changes, out: { events: head?.seq ?? 0 } }
}
