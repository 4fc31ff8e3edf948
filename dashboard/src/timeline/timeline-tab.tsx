import { useEffect, useMemo, useState } from 'react'
import type { Query } from '../address/address.ts'
import { show } from '../address/navigation.tsx'
import { useMoment } from '../live/moment.tsx'
import { useSignal } from '../live/signal.ts'
import { AsCommand, atFlag } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Failed } from '../parts/notice.tsx'
import { namesByNo, sessionName, sessionsIn } from '../session/agents.ts'
import { EventPages, type Filter, isFiltering } from './event-pages.ts'
import { EventTable } from './event-table.tsx'
import { FoundEvents } from './found-events.tsx'
import { kinds, kindTitles } from './kinds.ts'
import { MarksDiff } from './marks-diff.tsx'

/** Every event of the root on one axis, with who did it. */
export function TimelineTab({ query }: { query: Query }) {
  const { root, at, last, live: liveRoot, rows } = useMoment()
  const pages = useMemo(() => new EventPages(root), [root])
  const [filter, setFilter] = useState<Filter>({ kind: undefined, session: undefined, text: '' })
  useSignal(pages.signal)
  useEffect(() => {
    liveRoot.onEvents = (events) => pages.add(events)
    return () => {
      liveRoot.onEvents = () => undefined
    }
  }, [liveRoot, pages])
  const end = at ?? last
  const names = namesByNo(rows)
  return (
    <div className="tab-body">
      <Filters filter={filter} change={setFilter} />
      {pages.failure !== undefined && <Failed failure={pages.failure} />}
      {query.from !== undefined && query.to !== undefined && <MarksDiff from={query.from} to={query.to} />}
      {isFiltering(filter) ? (
        <FoundEvents pages={pages} filter={filter} end={end} names={names} selected={query.event} />
      ) : (
        <EventTable
          count={end}
          seqOf={(index) => index + 1}
          eventOf={(index) => pages.event(index + 1)}
          names={names}
          selected={query.event === undefined ? undefined : query.event - 1}
          select={(index) => show({ event: index + 1, key: undefined })}
        />
      )}
      <div className="tools">
        <AsCommand words={['log', '--session', shortId(root), ...atFlag(at)]} />
      </div>
    </div>
  )
}

function Filters({ filter, change }: { filter: Filter; change: (filter: Filter) => void }) {
  const { rows } = useMoment()
  const all = rows === undefined ? [] : sessionsIn(rows)
  return (
    <div className="tools">
      <input
        type="search"
        aria-label="Filter events"
        placeholder="Filter by type, key, text"
        value={filter.text}
        onChange={({ target }) => change({ ...filter, text: target.value })}
      />
      <label>
        About{' '}
        <select
          value={filter.kind ?? ''}
          onChange={({ target }) => change({ ...filter, kind: kinds.find((kind) => kind === target.value) })}
        >
          <option value="">everything</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {kindTitles[kind]}
            </option>
          ))}
        </select>
      </label>
      <label>
        By{' '}
        <select
          value={filter.session ?? ''}
          onChange={({ target }) =>
            change({ ...filter, session: target.value === '' ? undefined : Number(target.value) })
          }
        >
          <option value="">everybody</option>
          {all.map((row) => (
            <option key={row.no} value={row.no}>
              {sessionName(row)}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}
