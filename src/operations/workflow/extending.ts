import type { Deciding } from '../../domain/log/deciding.ts'
import { foldName } from '../../domain/log/identity.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { allOf, type Ref, type Rows, rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { planStream } from '../../domain/plan/facts.ts'
import { nextPhase, phasesOf } from '../../domain/plan/phases.ts'
import { phases, planTotals } from '../../domain/plan/tables.ts'
import { totalsOf } from '../../domain/plan/totals.ts'
import type { SessionRow } from '../../domain/sessions/tables.ts'
import { sessionNames } from '../../domain/sessions/tables.ts'
import { workflowOf } from '../../domain/workflow/agent.ts'
import { workflowStream } from '../../domain/workflow/facts.ts'
import { readExtension } from '../../domain/workflow/file/extend.ts'
import { agents, workflows } from '../../domain/workflow/tables.ts'
import { outputsNamed } from '../../domain/workflow/template.ts'
import type { Json, JsonObject } from '../../json/value.ts'
import { checkRoom } from '../sessions/create.ts'
import { checkpointRefs, takeCheckpoint } from './moves/work.ts'
import { addingRefs, checkAdding, checkPhases, namesOf, recordAgent, recordPhases } from './recording.ts'

/** What an agent that is asked for names: nothing was checked yet. */
interface Naming {
  readonly id?: Json
  readonly role?: Json
  readonly depends_on?: Json
  readonly task?: Json
}

/** What must be known to add agents to a workflow: those that they name, however many there are. */
export function extendingRefs(rows: Rows, asked: readonly Json[]): Ref[] {
  const named = namingOf(asked)
  const specs = named.map(({ id, role }) => ({ id: textOf(id), role: textOf(role) || 'worker', task: '' }))
  const ids = [...new Set(named.flatMap(idsIn))]
  return [
    ...addingRefs(rows, specs),
    rowOf(workflows),
    allOf(phases),
    rowOf(planTotals),
    rowOf(streams, planStream),
    rowOf(streams, workflowStream),
    ...checkpointRefs,
    ...ids.flatMap((id): Ref[] => {
      const no = rows.get(sessionNames, foldName(id))?.no
      return [rowOf(sessionNames, foldName(id)), ...(no === undefined ? [] : [rowOf(agents, no)])]
    }),
  ]
}

function namingOf(asked: readonly Json[]): Naming[] {
  return asked.filter((each) => typeof each === 'object' && each !== null && !Array.isArray(each)) as Naming[]
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function idsIn({ id, depends_on: before, task }: Naming): string[] {
  const all = [id, ...(Array.isArray(before) ? before : []), ...outputsNamed(textOf(task))]
  return all.filter((each): each is string => typeof each === 'string')
}

/** The ids that agents bear, of those that are named. */
function knownIds(rows: Rows, asked: readonly Json[]): Set<string> {
  const known = namingOf(asked)
    .flatMap(idsIn)
    .flatMap((id) => {
      const no = rows.get(sessionNames, foldName(id))?.no
      const agent = no === undefined ? undefined : rows.get(agents, no)
      return agent === undefined ? [] : [agent.id]
    })
  return new Set(known)
}

/** Adds agents below the session that acts; gives what they are called. What was there before is checkpointed with it. */
export function extendWorkflow(on: Deciding, given: JsonObject): ReturnType<typeof namesOf>[] | Refusal {
  const { rows } = on
  const row = rows.get(workflows)
  const refusal = checkRoom(on)
  if (refusal) return refusal
  if (row === undefined) return noWorkflow()
  const open = phasesOf(rows).filter(({ state }) => state === 'planned' || state === 'running' || state === 'paused')
  const read = readExtension(given, {
    workflow: workflowOf(row),
    agents: knownIds(rows, (given.agents ?? []) as Json[]),
    nextPhase: nextPhase(rows, totalsOf(rows).phases),
    openPhases: new Set(open.map(({ phase }) => phase)),
    profilesOnly: on.agent !== undefined,
  })
  if (read instanceof Refusal) return read
  const { extended, agents: specs } = read
  const full = checkAdding(on, specs) ?? checkPhases(on, extended.phases?.length ?? 0)
  if (full) return full
  if (Object.keys(extended).length === 0 && specs.length === 0) return nothingGiven()
  if (Object.keys(extended).length > 0) on.record({ type: 'workflow_extended', stream: workflowStream, data: extended })
  recordPhases(on, extended.phases ?? [])
  const above = (on.session as SessionRow).no
  const nos = specs.map((spec) => recordAgent(on, spec, above))
  takeCheckpoint(on, { why: 'plan' })
  return nos.map((no) => namesOf(rows, no))
}

export function noWorkflow(): Refusal {
  const hint = 'Create a root with `session.create` and `workflow`.'
  return refuse('illegal_transition', 'This root has no workflow that could be extended.', hint)
}

function nothingGiven(): Refusal {
  return refuse('invalid_input', 'Nothing was given to add.', 'Give agents, phases, profiles, max_parallel or budget.')
}
