import { type KeyboardEvent, useMemo, useState } from 'react'
import { decisions } from '../../../src/domain/journal/tables.ts'
import { type Address, tabs } from '../address/address.ts'
import { addressNow, go } from '../address/navigation.tsx'
import { projectName, titleOf } from '../home/root-words.ts'
import { live } from '../live/live.ts'
import { Dialog } from '../parts/dialog.tsx'
import { plain } from '../parts/text.tsx'
import { sessionName, sessionsIn } from '../session/agents.ts'

interface Place {
  readonly kind: string
  readonly title: string
  readonly also: string
  readonly to: Address
}

const shownMax = 12

/** Finds sessions, agents, keys, decisions and views by what is typed. */
export function Palette({ close }: { close: () => void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const places = useMemo(allPlaces, [])
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = places
    .filter(({ kind, title, also }) => {
      const all = `${kind} ${title} ${also}`.toLowerCase()
      return words.every((word) => all.includes(word))
    })
    .slice(0, shownMax)
  const open = (place: Place | undefined) => {
    if (place === undefined) return
    close()
    go(place.to)
  }
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') open(found[chosen])
    if (step === undefined) return
    event.preventDefault()
    setChosen(Math.max(0, Math.min(found.length - 1, chosen + step)))
  }
  return (
    <Dialog title="Find" close={close} className="palette">
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-found"
        aria-activedescendant={found.length === 0 ? undefined : `palette-${chosen}`}
        aria-label="Session, agent, key, decision or view"
        placeholder="Session, agent, key, decision or view"
        value={text}
        onKeyDown={move}
        onChange={({ target }) => {
          setText(target.value)
          setChosen(0)
        }}
      />
      <div role="listbox" id="palette-found" aria-label="Found">
        {found.map((place, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys.
          <div
            key={`${place.kind} ${place.title} ${place.also}`}
            role="option"
            id={`palette-${at}`}
            tabIndex={-1}
            aria-selected={at === chosen}
            onClick={() => open(place)}
          >
            <span className="faint">{place.kind}</span> {plain(place.title)}{' '}
            <span className="faint">{plain(place.also)}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="faint">Nothing like that is here.</p>}
    </Dialog>
  )
}

function allPlaces(): Place[] {
  const address = addressNow()
  const roots = live.roots.list().map(
    (root): Place => ({
      kind: 'session',
      title: titleOf(root),
      also: `${projectName(root.project_dir)} ${root.session_id}`,
      to: { page: 'session', root: root.session_id, tab: 'overview', query: {} },
    }),
  )
  const views: Place[] = [
    { kind: 'view', title: 'Home', also: '', to: { page: 'home' } },
    { kind: 'view', title: 'Health', also: '', to: { page: 'health' } },
  ]
  if (address.page !== 'session') return [...views, ...roots]
  return [...placesIn(address), ...views, ...roots]
}

function placesIn(address: Extract<Address, { page: 'session' }>): Place[] {
  const { rows, keys } = live.root(address.root)
  if (rows === undefined) return []
  const { at } = address.query
  const to = (tab: (typeof tabs)[number], query: object): Address => ({ ...address, tab, query: { at, ...query } })
  return [
    ...tabs.map((tab) => ({ kind: 'view', title: tab, also: '', to: to(tab, {}) })),
    ...sessionsIn(rows).map((row) => ({
      kind: 'agent',
      title: sessionName(row),
      also: row.topic,
      to: to('overview', { agent: row.id }),
    })),
    ...[...keys.keys()].map((key) => ({ kind: 'key', title: key, also: '', to: to('state', { key }) })),
    ...rows
      .all(decisions)
      .map(({ text, decision }) => ({ kind: 'decision', title: text, also: String(decision), to: to('journal', {}) })),
  ]
}
