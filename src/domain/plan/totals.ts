import type { Rows } from '../log/rows.ts'
import { type PlanTotalsRow, planTotals } from './tables.ts'

export function totalsOf(rows: Rows): PlanTotalsRow {
  return rows.get(planTotals) ?? { root: rows.root, phases: 0, tasks: 0, checkpoints: 0 }
}

export function countOne(rows: Rows, what: 'phases' | 'tasks' | 'checkpoints'): void {
  const totals = totalsOf(rows)
  rows.put(planTotals, { ...totals, [what]: totals[what] + 1 })
}
