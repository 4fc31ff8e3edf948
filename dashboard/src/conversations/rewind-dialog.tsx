import { useState } from 'react'
import { cairn, type Failure, failureOf } from '../live/calls.ts'
import { AsCommand } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Failed } from '../parts/notice.tsx'
import { type SessionRow, sessionName } from '../session/agents.ts'

interface RewindDialogProps {
  readonly session: SessionRow
  readonly point: number
  readonly close: () => void
}

/** Hides what was said after a point, with the state as it was then where that is wanted. */
export function RewindDialog({ session, point, close }: RewindDialogProps) {
  const [withState, setWithState] = useState(false)
  const [state, setState] = useState<'asked' | 'pending' | Failure>('asked')
  const rewind = async () => {
    setState('pending')
    try {
      const with_state = withState ? { with_state: true } : {}
      await cairn.context.overwrite({ session: session.id, from_point: point, ...with_state })
      close()
    } catch (error) {
      setState(failureOf(error))
    }
  }
  return (
    <Dialog title={`Rewind ${sessionName(session)} to message ${point}`} close={close}>
      <p>
        What was said after message {point} is hidden from the agent when it goes on. Nothing is deleted: it stays in
        the log and is shown here as hidden.
      </p>
      <label>
        <input type="checkbox" checked={withState} onChange={() => setWithState(!withState)} /> Also put the shared
        state back to what it was then
      </label>
      <AsCommand
        words={['rewind', shortId(session.id), '--to-point', String(point), ...(withState ? ['--with-state'] : [])]}
      />
      {typeof state === 'object' && <Failed failure={state} />}
      <div className="dialog-actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" className="danger" onClick={rewind} disabled={state === 'pending'}>
          {state === 'pending' ? 'Rewinding…' : 'Rewind'}
        </button>
      </div>
    </Dialog>
  )
}
