import { type MouseEvent, type ReactNode, useSyncExternalStore } from 'react'
import { type Address, type Query, readAddress, type Tab, writeAddress } from './address.ts'

const listeners = new Set<() => void>()
let href = location.href
let address = readAddress(new URL(href))

function tell(): void {
  if (location.href === href) return
  href = location.href
  address = readAddress(new URL(href))
  for (const listener of [...listeners]) listener()
}

addEventListener('popstate', tell)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function addressNow(): Address {
  return address
}

export function useAddress(): Address {
  return useSyncExternalStore(subscribe, addressNow)
}

/** A step of the playhead, or a selection, is no page of its own in the history. */
export function go(to: Address, how: 'push' | 'replace' = 'push'): void {
  const url = writeAddress(to)
  if (how === 'push') history.pushState(null, '', url)
  else history.replaceState(null, '', url)
  tell()
}

/** Changes something of what is shown of the session; undefined takes it away. */
export function show(change: Query & { readonly tab?: Tab }, how: 'push' | 'replace' = 'replace'): void {
  if (address.page !== 'session') return
  const { tab = address.tab, ...query } = change
  go({ ...address, tab, query: { ...address.query, ...query } }, how)
}

interface LinkProps {
  readonly to: Address
  readonly children: ReactNode
  readonly className?: string
  readonly label?: string
  readonly current?: boolean
}

export function Link({ to, children, className, label, current }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    go(to)
  }
  return (
    <a
      href={writeAddress(to)}
      onClick={follow}
      className={className}
      aria-label={label}
      aria-current={current ? 'page' : undefined}
    >
      {children}
    </a>
  )
}
