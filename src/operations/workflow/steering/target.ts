import { journalRefs } from '../../../domain/journal/journal.ts'
import type { Deciding } from '../../../domain/log/deciding.ts'
import { foldName } from '../../../domain/log/identity.ts'
import { optional, text } from '../../../domain/log/input-schema.ts'
import { type Refusal, refuse } from '../../../domain/log/refusal.ts'
import { allOf, type RangeRef, type Ref, type Rows, rowOf } from '../../../domain/log/rows.ts'
import { streams } from '../../../domain/log/tables.ts'
import { planStream } from '../../../domain/plan/facts.ts'
import { phasesOf } from '../../../domain/plan/phases.ts'
import { type PhaseRow, phases, planTotals } from '../../../domain/plan/tables.ts'
import { sessionNames, sessions } from '../../../domain/sessions/tables.ts'
import { needsOf } from '../../../domain/workflow/needs.ts'
import { type AgentRow, agentProgress, agents, workflows } from '../../../domain/workflow/tables.ts'
import { agentRefs } from '../moves/about.ts'

const agent = optional(text('One agent: the id in its workflow, its name, or the id of its session.', { max: 512 }))
const phase = optional(text('One phase, by its name or number.', { max: 512 }))

/** What says to which part of the work something is done; all of it, or the session that is named, unless given. */
export const targetMembers = { agent, phase }

export interface Asked {
  readonly agent?: string | undefined
  readonly phase?: string | undefined
}

/** The whole, one session that is no agent, one agent, or all agents of a phase. */
export type Target =
  | { readonly of: 'root'; readonly no: number }
  | { readonly of: 'session'; readonly no: number }
  | { readonly of: 'agent'; readonly no: number }
  | PhaseTarget

export interface PhaseTarget {
  readonly of: 'phase'
  readonly phase: PhaseRow
  readonly agents: readonly AgentRow[]
}

/** All that there is of a workflow: what is said of a phase or of the whole may be about each of its agents. */
export const wholeRefs: readonly Ref[] = [
  allOf(sessions),
  allOf(streams),
  allOf(agents),
  allOf(agentProgress),
  allOf(phases),
  rowOf(workflows),
  rowOf(planTotals),
  rowOf(streams, planStream),
  ...journalRefs,
  needsOf(),
]

function byId(id: string): RangeRef {
  return { table: sessions, range: { column: 'id', from: id, to: `${id}\u0001` } }
}

export function targetRefs(rows: Rows, asked: Asked, place: number): Ref[] {
  if (asked.phase !== undefined || (asked.agent === undefined && place === 0)) return [...wholeRefs]
  if (asked.agent === undefined) return aboutOne(place)
  const naming = [rowOf(sessionNames, foldName(asked.agent)), byId(asked.agent)]
  const no = rows.missing(naming).length > 0 ? undefined : numberOf(rows, asked.agent)
  return no === undefined ? naming : [...naming, ...aboutOne(no)]
}

function aboutOne(no: number): Ref[] {
  return [...agentRefs(no), rowOf(workflows), rowOf(sessions, 0), ...journalRefs, needsOf(no)]
}

/** The number of the session that is called so, or has this id. */
export function numberOf(rows: Rows, named: string): number | undefined {
  const found = rows.get(sessionNames, foldName(named))?.no
  return found ?? rows.all(sessions).find(({ id }) => id === named)?.no
}

export function targetIn(on: Deciding, asked: Asked): Target | Refusal {
  const { rows, no } = on
  if (asked.agent !== undefined && asked.phase !== undefined) {
    return refuse('invalid_input', 'Both an agent and a phase were given.', 'Give one of them.', { path: 'phase' })
  }
  if (asked.phase !== undefined) return phaseNamed(rows, asked.phase)
  if (asked.agent === undefined) {
    if (no === 0) return { of: 'root', no }
    return { of: rows.get(agents, no) === undefined ? 'session' : 'agent', no }
  }
  const named = numberOf(rows, asked.agent)
  if (named !== undefined && rows.get(agents, named) !== undefined) return { of: 'agent', no: named }
  const message = `This root has no agent ${JSON.stringify(asked.agent.slice(0, 100))}.`
  return refuse('not_found', message, 'List its agents with `session.status`.', { agent: asked.agent.slice(0, 100) })
}

function phaseNamed(rows: Rows, named: string): Target | Refusal {
  const folded = foldName(named.trim())
  const all = phasesOf(rows)
  const found = all.find(({ name }) => foldName(name) === folded) ?? all.find(({ phase }) => String(phase) === folded)
  if (found === undefined) {
    const message = `This root has no phase ${JSON.stringify(named.slice(0, 100))}.`
    const hint = all.length === 0 ? 'It has no phases.' : `Its phases: ${all.map(({ name }) => name).join(', ')}.`
    return refuse('not_found', message, hint, { phase: named.slice(0, 100) })
  }
  return { of: 'phase', phase: found, agents: agentsOf(rows, ({ phase }) => phase === found.phase) }
}

/** Agents in the order in which they were added. */
export function agentsOf(rows: Rows, isMeant: (row: AgentRow) => boolean = () => true): AgentRow[] {
  return rows
    .all(agents)
    .filter(isMeant)
    .sort((a, b) => a.no - b.no)
}

/** What is done to a workflow is said of one. */
export function refuseNoWorkflow(rows: Rows): Refusal | undefined {
  if (rows.get(workflows) !== undefined) return undefined
  const message = 'This root has no workflow, so there is nothing that Cairn runs.'
  return refuse('illegal_transition', message, 'Create a root with `session.create` and `workflow`.')
}
