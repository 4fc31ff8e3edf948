import type { ReactNode } from 'react'
import type { Query, Tab } from '../address/address.ts'
import { show } from '../address/navigation.tsx'
import { AgentPanel } from '../overview/agent-panel.tsx'
import { KeyPanel } from '../state/key-panel.tsx'
import { EventPanel } from '../timeline/event-panel.tsx'

/** In a conversation the agent is the one that is read, and no selection. */
export function isInspecting(tab: Tab, { key, event, agent }: Query): boolean {
  return key !== undefined || event !== undefined || (agent !== undefined && tab === 'overview')
}

/** What is selected, beside the tab; it closes with Escape. */
export function Inspector({ tab, query }: { tab: Tab; query: Query }) {
  const { key, event, agent } = query
  if (key !== undefined) {
    return (
      <Panel label={`Key ${key}`} close={() => show({ key: undefined })}>
        <KeyPanel key={key} name={key} />
      </Panel>
    )
  }
  if (event !== undefined) {
    return (
      <Panel label={`Event ${event}`} close={() => show({ event: undefined })}>
        <EventPanel key={event} seq={event} query={query} />
      </Panel>
    )
  }
  if (agent === undefined || tab !== 'overview') return null
  return (
    <Panel label="Agent" close={() => show({ agent: undefined })}>
      <AgentPanel key={agent} id={agent} />
    </Panel>
  )
}

function Panel({ label, close, children }: { label: string; close: () => void; children: ReactNode }) {
  return (
    <aside className="inspector" aria-label={label} onKeyDown={(event) => event.key === 'Escape' && close()}>
      {children}
    </aside>
  )
}
