import { safeLines } from '../output.ts'
import { table } from '../table.ts'
import { ago, statusStyle, type View } from './view.ts'

export const sittingStarted: View = ({ id, working_on, notes }, terminal) => {
  const lines = [
    `${terminal.paint('bold', String(id))} has begun${working_on === null ? '' : `: ${working_on}`}`,
    ...(notes === null ? [] : [String(notes)]),
  ]
  return lines.map((line) => `${safeLines(line)}\n`).join('')
}

const list = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])

export const sittingEnded: View = ({ id, status, completed, issues, handoff_reason: handoff }, terminal) => {
  const lines = [
    `${terminal.paint('bold', String(id))} is ${status}`,
    ...list(completed).map((each) => `Done: ${each}`),
    ...list(issues).map((each) => `Issue: ${each}`),
    ...(handoff === null ? [] : [`Handed on: ${handoff}`]),
  ]
  return lines.map((line) => `${safeLines(line)}\n`).join('')
}

type Row = { readonly [name: string]: unknown }

const percent = (usage: unknown) => (typeof usage === 'number' ? `${Math.round(usage * 100)}%` : '–')

/** What is most to be known of one, in a line. */
function tellingOf({ working_on: working, completed, notes, issues, handoff_reason: handoff }: Row): string {
  const parts = [working, ...list(completed).map((each) => `done: ${each}`), notes, ...list(issues), handoff]
  return parts.filter((each) => typeof each === 'string' && each !== '').join('; ') || '–'
}

export const sittingTable: View = ({ sittings }, terminal, around) => {
  const rows = sittings as Row[]
  if (rows.length === 0) return 'No sittings. Begin one with cairn sitting start.\n'
  return table<Row>(
    [
      { title: 'ID', cell: ({ id }) => String(id), style: () => 'bold' },
      {
        title: 'STATUS',
        cell: ({ status }) => String(status),
        style: ({ status }) =>
          status === 'crashed' ? 'red' : statusStyle(status === 'active' ? 'running' : String(status)),
      },
      { title: 'WHO', cell: ({ session_id: id }) => around.nameOf(id), flexible: true },
      { title: 'CONTEXT', cell: ({ context_usage }) => percent(context_usage), right: true },
      { title: 'WHAT', cell: tellingOf, flexible: true },
      { title: 'STARTED', cell: ({ started_at }) => ago(started_at) },
    ],
    rows,
    terminal,
  )
}
