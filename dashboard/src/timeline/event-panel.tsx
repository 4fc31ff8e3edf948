import { useState } from 'react'
import type { Json } from '../../../src/json/value.ts'
import type { Query } from '../address/address.ts'
import { show } from '../address/navigation.tsx'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import { useMoment } from '../live/moment.tsx'
import { AsCommand } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { Failed, Waiting } from '../parts/notice.tsx'
import { plain } from '../parts/text.tsx'
import { exact } from '../parts/time.tsx'
import { namesByNo, sessionsIn } from '../session/agents.ts'
import { ForkDialog } from '../session/fork-dialog.tsx'
import type { EventShown } from './event-words.ts'

/** One event: all that the log says of it, and what can be done with its moment. */
export function EventPanel({ seq, query }: { seq: number; query: Query }) {
  const { root } = useMoment()
  const read = useAsked(`${root} event ${seq}`, () => cairn.log.list({ session: root, since: seq - 1, limit: 1 }))
  const event = (read.answer?.events as unknown as EventShown[] | undefined)?.[0]
  return (
    <>
      <header className="inspector-head">
        <h2>Event {seq}</h2>
        <button type="button" className="quiet close" onClick={() => show({ event: undefined })} aria-label="Close">
          ✕
        </button>
      </header>
      <MomentActions seq={seq} query={query} />
      {read.failure !== undefined && <Failed failure={read.failure} again={read.again} />}
      {event === undefined && read.failure === undefined && <Waiting what="the event" />}
      {event !== undefined && <Facts event={event} />}
      <AsCommand words={['log', '--since', String(seq - 1), '--limit', '1', '--session', shortId(root)]} />
    </>
  )
}

function MomentActions({ seq, query }: { seq: number; query: Query }) {
  const [isForking, setForking] = useState(false)
  return (
    <div className="actions">
      <button type="button" onClick={() => show({ at: seq }, 'push')}>
        Show this moment
      </button>
      <button type="button" onClick={() => show({ from: seq })} aria-pressed={query.from === seq}>
        Compare from here
      </button>
      <button type="button" onClick={() => show({ to: seq })} aria-pressed={query.to === seq}>
        Compare to here
      </button>
      <button type="button" onClick={() => setForking(true)}>
        Fork from here…
      </button>
      {isForking && <ForkDialog at={seq} close={() => setForking(false)} />}
    </div>
  )
}

function Facts({ event }: { event: EventShown }) {
  const { rows } = useMoment()
  const { type, stream, version, key, session_no, actor, at, request, cause, hash, data } = event
  const cause_ = cause as { run?: string; call?: string } | null
  return (
    <>
      <dl className="facts">
        <dt>what</dt>
        <dd>{type}</dd>
        <dt>when</dt>
        <dd>{exact(at)}</dd>
        <dt>by</dt>
        <dd>
          {namesByNo(rows).get(session_no) ?? `session ${session_no}`} <span className="faint">({plain(actor)})</span>
        </dd>
        {cause_?.run !== undefined && <Fact name="in run" text={cause_.run} />}
        {cause_?.call !== undefined && <Fact name="by call" text={cause_.call} />}
        <dt>stream</dt>
        <dd>
          {stream}, version {version}
        </dd>
        {request !== null && <Fact name="request" text={request} />}
        <Fact name="hash" text={hash.slice(0, 16)} />
      </dl>
      <Where event={event} />
      {key !== null && <h3>{plain(key)}</h3>}
      {data === null ? <p className="faint">Its content is not here.</p> : <JsonTree value={data as Json} />}
    </>
  )
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <code>{plain(text)}</code>
      </dd>
    </>
  )
}

/** From an event to the key it changed, or to the message it is. */
function Where({ event: { stream, key, version } }: { event: EventShown }) {
  const { rows } = useMoment()
  const no = /^context\/(\d+)$/.exec(stream)?.[1]
  const agent = no === undefined ? undefined : rows && sessionsIn(rows).find((row) => row.no === Number(no))?.id
  if (stream === 'state' && key !== null) {
    return (
      <button type="button" className="quiet" onClick={() => show({ tab: 'state', key, event: undefined }, 'push')}>
        Show this key
      </button>
    )
  }
  if (agent === undefined) return null
  return (
    <button
      type="button"
      className="quiet"
      onClick={() => show({ tab: 'conversations', agent, point: version, event: undefined }, 'push')}
    >
      Show it in its conversation
    </button>
  )
}
