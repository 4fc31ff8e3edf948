import { safe, safeLines } from '../output.ts'
import type { AnswerOf } from '../registry/presentation.ts'
import { table } from '../table.ts'
import type { Style } from '../terminal.ts'
import { sentences } from '../wrap.ts'
import { ago, shortId, type View, type ViewOf } from './view.ts'

export const journalUpdated: ViewOf<'journal.update'> = ({ recorded, seq }) =>
  `Recorded (${recorded} ${recorded === 1 ? 'event' : 'events'}, seq ${seq})\n`

/** Where the work is, in a line. */
export function positionLine(position: { readonly [name: string]: unknown }): string {
  const { phase, phase_name, plan, plan_name, task, wave, status } = position
  const named = (what: string, number: unknown, name: unknown) =>
    number == null ? [] : [`${what} ${number}${name == null ? '' : ` (${name})`}`]
  const parts = [
    ...named('phase', phase, phase_name),
    ...named('plan', plan, plan_name),
    ...(wave == null ? [] : [`wave ${wave}`]),
    ...(task == null ? [] : [`task: ${task}`]),
    ...(status == null ? [] : [`(${status})`]),
  ]
  return safe(parts.join(', ').replace(', (', ' ('))
}

export const moved: ViewOf<'journal.position'> = ({ seq: _, ...position }) =>
  `Now at ${positionLine(position) || 'no position'}\n`
export const nextSet: ViewOf<'journal.next'> = ({ text }) => `Next: ${safeLines(text)}\n`
export const noted: ViewOf<'journal.note'> = ({ seq }) => `Noted (seq ${seq})\n`
export const answered: ViewOf<'journal.answer'> = ({ id, answer }) => `${id} is answered: ${safeLines(answer)}\n`

export const decided: ViewOf<'decision.add'> = ({ id, supersedes }, terminal) =>
  `${terminal.paint('bold', id)} recorded${supersedes === undefined ? '' : `; it supersedes ${supersedes}`}\n`

const blockerStyles: Readonly<Record<string, Style>> = { active: 'red', bypassed: 'yellow', resolved: 'green' }

export function blockerStyle(status: string): Style | undefined {
  return blockerStyles[status]
}

/** What became of a blocker; what it did to the plan, where it did something. */
type BlockerChange = {
  id: string
  status: string
  blocked_tasks?: string[]
  open_tasks?: string[]
  paused_phases?: number[]
  need?: string
}

export const blockerChanged: View<BlockerChange> = (answer, terminal) => {
  const { id, status, blocked_tasks: blocked = [], open_tasks: open = [], paused_phases: paused = [], need } = answer
  const lines = [`${terminal.paint('bold', id)} is ${terminal.paint(blockerStyle(status), status)}`]
  if (blocked.length > 0) lines.push(`Blocked by it: ${blocked.join(', ')}`)
  if (open.length > 0) lines.push(`Open again: ${open.join(', ')}`)
  if (paused.length > 0) lines.push(`Paused, as nothing is left to do: phase ${paused.join(', ')}`)
  if (need !== undefined) lines.push(`Nothing can go on: this needs a person (${need}, cairn needs)`)
  return lines.map((line) => `${line}\n`).join('')
}

export const decisionTable: ViewOf<'decision.list'> = ({ decisions }, terminal, around) => {
  if (decisions.length === 0) return `${sentences('No decisions. Record one with cairn decide.', terminal)}\n`
  return table<AnswerOf<'decision.list'>['decisions'][number]>(
    [
      { title: 'ID', cell: ({ id }) => id, style: () => 'bold' },
      { title: 'KIND', cell: ({ kind }) => kind },
      {
        title: 'DECISION',
        cell: ({ decision, superseded_by: by }) => `${decision}${by === null ? '' : ` (superseded by ${by})`}`,
        flexible: true,
      },
      { title: 'REASON', cell: ({ reason }) => reason, flexible: true },
      { title: 'BY', cell: ({ by }) => around.nameOf(by), flexible: true },
      { title: 'WHEN', cell: ({ at }) => ago(at) },
    ],
    decisions,
    terminal,
  )
}

export const blockerTable: ViewOf<'blocker.list'> = ({ blockers }, terminal, around) => {
  if (blockers.length === 0) return 'Nothing is in the way.\n'
  return table<AnswerOf<'blocker.list'>['blockers'][number]>(
    [
      { title: 'ID', cell: ({ id }) => id, style: () => 'bold' },
      { title: 'STATUS', cell: ({ status }) => status, style: ({ status }) => blockerStyle(status) },
      { title: 'BLOCKER', cell: ({ description }) => description, flexible: true },
      { title: 'AFFECTS', cell: ({ affects }) => affects.join(', ') || '–', flexible: true },
      { title: 'BY', cell: ({ by }) => around.nameOf(by), flexible: true },
      { title: 'SINCE', cell: ({ identified_at: at }) => ago(at) },
    ],
    blockers,
    terminal,
  )
}

export const needTable: ViewOf<'need.list' | 'need.all'> = ({ needs }, terminal) => {
  if (needs.length === 0) return 'Nothing needs you.\n'
  return table<AnswerOf<'need.list' | 'need.all'>['needs'][number]>(
    [
      { title: 'ID', cell: ({ id }) => id, style: () => 'bold' },
      { title: 'KIND', cell: ({ kind }) => kind, style: () => 'yellow' },
      { title: 'SESSION', cell: ({ session_id, agent }) => agent ?? shortId(session_id), flexible: true },
      { title: 'WHAT', cell: ({ text }) => text, flexible: true },
      { title: 'SINCE', cell: ({ since }) => ago(since) },
    ],
    needs,
    terminal,
  )
}
