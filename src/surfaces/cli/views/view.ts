import { systemClock } from '../../../clock.ts'
import { durationText } from '../../../domain/log/duration.ts'
import type { Answer } from '../../../domain/log/rows.ts'
import type { OperationName } from '../registry/commands.ts'
import type { OwnGiven } from '../registry/flag.ts'
import type { AnswerOf } from '../registry/presentation.ts'
import { relative } from '../relative-time.ts'
import type { Style, Terminal } from '../terminal.ts'

/** What a view knows besides the answer. */
export interface Around {
  /** The session as the line named it, for commands that are shown to go on with. */
  readonly session: string | undefined
  /** Flags that say how it is shown. */
  readonly own: OwnGiven
  /** What a session is called; the end of its id where nobody knows. */
  nameOf(id: unknown): string
}

/** How an answer is shown to people, as whole lines. */
export type View<A extends Answer = Answer> = (answer: A, terminal: Terminal, around: Around) => string

/** The view of these operations' answers. */
export type ViewOf<Name extends OperationName> = View<AnswerOf<Name>>

/** People are shown the end of an id: its beginning is the time, which they share. */
export function shortId(id: unknown): string {
  return typeof id === 'string' ? id.slice(-8) : '–'
}

export function ago(iso: unknown): string {
  return typeof iso === 'string' ? relative(iso, systemClock().now()) : '–'
}

/** The time of day here: 14:03:59. */
export function clockTime(iso: string): string {
  const time = new Date(iso)
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

/** `in 9m`, or that it is over. */
export function until(iso: string): string {
  const left = Date.parse(iso) - systemClock().now()
  return left <= 0 ? 'expired' : `in ${durationText(left)}`
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
