import type { ReportCost } from '../../../domain/journal/report/report.ts'
import { type Asking, ask } from '../../../domain/log/questions.ts'
import { oneRowThen, rowThen } from '../../../domain/log/row-past.ts'
import { aboutLog } from '../../../domain/log/sql/about-log.ts'
import type { RunUsage } from '../../../domain/runs/facts.ts'
import { type RunRow, runs } from '../../../domain/runs/tables.ts'
import { most, type Span } from './span.ts'

/** A run as it was at the end of a span, and the event that left it so. */
export interface RunThen extends RunRow {
  readonly seq: number
}

/** The runs that anything was told of within a span, the newest first, and how many more there are. */
export function* runsWithin({ root, since, last }: Span): Asking<{ runs: RunThen[]; leftOut: number }> {
  const rows = yield* ask(aboutLog.rows_changed, root, runs.name, since, last, most.runs)
  const there = rows.map(({ seq, row }) => ({ ...rowThen(runs, undefined, row), root, seq }))
  return { runs: there, leftOut: Number(rows[0]?.total ?? 0) - rows.length }
}

const figures = ['input_tokens', 'output_tokens', 'cached_tokens', 'usd'] as const

/** What they used within it: of one that began before, what it had used by then does not count. */
export function* costWithin({ root, since }: Span, all: readonly RunThen[]): Asking<ReportCost> {
  const cost = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, usd: 0 }
  let [used, silent, told] = [0, 0, 0]
  for (const run of all) {
    const now = usageOf(run)
    if (Object.keys(now).length === 0) continue
    const before = usageOf(since === 0 ? undefined : yield* oneRowThen(runs, root, [run.no, run.run], since))
    for (const each of figures) cost[each] += Math.max(0, (now[each] ?? 0) - (before[each] ?? 0))
    used += 1
    if (now.usd === undefined) silent += 1
    else told += 1
  }
  // Sums of cents come with digits that no cent has.
  const usd = told === 0 ? null : Math.round(cost.usd * 1e6) / 1e6
  return { ...cost, usd, runs: used, runs_without_usd: silent }
}

function usageOf(run: Pick<RunRow, 'usage'> | undefined): RunUsage {
  return run?.usage ? (JSON.parse(run.usage) as RunUsage) : {}
}
