import { specOf } from '../../../src/domain/workflow/agent.ts'
import { agentProgress, agents } from '../../../src/domain/workflow/tables.ts'
import type { RootRows } from '../live/root-rows.ts'
import { type SessionRow, sessionName, sessionsIn } from '../session/agents.ts'

/** An agent as the graph shows it. */
export interface Node {
  readonly row: SessionRow
  readonly name: string
  readonly role: string | undefined
  readonly task: string | undefined
  readonly phase: number | undefined
  readonly attempts: number
  /** Why it waits, if it does. */
  readonly parked: string | undefined
  /** A person wants it to stand still. */
  readonly isHeld: boolean
  readonly column: number
  readonly line: number
  /** The sessions that come before it: its dependencies, or its parent. */
  readonly before: readonly number[]
}

/** Agents in columns: each stands behind all that it depends on; sessions that depend on nothing, behind their parent. */
export function graphOf(rows: RootRows): Node[] {
  const all = sessionsIn(rows).filter(({ no }) => no > 0)
  const described = new Map(rows.all(agents).map((agent) => [agent.no, specOf(agent)]))
  const byId = new Map(rows.all(agents).map(({ id, no }) => [id, no]))
  const before = new Map<number, readonly number[]>()
  for (const { no, parent_no } of all) {
    const needed = (described.get(no)?.depends_on ?? []).flatMap((id) => byId.get(id) ?? [])
    before.set(no, needed.length > 0 || parent_no === null || parent_no === 0 ? needed : [parent_no])
  }
  const columns = new Map<number, number>()
  const columnOf = (no: number, seen: ReadonlySet<number>): number => {
    const known = columns.get(no)
    if (known !== undefined) return known
    const needed = (before.get(no) ?? []).filter((each) => !seen.has(each))
    const column = needed.reduce((most, each) => Math.max(most, columnOf(each, new Set([...seen, no])) + 1), 0)
    columns.set(no, column)
    return column
  }
  const taken = new Map<number, number>()
  return all.map((row) => {
    const column = columnOf(row.no, new Set())
    const line = taken.get(column) ?? 0
    taken.set(column, line + 1)
    const spec = described.get(row.no)
    const progress = rows.get(agentProgress, row.no)
    const { why } = (progress?.parked ? JSON.parse(progress.parked) : {}) as { why?: string }
    return {
      row,
      name: spec?.id ?? sessionName(row),
      role: spec?.role,
      task: spec?.task,
      phase: spec?.phase,
      attempts: progress?.attempts ?? 0,
      parked: row.status === 'resumable' ? why : undefined,
      isHeld: progress?.held === 1,
      column,
      line,
      before: before.get(row.no) ?? [],
    }
  })
}
