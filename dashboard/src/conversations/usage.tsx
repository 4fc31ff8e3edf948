import type { RunUsage } from '../../../src/domain/runs/facts.ts'
import type { RunRow } from '../../../src/domain/runs/tables.ts'

export interface Usage {
  readonly runs: number
  readonly input: number
  readonly output: number
  readonly usd: number
  /** Of the last run: the share of its context that is in use. */
  readonly context: number | undefined
}

/** What runs have used: of each its last figures count, and those of different runs add up. */
export function usageOf(rows: readonly RunRow[]): Usage {
  const used = rows.map(({ usage }) => (usage === null ? {} : JSON.parse(usage)) as RunUsage)
  const sum = (name: 'input_tokens' | 'output_tokens' | 'usd') => used.reduce((all, each) => all + (each[name] ?? 0), 0)
  const newest = rows.toSorted((a, b) => a.started_at - b.started_at).at(-1)
  const last = newest === undefined ? undefined : used[rows.indexOf(newest)]
  return {
    runs: rows.length,
    input: sum('input_tokens'),
    output: sum('output_tokens'),
    usd: sum('usd'),
    context: last?.context_usage,
  }
}

export function tokens(count: number): string {
  if (count < 1000) return String(count)
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

export function UsageWords({ usage: { runs, input, output, usd, context } }: { usage: Usage }) {
  if (runs === 0) return null
  return (
    <span className="usage faint">
      <span>{runs === 1 ? '1 run' : `${runs} runs`}</span>
      {input + output > 0 && (
        <span title={`${input} tokens read, ${output} written`}>
          {tokens(input)} in, {tokens(output)} out
        </span>
      )}
      {usd > 0 && <span>${usd.toFixed(2)}</span>}
      {context !== undefined && (
        <span className="context-use">
          context{' '}
          <meter min={0} max={1} high={0.8} value={context} aria-label="Context in use">
            {Math.round(context * 100)} %
          </meter>{' '}
          {Math.round(context * 100)} %
        </span>
      )}
    </span>
  )
}
