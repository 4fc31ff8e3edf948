import { useState } from 'react'
import { go } from '../address/navigation.tsx'
import { cairn, type Failure, failureOf } from '../live/calls.ts'
import { useMoment } from '../live/moment.tsx'
import { AsCommand } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Failed } from '../parts/notice.tsx'

/** A fork at the moment that is looked at. */
export function ForkDialog({ close, at: given }: { close: () => void; at?: number }) {
  const { root, at: shown, last } = useMoment()
  const at = given ?? shown ?? last
  const [state, setState] = useState<'asked' | 'pending' | Failure>('asked')
  const fork = async () => {
    setState('pending')
    try {
      const { session_id } = await cairn.session.fork({ session: root, at })
      close()
      go({ page: 'session', root: session_id, tab: 'state', query: {} })
    } catch (error) {
      setState(failureOf(error))
    }
  }
  return (
    <Dialog title={`Fork after event ${at}`} close={close}>
      <p>
        A new session is made with everything as it was after event {at}: state, conversations, plan. This one stays as
        it is, and neither hears of what happens in the other.
      </p>
      <AsCommand words={['fork', shortId(root), '--at', String(at)]} />
      {typeof state === 'object' && <Failed failure={state} />}
      <div className="dialog-actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" className="main" onClick={fork} disabled={state === 'pending'}>
          {state === 'pending' ? 'Forking…' : 'Fork'}
        </button>
      </div>
    </Dialog>
  )
}
