import { useEffect, useState } from 'react'
import { useAddress } from '../address/navigation.tsx'
import { HealthPage } from '../health/health-page.tsx'
import { Home } from '../home/home.tsx'
import { live } from '../live/live.ts'
import { useSignal } from '../live/signal.ts'
import { Shortcuts } from '../palette/shortcuts.tsx'
import { SessionPage } from '../session/session-page.tsx'
import { LineNotice } from './line-notice.tsx'
import { LoggedOut } from './logged-out.tsx'
import { Nowhere } from './nowhere.tsx'
import { Sidebar } from './sidebar.tsx'

export function App() {
  const address = useAddress()
  const [isSideOpen, setSideOpen] = useState(false)
  useSignal(live.line)
  useEffect(() => void live.begin(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever went somewhere wants to see that.
  useEffect(() => setSideOpen(false), [address])
  if (live.lineState === 'logged out') return <LoggedOut />
  return (
    <div className={`app ${isSideOpen ? 'side-open' : ''}`}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <button type="button" className="side-button" aria-expanded={isSideOpen} onClick={() => setSideOpen(!isSideOpen)}>
        Sessions
      </button>
      <Sidebar address={address} />
      <main id="main" tabIndex={-1}>
        <LineNotice state={live.lineState} />
        <Page />
      </main>
      <Shortcuts />
    </div>
  )
}

function Page() {
  const address = useAddress()
  if (address.page === 'home') return <Home />
  if (address.page === 'health') return <HealthPage />
  if (address.page === 'session') return <SessionPage address={address} />
  return <Nowhere />
}
