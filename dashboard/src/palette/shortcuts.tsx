import { useEffect, useRef, useState } from 'react'
import type { Tab } from '../address/address.ts'
import { addressNow, go, show } from '../address/navigation.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { listenToKeys } from '../shell/keys.ts'
import { Palette } from './palette.tsx'

const tabKeys: Readonly<Record<string, Tab>> = {
  o: 'overview',
  s: 'state',
  t: 'timeline',
  c: 'conversations',
  j: 'journal',
  f: 'files',
  k: 'forks',
}

const listed: readonly (readonly [string, string])[] = [
  ['Ctrl-K', 'find a session, agent, key, decision or view'],
  ['j k', 'next and previous row of a table'],
  ['[ ]', 'one event back, one event on'],
  ['Space', 'play, stop'],
  ['l', 'live: back to now'],
  ['g h', 'home'],
  ['g o', 'overview'],
  ['g s', 'state'],
  ['g t', 'timeline'],
  ['g c', 'conversations'],
  ['g j', 'journal'],
  ['g f', 'files'],
  ['g k', 'forks'],
  ['Esc', 'close what is open'],
  ['?', 'this list'],
]

/** The keys of every page. */
export function Shortcuts() {
  const [open, setOpen] = useState<'palette' | 'keys'>()
  const isGoing = useRef(false)
  useEffect(() => {
    const control = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen('palette')
    }
    addEventListener('keydown', control)
    return () => removeEventListener('keydown', control)
  }, [])
  useEffect(() => {
    const going = (key: string) => () => {
      if (!isGoing.current) return
      isGoing.current = false
      if (key === 'h') go({ page: 'home' })
      else if (addressNow().page === 'session') show({ tab: tabKeys[key] ?? 'overview' }, 'push')
    }
    const keys = Object.fromEntries(['h', ...Object.keys(tabKeys)].map((key) => [key, going(key)]))
    const begin = () => {
      isGoing.current = true
      setTimeout(() => {
        isGoing.current = false
      }, 1500)
    }
    return listenToKeys({ '?': () => setOpen('keys'), g: begin }, { after: keys, isThen: () => isGoing.current })
  }, [])
  const close = () => setOpen(undefined)
  if (open === 'palette') return <Palette close={close} />
  if (open !== 'keys') return null
  return (
    <Dialog title="Keys" close={close}>
      <dl className="facts">
        {listed.map(([keys, what]) => (
          <div className="fact" key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div className="dialog-actions">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
