import { safe, safeLines } from '../output.ts'
import { table } from '../table.ts'
import type { Style } from '../terminal.ts'
import { sentences } from '../wrap.ts'
import { ago, shortId, type View } from './view.ts'

const said = (value: unknown) => safeLines(String(value))

export const journalUpdated: View = ({ recorded, seq }) =>
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

export const moved: View = ({ seq: _, ...position }) => `Now at ${positionLine(position) || 'no position'}\n`
export const nextSet: View = ({ text }) => `Next: ${said(text)}\n`
export const noted: View = ({ seq }) => `Noted (seq ${seq})\n`
export const answered: View = ({ id, answer }) => `${id} is answered: ${said(answer)}\n`

export const decided: View = ({ id, supersedes }, terminal) =>
  `${terminal.paint('bold', String(id))} recorded${supersedes === undefined ? '' : `; it supersedes ${supersedes}`}\n`

const blockerStyles: Readonly<Record<string, Style>> = { active: 'red', bypassed: 'yellow', resolved: 'green' }

export function blockerStyle(status: unknown): Style | undefined {
  return blockerStyles[String(status)]
}

const listed = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])

/** What it did to the plan, where it did something. */
export const blockerChanged: View = (answer, terminal) => {
  const { id, status, blocked_tasks, open_tasks, paused_phases, need } = answer
  const lines = [`${terminal.paint('bold', String(id))} is ${terminal.paint(blockerStyle(status), String(status))}`]
  const [blocked, open, paused] = [listed(blocked_tasks), listed(open_tasks), listed(paused_phases)]
  if (blocked.length > 0) lines.push(`Blocked by it: ${blocked.join(', ')}`)
  if (open.length > 0) lines.push(`Open again: ${open.join(', ')}`)
  if (paused.length > 0) lines.push(`Paused, as nothing is left to do: phase ${paused.join(', ')}`)
  if (need !== undefined) lines.push(`Nothing can go on: this needs a person (${need}, cairn needs)`)
  return lines.map((line) => `${line}\n`).join('')
}

type Row = { readonly [name: string]: unknown }

export const decisionTable: View = ({ decisions }, terminal, around) => {
  const rows = decisions as Row[]
  if (rows.length === 0) return `${sentences('No decisions. Record one with cairn decide.', terminal)}\n`
  return table<Row>(
    [
      { title: 'ID', cell: ({ id }) => String(id), style: () => 'bold' },
      { title: 'KIND', cell: ({ kind }) => String(kind) },
      {
        title: 'DECISION',
        cell: ({ decision, superseded_by: by }) => `${decision}${by === null ? '' : ` (superseded by ${by})`}`,
        flexible: true,
      },
      { title: 'REASON', cell: ({ reason }) => String(reason), flexible: true },
      { title: 'BY', cell: ({ by }) => around.nameOf(by), flexible: true },
      { title: 'WHEN', cell: ({ at }) => ago(at) },
    ],
    rows,
    terminal,
  )
}

export const blockerTable: View = ({ blockers }, terminal, around) => {
  const rows = blockers as Row[]
  if (rows.length === 0) return 'Nothing is in the way.\n'
  return table<Row>(
    [
      { title: 'ID', cell: ({ id }) => String(id), style: () => 'bold' },
      { title: 'STATUS', cell: ({ status }) => String(status), style: ({ status }) => blockerStyle(status) },
      { title: 'BLOCKER', cell: ({ description }) => String(description), flexible: true },
      { title: 'AFFECTS', cell: ({ affects }) => listed(affects).join(', ') || '–', flexible: true },
      { title: 'BY', cell: ({ by }) => around.nameOf(by), flexible: true },
      { title: 'SINCE', cell: ({ identified_at: at }) => ago(at) },
    ],
    rows,
    terminal,
  )
}

export const needTable: View = ({ needs }, terminal) => {
  const rows = needs as Row[]
  if (rows.length === 0) return 'Nothing needs you.\n'
  return table<Row>(
    [
      { title: 'ID', cell: ({ id }) => String(id), style: () => 'bold' },
      { title: 'KIND', cell: ({ kind }) => String(kind), style: () => 'yellow' },
      { title: 'SESSION', cell: ({ session_id, agent }) => String(agent ?? shortId(session_id)), flexible: true },
      { title: 'WHAT', cell: ({ text }) => String(text), flexible: true },
      { title: 'SINCE', cell: ({ since }) => ago(since) },
    ],
    rows,
    terminal,
  )
}
