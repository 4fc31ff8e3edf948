import { entryId } from '../../../src/domain/journal/numbers.ts'
import { type BlockerRow, blockers } from '../../../src/domain/journal/tables.ts'
import { useMoment } from '../live/moment.tsx'
import type { RootRows } from '../live/root-rows.ts'
import { BlockerActions } from '../needs/need-item.tsx'
import { Failed } from '../parts/notice.tsx'
import { Status } from '../parts/status.tsx'
import { plain } from '../parts/text.tsx'
import { Ago } from '../parts/time.tsx'
import { useAction } from '../session/action.ts'
import { namesByNo } from '../session/agents.ts'

const order = ['active', 'bypassed', 'resolved']

/** What is in the way, and what can be done about it. */
export function Blockers({ rows }: { rows: RootRows }) {
  const all = rows.all(blockers).sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status) || b.seq - a.seq)
  if (all.length === 0) return null
  return (
    <section aria-label="Blockers">
      <h2>
        Blockers <span className="faint">{all.filter(({ status }) => status === 'active').length} active</span>
      </h2>
      <ul className="entries">
        {all.map((row) => (
          <Blocker key={row.blocker} row={row} name={namesByNo(rows).get(row.no)} />
        ))}
      </ul>
    </section>
  )
}

function Blocker({ row, name }: { row: BlockerRow; name: string | undefined }) {
  const { root, at } = useMoment()
  const { run, failure, isPending } = useAction()
  const affects = JSON.parse(row.affects) as string[]
  return (
    <li className={row.status}>
      <div className="need-head">
        <code>{entryId('blocker', row.blocker)}</code>
        <Status status={row.status} />
        <span className="faint">
          {name}, <Ago time={row.at} />
        </span>
      </div>
      <p>{plain(row.text)}</p>
      {affects.length > 0 && <p className="faint">In the way of {plain(affects.join(', '))}</p>}
      {row.workaround !== null && <p>Instead: {plain(row.workaround)}</p>}
      {row.resolution !== null && <p>Resolved: {plain(row.resolution)}</p>}
      {row.status !== 'resolved' && at === undefined && (
        <div className="need-actions">
          <BlockerActions
            session={root}
            blocker={entryId('blocker', row.blocker)}
            isPending={isPending}
            act={async (ask) => void (await run(ask))}
          />
          {failure !== undefined && <Failed failure={failure} />}
        </div>
      )}
    </li>
  )
}
