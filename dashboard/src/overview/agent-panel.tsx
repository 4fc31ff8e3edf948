import { runs } from '../../../src/domain/runs/tables.ts'
import { show } from '../address/navigation.tsx'
import { UsageWords, usageOf } from '../conversations/usage.tsx'
import { useMoment } from '../live/moment.tsx'
import { AsCommand, atFlag } from '../parts/command.tsx'
import { Id, shortId } from '../parts/copy.tsx'
import { Status } from '../parts/status.tsx'
import { LongText, plain } from '../parts/text.tsx'
import { Ago } from '../parts/time.tsx'
import { sessionName, sessionsIn } from '../session/agents.ts'
import { RunActions } from '../session/run-actions.tsx'
import { graphOf } from './agent-graph.ts'

/** One session of the tree: what it is, what it does and what it used. */
export function AgentPanel({ id }: { id: string }) {
  const { rows, at } = useMoment()
  if (rows === undefined) return null
  const row = sessionsIn(rows).find((each) => each.id === id)
  if (row === undefined) return <p className="faint">There was no such agent at this moment.</p>
  const node = graphOf(rows).find((each) => each.row.no === row.no)
  const own = rows.all(runs).filter(({ no }) => no === row.no)
  return (
    <>
      <header className="inspector-head">
        <h2>{node?.name ?? sessionName(row)}</h2>
        <Status status={row.status} reason={row.reason} />
        <button type="button" className="quiet close" onClick={() => show({ agent: undefined })} aria-label="Close">
          ✕
        </button>
      </header>
      {row.reason !== null && <p>{plain(row.reason)}</p>}
      <dl className="facts">
        <dt>id</dt>
        <dd>
          <Id id={row.id} />
        </dd>
        <dt>name</dt>
        <dd>{sessionName(row)}</dd>
        {node?.role !== undefined && (
          <>
            <dt>role</dt>
            <dd>{plain(node.role)}</dd>
          </>
        )}
        <dt>started</dt>
        <dd>
          <Ago time={row.created_at} />
        </dd>
        {row.ended_at !== null && (
          <>
            <dt>ended</dt>
            <dd>
              <Ago time={row.ended_at} />
            </dd>
          </>
        )}
      </dl>
      <LongText text={node?.task ?? row.topic} />
      <UsageWords usage={usageOf(own)} />
      <div className="actions">
        {node?.role !== undefined && (
          <RunActions id={id} name={node.name} status={row.status} hasWorkflow isHeld={node.isHeld} />
        )}
        <button type="button" onClick={() => show({ tab: 'conversations', agent: id, point: undefined }, 'push')}>
          Conversation
        </button>
      </div>
      <AsCommand words={['show', shortId(id), ...atFlag(at)]} />
    </>
  )
}
