import { useEffect } from 'react'
import type { Address, Query, Tab } from '../address/address.ts'
import { go, Link, show } from '../address/navigation.tsx'
import { ConversationsTab } from '../conversations/conversations-tab.tsx'
import { FilesTab } from '../files/files-tab.tsx'
import { ForksTab } from '../forks/forks-tab.tsx'
import { JournalTab } from '../journal/journal-tab.tsx'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import { live } from '../live/live.ts'
import { MomentOf, useMoment } from '../live/moment.tsx'
import { useSignal } from '../live/signal.ts'
import { OverviewTab } from '../overview/overview-tab.tsx'
import { Failed, Waiting } from '../parts/notice.tsx'
import { TabList } from '../parts/tab-list.tsx'
import { StateTab } from '../state/state-tab.tsx'
import { TimeStrip } from '../timeline/time-strip.tsx'
import { TimelineTab } from '../timeline/timeline-tab.tsx'
import { Inspector, isInspecting } from './inspector.tsx'
import { SessionHeader } from './session-header.tsx'

type SessionAddress = Extract<Address, { page: 'session' }>

const shownTabs: readonly { readonly name: Tab; readonly title: string }[] = [
  { name: 'overview', title: 'Overview' },
  { name: 'state', title: 'State' },
  { name: 'timeline', title: 'Timeline' },
  { name: 'conversations', title: 'Conversations' },
  { name: 'journal', title: 'Journal' },
  { name: 'files', title: 'Files' },
  { name: 'forks', title: 'Forks' },
]

function TabBody({ tab, query }: { tab: Tab; query: Query }) {
  if (tab === 'state') return <StateTab query={query} />
  if (tab === 'timeline') return <TimelineTab query={query} />
  if (tab === 'conversations') return <ConversationsTab query={query} />
  if (tab === 'journal') return <JournalTab />
  if (tab === 'files') return <FilesTab />
  if (tab === 'forks') return <ForksTab />
  return <OverviewTab query={query} />
}

export function SessionPage({ address }: { address: SessionAddress }) {
  const root = useRoot(address)
  if (typeof root !== 'string') return root
  return (
    <MomentOf key={root} root={root} at={address.query.at}>
      <Session address={address} />
    </MomentOf>
  )
}

/** The id of the root that is meant; what was written may also be a slug, or a session below it. */
function useRoot(address: SessionAddress): string | React.ReactElement {
  useSignal(live.roots.signal)
  const isKnown = live.roots.list().some(({ session_id }) => session_id === address.root)
  const found = useAsked(isKnown ? undefined : address.root, () => cairn.session.show({ session: address.root }))
  const meant = found.isWaiting ? undefined : found.answer
  useEffect(() => {
    if (meant === undefined || meant.root_session_id === address.root) return
    const agent = meant.session_id === meant.root_session_id ? {} : { agent: meant.session_id }
    go({ ...address, root: meant.root_session_id, query: { ...address.query, ...agent } }, 'replace')
  }, [meant, address])
  if (isKnown) return address.root
  if (found.failure !== undefined) return <NotThere {...found} />
  return meant?.root_session_id ?? <Waiting what="the session" />
}

function NotThere({ failure, again }: Pick<ReturnType<typeof useAsked>, 'failure' | 'again'>) {
  if (failure === undefined) return null
  return (
    <div className="page">
      <Failed failure={failure} again={again} />
      <p>
        <Link to={{ page: 'home' }}>Show all sessions</Link>
      </p>
    </div>
  )
}

function Session({ address }: { address: SessionAddress }) {
  const { failure, rows } = useMoment()
  const { tab } = address
  const isOpen = isInspecting(tab, address.query)
  if (failure !== undefined && rows === undefined) {
    return (
      <div className="page">
        <Failed failure={failure} again={() => void live.opened()} />
        <p>
          <button type="button" onClick={() => show({ at: undefined })}>
            Show it as it is now
          </button>{' '}
          <Link to={{ page: 'home' }}>Show all sessions</Link>
        </p>
      </div>
    )
  }
  if (rows === undefined) return <Waiting what="the session" />
  return (
    <div className={`session ${isOpen ? 'inspecting' : ''}`}>
      <SessionHeader />
      <TabList
        label="Views of the session"
        tabs={shownTabs}
        chosen={tab}
        choose={(name) => show({ tab: name }, 'push')}
        panel="tab-panel"
      />
      <div
        id="tab-panel"
        role="tabpanel"
        aria-label={shownTabs.find(({ name }) => name === tab)?.title}
        className="tab-panel"
      >
        <TabBody tab={tab} query={address.query} />
      </div>
      {isOpen && <Inspector tab={tab} query={address.query} />}
      <TimeStrip />
    </div>
  )
}
