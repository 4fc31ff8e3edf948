import { entryId } from '../../../src/domain/journal/numbers.ts'
import { runs, sittings } from '../../../src/domain/runs/tables.ts'
import type { RootRows } from '../live/root-rows.ts'
import { Status } from '../parts/status.tsx'
import { plain } from '../parts/text.tsx'
import { Ago, lasting } from '../parts/time.tsx'
import { namesByNo } from '../session/agents.ts'

/** When people and agents sat down to it, and how each time ended. */
export function Sittings({ rows }: { rows: RootRows }) {
  const all = rows.all(sittings).sort((a, b) => b.sitting - a.sitting)
  if (all.length === 0) return null
  const names = namesByNo(rows)
  return (
    <section aria-label="Sittings">
      <h2>
        Sittings <span className="faint">{all.length}</span>
      </h2>
      <ul className="entries">
        {all.slice(0, 100).map(({ sitting, no, run: name, handoff }) => {
          const run = rows.get(runs, no, name)
          return (
            <li key={sitting} className="need-head">
              <code>{entryId('sitting', sitting)}</code>
              <Status status={run?.how ?? 'running'} reason={run?.reason} />
              <span>{names.get(no)}</span>
              {run !== undefined && (
                <span className="faint">
                  <Ago time={run.started_at} />
                  {run.ended_at !== null && `, for ${lasting(run.ended_at - run.started_at)}`}
                </span>
              )}
              {handoff !== null && <span className="faint">{plain(String(handoff))}</span>}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
