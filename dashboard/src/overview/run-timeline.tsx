import { type RunRow, runs } from '../../../src/domain/runs/tables.ts'
import { show } from '../address/navigation.tsx'
import { useMoment } from '../live/moment.tsx'
import type { RootRows } from '../live/root-rows.ts'
import { exact, lasting, useNow } from '../parts/time.tsx'
import { sessionName, sessionsIn } from '../session/agents.ts'

/** Who ran when: one line for each agent, one bar for each of its runs. */
export function RunTimeline({ rows, selected }: { rows: RootRows; selected: string | undefined }) {
  const { at } = useMoment()
  const now = useNow()
  const all = rows.all(runs)
  const begin = Math.min(...all.map(({ started_at }) => started_at))
  const known = Math.max(...all.map(({ started_at, ended_at }) => ended_at ?? started_at))
  const isOpen = all.some(({ ended_at }) => ended_at === null)
  const end = Math.max(begin + 1, isOpen && at === undefined ? Math.max(now, known) : known)
  const byAgent = Map.groupBy(all, ({ no }) => no)
  return (
    <div className="runs">
      <p className="runs-scale faint">
        <span>{exact(begin).slice(0, 19)}</span>
        <span>{lasting(end - begin)}</span>
      </p>
      <ul>
        {sessionsIn(rows).flatMap((row) => {
          const own = byAgent.get(row.no)
          if (own === undefined) return []
          return [
            <li key={row.no} className={row.id === selected ? 'chosen' : ''}>
              <button
                type="button"
                className="quiet runs-name"
                onClick={() => show({ agent: row.id, key: undefined, event: undefined })}
              >
                {sessionName(row)}
              </button>
              <span className="runs-track">
                {own.map((run) => (
                  <Bar key={run.run} run={run} begin={begin} end={end} />
                ))}
              </span>
            </li>,
          ]
        })}
      </ul>
    </div>
  )
}

function Bar({ run, begin, end }: { run: RunRow; begin: number; end: number }) {
  const { started_at, ended_at, how, reason, adapter, model } = run
  const share = (time: number) => ((time - begin) / (end - begin)) * 100
  const upto = ended_at ?? end
  const words = [
    how ?? 'running',
    reason,
    [adapter, model].filter(Boolean).join(' '),
    `from ${exact(started_at)}`,
    `for ${lasting(upto - started_at)}`,
  ]
  return (
    <span
      role="img"
      className={`bar ${how ?? 'running'}`}
      style={{ left: `${share(started_at)}%`, width: `max(4px, ${share(upto) - share(started_at)}%)` }}
      title={words.filter(Boolean).join('\n')}
      aria-label={words.filter(Boolean).join(', ')}
    />
  )
}
