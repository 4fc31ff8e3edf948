import { useEffect, useState } from 'react'
import { Refusal } from '../../../src/json/refusal.ts'
import { type Json, readJson } from '../../../src/json/value.ts'
import { cairn, type Failure, failureOf } from '../live/calls.ts'
import type { KeyShown } from '../live/keys.ts'
import { useMoment } from '../live/moment.tsx'
import { AsCommand } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { Failed } from '../parts/notice.tsx'
import { useWhole } from './key-panel.tsx'

export function KeyActions({ found }: { found: KeyShown }) {
  const [doing, setDoing] = useState<'edit' | 'delete' | undefined>()
  const { value } = useWhole(found, undefined)
  const close = () => setDoing(undefined)
  return (
    <div className="actions">
      <button type="button" onClick={() => setDoing('edit')} disabled={value === undefined}>
        Edit…
      </button>
      <button type="button" onClick={() => setDoing('delete')}>
        Delete…
      </button>
      {doing === 'edit' && value !== undefined && <Edit found={found} value={value} close={close} />}
      {doing === 'delete' && <Delete found={found} close={close} />}
    </div>
  )
}

/** Writes against the version that was shown: whoever was faster is not overwritten unseen. */
function Edit({ found, value, close }: { found: KeyShown; value: Json; close: () => void }) {
  const { root } = useMoment()
  const [text, setText] = useState(() => JSON.stringify(value, null, 2))
  const [version, setVersion] = useState(found.version)
  const [failure, setFailure] = useState<Failure>()
  const [saved, setSaved] = useState<number>()
  const read = readJson(text)
  const isJson = !(read instanceof Refusal)
  // An action is done when the feed says so.
  useEffect(() => {
    if (saved !== undefined && found.version >= saved) close()
  }, [saved, found.version, close])
  const save = async () => {
    if (read instanceof Refusal) return
    setFailure(undefined)
    try {
      const made = await cairn.state.set({ session: root, key: found.key, value: read, version })
      setSaved(made.version)
    } catch (error) {
      setFailure(failureOf(error))
    }
  }
  const conflict = failure?.code === 'version_conflict' ? failure.details : undefined
  return (
    <Dialog title={`Edit ${found.key}`} close={close} className="wide">
      <div className={conflict === undefined ? '' : 'side-by-side'}>
        <label>
          Your value, instead of version {version}
          <textarea value={text} onChange={({ target }) => setText(target.value)} rows={14} spellCheck={false} />
        </label>
        {conflict !== undefined && (
          <section aria-label="The value now">
            <p>
              <strong>Somebody else changed it meanwhile.</strong> It is at version {String(conflict.current_version)}{' '}
              now:
            </p>
            <JsonTree value={(conflict.current_value ?? null) as Json} />
            <button type="button" onClick={() => setVersion(Number(conflict.current_version))}>
              Replace that version with yours
            </button>
          </section>
        )}
      </div>
      {!isJson && <p role="alert">{read.message}</p>}
      {failure !== undefined && conflict === undefined && <Failed failure={failure} />}
      <AsCommand
        words={[
          'state',
          'set',
          found.key,
          isJson ? JSON.stringify(read) : text,
          '--version',
          String(version),
          '--session',
          shortId(root),
        ]}
      />
      <div className="dialog-actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" className="main" onClick={save} disabled={!isJson || saved !== undefined}>
          {saved === undefined ? 'Save' : 'Saving…'}
        </button>
      </div>
    </Dialog>
  )
}

function Delete({ found, close }: { found: KeyShown; close: () => void }) {
  const { root } = useMoment()
  const [failure, setFailure] = useState<Failure>()
  const remove = async () => {
    try {
      await cairn.state.delete({ session: root, key: found.key, version: found.version })
      close()
    } catch (error) {
      setFailure(failureOf(error))
    }
  }
  return (
    <Dialog title={`Delete ${found.key}`} close={close}>
      <p>Agents that read this key find nothing from then on. Its history stays, and it can be set again.</p>
      <AsCommand
        words={['state', 'delete', found.key, '--version', String(found.version), '--session', shortId(root)]}
      />
      {failure !== undefined && <Failed failure={failure} />}
      <div className="dialog-actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" className="danger" onClick={remove}>
          Delete
        </button>
      </div>
    </Dialog>
  )
}
