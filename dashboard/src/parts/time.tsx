import { useSyncExternalStore } from 'react'

/** So often what is said relative to now is said anew. */
const tickMs = 10_000
const listeners = new Set<() => void>()
let now = Date.now()
setInterval(() => {
  now = Date.now()
  for (const listener of [...listeners]) listener()
}, tickMs)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

export function exact(time: string | number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString().replace('T', ' ').replace('Z', ' UTC')
}

const units: readonly [number, string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
]

export function lasting(ms: number): string {
  const [size, unit] = units.find(([each]) => ms >= each) ?? [1, 'ms']
  const count = ms / size
  return `${count < 10 && unit !== 'ms' ? count.toFixed(1).replace(/\.0$/, '') : Math.floor(count)} ${unit}`
}

function relative(time: number, from: number): string {
  const ms = Math.abs(from - time)
  if (ms < 10_000) return time > from ? 'in a moment' : 'just now'
  const [size, unit] = units.find(([each]) => ms >= each) as [number, string]
  const text = `${Math.floor(ms / size)} ${unit}`
  return time > from ? `in ${text}` : `${text} ago`
}

/** Relative to now, with the exact time on hover. */
export function Ago({ time }: { time: string | number }) {
  const from = useNow()
  const at = new Date(time).getTime()
  return (
    <time dateTime={new Date(time).toISOString()} title={exact(time)}>
      {relative(at, from)}
    </time>
  )
}
