import type { Deciding } from '../../../domain/log/deciding.ts'
import { phaseNumbered } from '../../../domain/plan/phases.ts'
import type { SessionRow } from '../../../domain/sessions/tables.ts'
import { sessions } from '../../../domain/sessions/tables.ts'
import { progressOf } from '../../../domain/workflow/progress.ts'
import { agents } from '../../../domain/workflow/tables.ts'
import type { Target } from './target.ts'

export type Steered = {
  session_id: string
  root_session_id: string
  session_name: string
  status: string
  /** Of an agent: what its workflow calls it. */
  id?: string
  /** Whether a person wants it to stand still. */
  held?: boolean
  phase?: number
  /** How many agents were told something. */
  agents: number
  seq: number
}

/** What was done to what, and what that is now. */
export function steered(on: Deciding, target: Target, count: number): Steered {
  const no = target.of === 'phase' ? 0 : target.no
  const session = on.rows.get(sessions, no) as SessionRow
  const id = on.rows.get(agents, no)?.id
  const phase = target.of === 'phase' ? target.phase.phase : undefined
  const state = phase === undefined ? undefined : phaseNumbered(on.rows, phase)?.state
  return {
    session_id: session.id,
    root_session_id: on.rows.id,
    session_name: session.name,
    status: state ?? session.status,
    ...(id !== undefined && { id, held: progressOf(on.rows, no).held === 1 }),
    ...(phase !== undefined && { phase }),
    agents: count,
    seq: on.rows.head()?.seq ?? 0,
  }
}
