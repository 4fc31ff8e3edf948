import type { JsonChange } from '../../../src/json/diff.ts'
import { show } from '../address/navigation.tsx'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import { useMoment } from '../live/moment.tsx'
import { Changes } from '../parts/changes.tsx'
import { AsCommand } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Failed, Waiting } from '../parts/notice.tsx'

/** What differs in the shared state between two events. */
export function MarksDiff({ from, to }: { from: number; to: number }) {
  const { root } = useMoment()
  const read = useAsked(`${root} ${from} ${to}`, () => cairn.state.diff({ session: root, from, to }))
  const changes = read.answer?.changes as readonly (JsonChange & { key: string })[] | undefined
  return (
    <section className="marks-diff" aria-label={`What changed from event ${from} to event ${to}`}>
      <header className="marks-head">
        <h3>
          State after event {from} → after event {to}
        </h3>
        <AsCommand words={['state', 'diff', String(from), String(to), '--session', shortId(root)]} />
        <button
          type="button"
          className="quiet close"
          onClick={() => show({ from: undefined, to: undefined })}
          aria-label="Close the comparison"
        >
          ✕
        </button>
      </header>
      {read.failure !== undefined && <Failed failure={read.failure} again={read.again} />}
      {changes === undefined && read.failure === undefined && <Waiting what="both moments" />}
      {changes !== undefined && <Changes changes={changes} />}
      {read.answer?.has_more === true && <p className="faint">There are more changes than are listed.</p>}
    </section>
  )
}
