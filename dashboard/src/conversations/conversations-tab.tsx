import { streams } from '../../../src/domain/log/tables.ts'
import type { Query } from '../address/address.ts'
import { show } from '../address/navigation.tsx'
import { useMoment } from '../live/moment.tsx'
import type { RootRows } from '../live/root-rows.ts'
import { shortId } from '../parts/copy.tsx'
import { Empty } from '../parts/notice.tsx'
import { StatusShape } from '../parts/status.tsx'
import { type SessionRow, sessionName, sessionsIn } from '../session/agents.ts'
import { Transcript } from './transcript.tsx'

export function versionOf(rows: RootRows, no: number): number {
  return rows.get(streams, `context/${no}`)?.version ?? 0
}

/** What each agent said and was told. */
export function ConversationsTab({ query }: { query: Query }) {
  const { rows, root, at } = useMoment()
  if (rows === undefined) return null
  const talking = sessionsIn(rows).filter(({ no }) => versionOf(rows, no) > 0)
  const all = sessionsIn(rows)
  const chosen = all.find(({ id }) => id === query.agent) ?? talking[0]
  if (chosen === undefined) {
    if (at !== undefined) return <Empty title={`Nobody had said anything after event ${at}`} />
    return (
      <Empty
        title="Nobody has said anything yet"
        command={['context', 'append', shortId(root), '--role', 'user', '--content', 'TEXT']}
      >
        Conversations of agents appear here as they are recorded. <code>cairn setup</code> connects the programs of
        agents.
      </Empty>
    )
  }
  const shown = talking.includes(chosen) ? talking : [...talking, chosen]
  return (
    <div className="conversations">
      <nav className="talkers" aria-label="Conversations">
        <ul>
          {shown.map((row) => (
            <Talker key={row.no} row={row} count={versionOf(rows, row.no)} isChosen={row.no === chosen.no} />
          ))}
        </ul>
      </nav>
      <Transcript key={chosen.id} session={chosen} version={versionOf(rows, chosen.no)} point={query.point} />
    </div>
  )
}

function Talker({ row, count, isChosen }: { row: SessionRow; count: number; isChosen: boolean }) {
  return (
    <li>
      <button type="button" aria-current={isChosen} onClick={() => show({ agent: row.id, point: undefined })}>
        <StatusShape status={row.status} />
        <span className="talker-name">{sessionName(row)}</span>
        <span className="faint">{count}</span>
      </button>
    </li>
  )
}
