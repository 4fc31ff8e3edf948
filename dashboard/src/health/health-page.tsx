import { useState } from 'react'
import { cairn, type Failure, failureOf } from '../live/calls.ts'
import { live } from '../live/live.ts'
import { useSignal } from '../live/signal.ts'
import { AsCommand } from '../parts/command.tsx'
import { Failed } from '../parts/notice.tsx'
import { Status } from '../parts/status.tsx'
import { plain } from '../parts/text.tsx'
import { Ago } from '../parts/time.tsx'

/** Whether anything is wrong with the server and its store. */
export function HealthPage() {
  useSignal(live.line)
  useSignal(live.roots.signal)
  const { about } = live
  return (
    <div className="page">
      <h1>Health</h1>
      <section aria-label="Server">
        <h2>Server</h2>
        {about !== undefined && (
          <dl className="facts">
            <dt>version</dt>
            <dd>{about.version}</dd>
            <dt>store</dt>
            <dd>{about.store}</dd>
            <dt>started</dt>
            <dd>
              <Ago time={about.started_at} />
            </dd>
            <dt>feed</dt>
            <dd>{live.lineState}</dd>
            <dt>sessions</dt>
            <dd>{live.roots.list().length}</dd>
            <dt>editing values</dt>
            <dd>{about.edits ? 'allowed' : 'not allowed (dashboardEdits in config.json)'}</dd>
          </dl>
        )}
        <p>
          <a href="/metrics">Metrics</a> · <a href="/docs">HTTP interface</a>
        </p>
      </section>
      <Doctor />
    </div>
  )
}

interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

function Doctor() {
  const [found, setFound] = useState<readonly Check[] | 'asked' | Failure>()
  const examine = async () => {
    setFound('asked')
    try {
      setFound((await cairn.store.doctor({})).checks as readonly Check[])
    } catch (error) {
      setFound(failureOf(error))
    }
  }
  const isWaiting = found === 'asked'
  return (
    <section aria-label="Doctor">
      <div className="section-head">
        <h2>Doctor</h2>
        <AsCommand words={['doctor']} />
      </div>
      <p>Proves that what is shown equals a replay of the log. In a large store this takes a while.</p>
      <p>
        <button type="button" onClick={examine} disabled={isWaiting}>
          {isWaiting ? 'Checking…' : 'Check the store'}
        </button>
      </p>
      {Array.isArray(found) && (
        <ul className="entries" aria-label="Checks">
          {(found as readonly Check[]).map(({ name, ok, detail }) => (
            <li key={name} className="check">
              <Status status={ok ? 'done' : 'failed'} /> <strong>{name}</strong> <span>{plain(String(detail))}</span>
            </li>
          ))}
        </ul>
      )}
      {typeof found === 'object' && 'message' in found && <Failed failure={found} again={() => void examine()} />}
    </section>
  )
}
