import { useState } from 'react'
import { Link } from '../address/navigation.tsx'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import { useMoment } from '../live/moment.tsx'
import { AsCommand } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Empty, Failed, Waiting } from '../parts/notice.tsx'
import { Status } from '../parts/status.tsx'
import { plain } from '../parts/text.tsx'
import { Ago } from '../parts/time.tsx'
import { ForkDiff } from './fork-diff.tsx'

interface Fork {
  readonly session_id: string | null
  readonly topic: string | null
  readonly status: string
  readonly updated_at: string | null
  readonly at: number
  readonly forks: readonly Fork[]
}

/** Where this session comes from, and what was forked from it: after which event, and what differs now. */
export function ForksTab() {
  const { root } = useMoment()
  const read = useAsked(`${root} forks`, () => cairn.session.tree({ session: root, forks: true }))
  const [compared, setCompared] = useState<string>()
  if (read.failure !== undefined) return <Failed failure={read.failure} again={read.again} />
  if (read.answer === undefined) return <Waiting what="the forks" />
  const { forked_from: origin } = read.answer
  const forks = (read.answer.forks ?? []) as unknown as readonly Fork[]
  return (
    <div className="overview">
      <div className="section-head">
        <h2>Forks</h2>
        <button type="button" onClick={read.again}>
          Look again
        </button>
        <AsCommand words={['tree', shortId(root), '--forks']} />
      </div>
      {origin !== undefined && <Origin id={origin.session_id} at={origin.at} compare={setCompared} />}
      {forks.length === 0 && origin === undefined ? (
        <Empty title="There are no forks of this session" command={['fork', shortId(root), '--at', 'N']}>
          A fork is a new session with everything as it was after an event. It can also be made at any moment with Fork
          above.
        </Empty>
      ) : (
        <Forks forks={forks} compare={setCompared} />
      )}
      {compared !== undefined && <ForkDiff key={compared} other={compared} close={() => setCompared(undefined)} />}
    </div>
  )
}

type Compare = (id: string) => void

function Origin({ id, at, compare }: { id: string | null; at: number; compare: Compare }) {
  return (
    <p>
      Forked after event {at} from{' '}
      {id === null ? (
        'a session that was removed'
      ) : (
        <>
          <Link to={{ page: 'session', root: id, tab: 'timeline', query: { event: at } }}>{shortId(id)}</Link>{' '}
          <button type="button" onClick={() => compare(id)}>
            What differs
          </button>
        </>
      )}
    </p>
  )
}

function Forks({ forks, compare }: { forks: readonly Fork[]; compare: Compare }) {
  return (
    <ul className="forks">
      {forks.map((fork) => (
        <li key={`${fork.session_id} ${fork.at}`}>
          <div className="fork">
            <span className="fork-at faint">after event {fork.at}</span>
            {fork.session_id === null ? (
              <span className="faint">removed</span>
            ) : (
              <>
                <Status status={fork.status} />
                <Link to={{ page: 'session', root: fork.session_id, tab: 'forks', query: {} }}>
                  {plain(fork.topic ?? '')} <code>{shortId(fork.session_id)}</code>
                </Link>
                {fork.updated_at !== null && (
                  <span className="faint">
                    <Ago time={fork.updated_at} />
                  </span>
                )}
                <button type="button" onClick={() => compare(fork.session_id as string)}>
                  What differs
                </button>
              </>
            )}
          </div>
          {fork.forks.length > 0 && <Forks forks={fork.forks} compare={compare} />}
        </li>
      ))}
    </ul>
  )
}
