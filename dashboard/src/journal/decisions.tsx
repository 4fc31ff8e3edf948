import { useState } from 'react'
import { entryId } from '../../../src/domain/journal/numbers.ts'
import { type DecisionRow, decisions } from '../../../src/domain/journal/tables.ts'
import { show } from '../address/navigation.tsx'
import { useMoment } from '../live/moment.tsx'
import type { RootRows } from '../live/root-rows.ts'
import { AsCommand, atFlag } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { plain } from '../parts/text.tsx'
import { Ago } from '../parts/time.tsx'
import { namesByNo } from '../session/agents.ts'

const shownMax = 200

export function Decisions({ rows }: { rows: RootRows }) {
  const { root, at } = useMoment()
  const [kind, setKind] = useState('')
  const [withOld, setWithOld] = useState(false)
  const all = rows.all(decisions).sort((a, b) => b.decision - a.decision)
  if (all.length === 0) return null
  const kinds = [...new Set(all.map((row) => row.kind))].sort()
  const wanted = all.filter((row) => (kind === '' || row.kind === kind) && (withOld || row.superseded_by === null))
  return (
    <section aria-label="Decisions">
      <div className="section-head">
        <h2>
          Decisions <span className="faint">{wanted.length}</span>
        </h2>
        <select aria-label="Kind of decision" value={kind} onChange={({ target }) => setKind(target.value)}>
          <option value="">all kinds</option>
          {kinds.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <label>
          <input type="checkbox" checked={withOld} onChange={() => setWithOld(!withOld)} /> superseded ones too
        </label>
        <AsCommand words={['decision', 'ls', '--session', shortId(root), ...atFlag(at)]} />
      </div>
      <ul className="entries">
        {wanted.slice(0, shownMax).map((row) => (
          <Decision key={row.decision} row={row} name={namesByNo(rows).get(row.no)} />
        ))}
      </ul>
    </section>
  )
}

function Decision({ row, name }: { row: DecisionRow; name: string | undefined }) {
  const others = (row.alternatives === null ? [] : JSON.parse(row.alternatives)) as { text: string; why_not?: string }[]
  return (
    <li className={row.superseded_by === null ? '' : 'superseded'}>
      <details>
        <summary>
          <code>{entryId('decision', row.decision)}</code> <strong>{plain(row.text)}</strong>{' '}
          <span className="faint">
            {row.kind}
            {row.reversible === 0 && ', irreversible'}
            {row.superseded_by !== null && `, superseded by ${entryId('decision', row.superseded_by)}`}
          </span>
        </summary>
        <dl className="facts">
          <dt>context</dt>
          <dd>{plain(row.context)}</dd>
          <dt>reason</dt>
          <dd>{plain(row.reason)}</dd>
          {others.map(({ text, why_not }) => (
            <div className="fact" key={text}>
              <dt>instead of</dt>
              <dd>
                {plain(text)} {why_not !== undefined && <span className="faint">{plain(why_not)}</span>}
              </dd>
            </div>
          ))}
          <dt>by</dt>
          <dd>
            {name}, <Ago time={row.at} />{' '}
            <button type="button" className="quiet" onClick={() => show({ at: row.seq }, 'push')}>
              event {row.seq}
            </button>
          </dd>
        </dl>
      </details>
    </li>
  )
}
