import { durationText } from '../../../domain/log/duration.ts'
import { safe } from '../output.ts'
import { cut, widthOf } from '../table.ts'
import type { Style, Terminal } from '../terminal.ts'
import { statusStyle } from '../views/view.ts'
import { type AgentShown, isEnded } from './status-shown.ts'

/** A line of the screen in pieces: those are cut and painted, what stands between them is not. */
export interface Piece {
  readonly text: string
  readonly style?: Style | undefined
}

const signs: Readonly<Record<string, string>> = {
  created: '○',
  running: '●',
  paused: '‖',
  resumable: '◌',
  completed: '✓',
  failed: '✗',
  cancelled: '–',
  skipped: '–',
}

const waiting: Readonly<Record<string, string>> = {
  approval: 'waits for approval',
  question: 'waits for an answer',
  blocker: 'waits for a blocker to be resolved',
  rate_limit: 'waits for a rate limit',
  children: 'waits for its children',
  backoff: 'will be tried again',
  pause: 'interrupted',
  consent: 'waits for consent to go on',
}

/** How an agent stands, in words: its state, for how long, and why. */
export function stateText(agent: AgentShown, now: number): string {
  const { status, reason, attempts } = agent
  const attempt = attempts > 1 ? `, attempt ${attempts}` : ''
  if (status === 'resumable') return waitText(agent, now)
  if (status === 'running' || status === 'paused') return `${status}${lasted(runningMs(agent, now))}${attempt}`
  if (status === 'completed') return `completed${lasted(agent.ran_ms)}${attempt}`
  return reason === null || !isEnded(status) ? status : `${status}: ${reason}`
}

/** Of its first run one knows when that began. */
function runningMs({ attempts, started_at: started }: AgentShown, now: number): number {
  return started === null || attempts > 1 ? 0 : now - Date.parse(started)
}

function lasted(ms: number): string {
  return ms < 1000 ? '' : ` ${durationText(ms)}`
}

function waitText({ waits_for: waits, wake_at: until }: AgentShown, now: number): string {
  const what = waiting[waits ?? ''] ?? 'resumable'
  const left = until === null ? 0 : Date.parse(until) - now
  return left <= 0 ? what : `${what} in ${durationText(left)}`
}

/** `● fix  worker  running 12 s  compiling src/lexer.ts` */
export function agentLine(
  agent: AgentShown,
  widths: { readonly id: number; readonly role: number },
  { now, said, indent }: { readonly now: number; readonly said: string; readonly indent: string },
): Piece[] {
  const style = statusStyle(agent.status)
  return [
    { text: indent },
    { text: signs[agent.status] ?? '?', style },
    { text: ` ${padded(agent.id, widths.id)}  ` },
    { text: `${padded(agent.role, widths.role)}  `, style: 'dim' },
    { text: safe(stateText(agent, now)), style },
    ...(said === '' ? [] : [{ text: `  ${said}`, style: 'dim' as const }]),
  ]
}

function padded(text: string, width: number): string {
  const short = cut(safe(text), width)
  return short + ' '.repeat(Math.max(0, width - widthOf(short)))
}

/** The pieces as one line that fits the screen. */
export function lineOf(pieces: readonly Piece[], terminal: Terminal): string {
  let left = terminal.columns - 1
  let line = ''
  for (const { text, style } of pieces) {
    if (left <= 0) break
    const fitting = cut(text, left)
    line += terminal.paint(style, fitting)
    left -= widthOf(fitting)
  }
  return line
}
