import { json, optional, text } from '../../domain/log/input-schema.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import type { Rows } from '../../domain/log/rows.ts'
import { clientName } from '../../domain/sessions/client-name.ts'
import { sessionsOf } from '../../domain/sessions/session.ts'
import { agentId, role, taskCharsMax } from '../../domain/workflow/members.ts'
import type { JsonObject } from '../../json/value.ts'
import { change } from '../operation.ts'
import { extendingRefs, extendWorkflow } from './extending.ts'

/** What is decided by whoever owns the root is refused as that, and not as unknown. */
const owned = optional(json('For owners only.'))

export const sessionSpawn = change({
  name: 'session.spawn',
  summary: 'Start another agent below a session, with a profile of its workflow.',
  command: { words: ['session spawn'], positional: ['use', 'task'] },
  reach: 'subtree',
  input: {
    use: text('The profile.', { max: 128 }),
    task: text('What it is to do.', { max: taskCharsMax }),
    role: optional(role),
    id: optional(agentId),
    phase: optional(text('The name of its phase, where the workflow has phases.', { max: 200 })),
    run: owned,
    env: owned,
    cwd: owned,
    budget: owned,
  },
  needs: (asked, rows) => extendingRefs(rows, [agentOf(rows, asked)]),
  decide(asked, on) {
    const added = extendWorkflow(on, { agents: [agentOf(on.rows, asked)] })
    if (added instanceof Refusal) return added
    const [agent] = added
    return {
      ...(agent as (typeof added)[number]),
      root_session_id: on.rows.id,
      status: 'created',
      seq: on.rows.head()?.seq ?? 0,
    }
  },
})

const agentMembers = ['use', 'task', 'role', 'phase', 'env', 'cwd', 'budget', 'run'] as const

/** One that is given no id is called by its role and the number of its session. */
function agentOf(rows: Rows, asked: { readonly [member: string]: unknown }): JsonObject {
  const given = Object.fromEntries(
    agentMembers.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]])),
  )
  const id = asked.id ?? `${clientName(String(asked.role ?? 'worker'))}-${sessionsOf(rows)}`
  return { ...(given as JsonObject), id: id as string }
}
