import { Link } from '../address/navigation.tsx'
import { titleOf } from '../home/root-words.ts'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import { live } from '../live/live.ts'
import { useSignal } from '../live/signal.ts'
import { AsCommand } from '../parts/command.tsx'
import { Failed } from '../parts/notice.tsx'
import { type Need, NeedItem } from './need-item.tsx'

type NeedThere = Need & { readonly root_session_id: string }

/** What waits for a person in all roots; asked again when the feed says that something was raised or met. */
export function NeedsEverywhere() {
  useSignal(live.needs)
  const { answer, failure } = useAsked(`needs ${live.needs.version()}`, () => cairn.need.all({ limit: 100 }))
  if (failure !== undefined) return <Failed failure={failure} />
  const open = (answer?.needs ?? []) as unknown as readonly NeedThere[]
  if (open.length === 0) return null
  const roots = new Map(live.roots.list().map((root) => [root.session_id, root]))
  return (
    <section aria-label="Needs you">
      <div className="section-head">
        <h2>
          Needs you <span className="faint">{open.length}</span>
        </h2>
        <AsCommand words={['needs']} />
      </div>
      <ul className="needs">
        {open.map((need) => {
          const root = roots.get(need.root_session_id)
          return (
            <NeedItem key={`${need.root_session_id} ${need.id}`} need={need} canAct>
              <Link to={{ page: 'session', root: need.root_session_id, tab: 'overview', query: {} }}>
                {root === undefined ? 'its session' : titleOf(root)}
              </Link>
            </NeedItem>
          )
        })}
      </ul>
    </section>
  )
}
