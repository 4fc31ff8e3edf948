import { useState } from 'react'
import { workflows } from '../../../src/domain/workflow/tables.ts'
import { show } from '../address/navigation.tsx'
import { useMoment } from '../live/moment.tsx'
import { AsCommand, atFlag } from '../parts/command.tsx'
import { Id, shortId } from '../parts/copy.tsx'
import { Status } from '../parts/status.tsx'
import { plain } from '../parts/text.tsx'
import { Ago } from '../parts/time.tsx'
import { sessionsIn } from './agents.ts'
import { ForkDialog } from './fork-dialog.tsx'
import { Progress } from './progress.tsx'
import { RunActions } from './run-actions.tsx'

export function SessionHeader() {
  const { rows, root, at, last, isThere } = useMoment()
  const [isForking, setForking] = useState(false)
  if (rows === undefined) return null
  const [own, ...agents] = sessionsIn(rows)
  if (own === undefined) return null
  const title = plain(own.topic)
  const hasWorkflow = rows.all(workflows).length > 0
  return (
    <header className="session-head">
      {at !== undefined && <PastNotice at={at} last={last} isThere={isThere} />}
      <div className="session-title">
        <h1 title={title}>{title}</h1>
        <Status status={own.status} reason={own.reason} />
        <Id id={root} what="the id of the session" />
        <div className="actions">
          <RunActions id={root} name={title} status={own.status} hasWorkflow={hasWorkflow} />
          <button type="button" onClick={() => setForking(true)}>
            Fork…
          </button>
        </div>
      </div>
      <p className="session-facts faint">
        {own.objective !== null && <span>{plain(own.objective)}</span>}
        <span>{agents.length === 1 ? '1 agent' : `${agents.length} agents`}</span>
        <span>
          started <Ago time={own.created_at} />
        </span>
        <span>event {rows.seq}</span>
        <Progress />
      </p>
      <AsCommand words={['show', shortId(root), ...atFlag(at)]} />
      {isForking && <ForkDialog close={() => setForking(false)} />}
    </header>
  )
}

function PastNotice({ at, last, isThere }: { at: number; last: number; isThere: boolean }) {
  return (
    <p className="past-notice" role="status">
      {isThere ? `As it was after event ${at} of ${last}. Nothing can be changed here.` : `Reading event ${at}…`}{' '}
      <button type="button" onClick={() => show({ at: undefined })}>
        Go to now
      </button>
    </p>
  )
}
