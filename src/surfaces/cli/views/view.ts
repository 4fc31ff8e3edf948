import { systemClock } from '../../../clock.ts'
import type { Answer } from '../../../domain/log/rows.ts'
import { relative } from '../relative-time.ts'
import type { Style, Terminal } from '../terminal.ts'

/** How an answer is shown to people, as whole lines. */
export type View = (answer: Answer, terminal: Terminal) => string

/** People are shown the end of an id: its beginning is the time, which they share. */
export function shortId(id: unknown): string {
  return typeof id === 'string' ? id.slice(-8) : '–'
}

export function ago(iso: unknown): string {
  return typeof iso === 'string' ? relative(iso, systemClock().now()) : '–'
}

const statusStyles: Partial<Record<string, Style>> = {
  running: 'green',
  created: 'cyan',
  paused: 'yellow',
  resumable: 'yellow',
  failed: 'red',
  completed: 'dim',
  cancelled: 'dim',
  skipped: 'dim',
}

export function statusStyle(status: string): Style | undefined {
  return statusStyles[status]
}
