import { needs } from '../../../domain/journal/tables.ts'
import { isoTime } from '../../../domain/log/identity.ts'
import { type Asking, ask, askRows } from '../../../domain/log/questions.ts'
import { rowsAt } from '../../../domain/log/row-past.ts'
import type { Table } from '../../../domain/log/tables.ts'
import { buildCheckpoints, phases, taskWaves } from '../../../domain/plan/tables.ts'
import type { SessionFound } from '../../../domain/sessions/questions.ts'
import type { Share } from '../../../domain/workflow/figures.ts'
import { aboutWorkflow } from '../../../domain/workflow/questions.ts'
import type { WorkflowSpec } from '../../../domain/workflow/spec.ts'
import type { AgentThere } from './agents.ts'

/** Rows of a view as they are, or as they were after an event. */
export function* rowsThere<Row extends object>(
  table: Table<Row>,
  root: number,
  at: number | undefined,
): Asking<readonly Readonly<Row>[]> {
  return at === undefined ? yield* askRows(table, root) : yield* rowsAt(table, root, at)
}

export const nothingPlanned: Share = { total: 0, done: 0 }

export function* taskShare(root: number, at: number | undefined): Asking<Share> {
  const waves = yield* rowsThere(taskWaves, root, at)
  const sum = (of: 'tasks' | 'done') => waves.reduce((all, wave) => all + wave[of], 0)
  return { total: sum('tasks'), done: sum('done') }
}

export function* checkpointShare(root: number, at: number | undefined): Asking<Share> {
  const all = yield* rowsThere(buildCheckpoints, root, at)
  return { total: all.length, done: all.filter(({ completed_at }) => completed_at !== null).length }
}

/** The phases of the workflow with how they stand. */
export function* phasesThere(root: number, at: number | undefined, spec: WorkflowSpec | undefined) {
  const rows = new Map((yield* rowsThere(phases, root, at)).map((row) => [row.phase, row]))
  return (spec?.phases ?? []).map(({ phase, name, when }) => {
    const row = rows.get(phase)
    return { phase, name, when: when ?? null, state: row?.state ?? 'planned', reason: row?.reason ?? null }
  })
}

export function* lastCheckpoint(root: number, at: number | undefined) {
  const [row] = yield* ask(aboutWorkflow.last_checkpoint, root, at ?? Number.MAX_SAFE_INTEGER)
  return row === undefined ? null : { seq: row.seq, at: isoTime(row.at), why: row.why }
}

/** What waits for a person: of the agents that are shown, and of the root itself. */
export function* needsThere(
  root: number,
  at: number | undefined,
  sessions: readonly SessionFound[],
  agents: readonly AgentThere[],
) {
  const agentIds = new Map(agents.map(({ agent }) => [agent.no, agent.id]))
  const ids = new Map(sessions.map(({ no, id }) => [no, id]))
  const open = (yield* rowsThere(needs, root, at)).filter((row) => row.open !== null)
  return open.map((row) => ({
    need: row.need,
    kind: row.kind,
    session_id: ids.get(row.session) ?? null,
    agent: agentIds.get(row.session) ?? null,
    text: row.text,
    since: isoTime(row.at),
    actions: (row.actions === null ? [] : JSON.parse(row.actions)) as string[],
  }))
}
