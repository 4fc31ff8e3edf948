import { useState } from 'react'
import { cairn } from '../live/calls.ts'
import { useMoment } from '../live/moment.tsx'
import { AsCommand } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Failed } from '../parts/notice.tsx'
import { useAction } from './action.ts'

type Verb = 'start' | 'pause' | 'resume' | 'retry' | 'cancel'

const titles: Readonly<Record<Verb, string>> = {
  start: 'Start',
  pause: 'Pause',
  resume: 'Resume',
  retry: 'Retry',
  cancel: 'Cancel',
}

/** What each of them means, for whoever is about to do it. */
const consequences: Readonly<Record<Verb, string>> = {
  start: 'Its agents are started in the order of the workflow, by the server that runs it.',
  pause: 'What runs stands still or is interrupted, and nothing new is started until it is resumed.',
  resume: 'What was paused or interrupted goes on where it stopped. Agents that cost money may be started again.',
  retry: 'What failed or was cancelled is run again, from its beginning.',
  cancel:
    'All that still runs below it is stopped, and what was not begun is not started. It can be retried, not undone.',
}

/** What can be done from where it stands. */
const possible: Readonly<Record<string, readonly Verb[]>> = {
  created: ['start', 'cancel'],
  running: ['pause', 'cancel'],
  paused: ['resume', 'cancel'],
  resumable: ['resume', 'cancel'],
  failed: ['retry'],
  cancelled: ['retry'],
  skipped: ['retry'],
}

interface RunActionsProps {
  /** The session it is done to. */
  readonly id: string
  readonly name: string
  readonly status: string
  /** Whether there is something to start. */
  readonly hasWorkflow: boolean
  /** It was paused by a person. */
  readonly isHeld?: boolean
}

/** Pause, resume, cancel and what else can be done; nothing of it in the past. */
export function RunActions({ id, name, status, hasWorkflow, isHeld = false }: RunActionsProps) {
  const { at } = useMoment()
  const [asked, setAsked] = useState<Verb>()
  if (at !== undefined) return null
  const verbs = (possible[status] ?? []).filter((verb) => hasWorkflow || !['start', 'retry'].includes(verb))
  const shown = isHeld ? verbs.map((verb): Verb => (verb === 'pause' ? 'resume' : verb)) : verbs
  return (
    <>
      {shown.map((verb) => (
        <button key={verb} type="button" onClick={() => setAsked(verb)}>
          {titles[verb]}…
        </button>
      ))}
      {asked !== undefined && <Ask verb={asked} id={id} name={name} close={() => setAsked(undefined)} />}
    </>
  )
}

function Ask({ verb, id, name, close }: { verb: Verb; id: string; name: string; close: () => void }) {
  const { run, failure, isPending } = useAction()
  const act = async () => {
    if (await run(() => cairn.session[verb]({ session: id }))) close()
  }
  return (
    <Dialog title={`${titles[verb]} ${name}`} close={close}>
      <p>{consequences[verb]}</p>
      <AsCommand words={[verb, shortId(id)]} />
      {failure !== undefined && <Failed failure={failure} />}
      <div className="dialog-actions">
        <button type="button" onClick={close}>
          {verb === 'cancel' ? 'Leave it' : 'Close'}
        </button>
        <button type="button" className={verb === 'cancel' ? 'danger' : 'main'} onClick={act} disabled={isPending}>
          {isPending ? 'Pending…' : titles[verb]}
        </button>
      </div>
    </Dialog>
  )
}
