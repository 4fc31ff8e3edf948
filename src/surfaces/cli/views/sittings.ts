import { safeLines } from '../output.ts'
import type { AnswerOf } from '../registry/presentation.ts'
import { table } from '../table.ts'
import { ago, statusStyle, type ViewOf } from './view.ts'

export const sittingStarted: ViewOf<'sitting.start'> = ({ id, working_on, notes }, terminal) => {
  const lines = [
    `${terminal.paint('bold', id)} has begun${working_on === null ? '' : `: ${working_on}`}`,
    ...(notes === null ? [] : [notes]),
  ]
  return lines.map((line) => `${safeLines(line)}\n`).join('')
}

export const sittingEnded: ViewOf<'sitting.end'> = (
  { id, status, completed, issues, handoff_reason: handoff },
  terminal,
) => {
  const lines = [
    `${terminal.paint('bold', id)} is ${status}`,
    ...completed.map((each) => `Done: ${each}`),
    ...issues.map((each) => `Issue: ${each}`),
    ...(handoff === null ? [] : [`Handed on: ${handoff}`]),
  ]
  return lines.map((line) => `${safeLines(line)}\n`).join('')
}

type Sitting = AnswerOf<'sitting.list'>['sittings'][number]

const percent = (usage: number | null) => (usage === null ? '–' : `${Math.round(usage * 100)}%`)

/** What is most to be known of one, in a line. */
function tellingOf({ working_on: working, completed, notes, issues, handoff_reason: handoff }: Sitting): string {
  const parts = [working, ...completed.map((each) => `done: ${each}`), notes, ...issues, handoff]
  return parts.filter((each) => typeof each === 'string' && each !== '').join('; ') || '–'
}

export const sittingTable: ViewOf<'sitting.list'> = ({ sittings }, terminal, around) => {
  if (sittings.length === 0) return 'No sittings. Begin one with cairn sitting start.\n'
  return table<Sitting>(
    [
      { title: 'ID', cell: ({ id }) => id, style: () => 'bold' },
      {
        title: 'STATUS',
        cell: ({ status }) => status,
        style: ({ status }) => (status === 'crashed' ? 'red' : statusStyle(status === 'active' ? 'running' : status)),
      },
      { title: 'WHO', cell: ({ session_id: id }) => around.nameOf(id), flexible: true },
      { title: 'CONTEXT', cell: ({ context_usage }) => percent(context_usage), right: true },
      { title: 'WHAT', cell: tellingOf, flexible: true },
      { title: 'STARTED', cell: ({ started_at }) => ago(started_at) },
    ],
    sittings,
    terminal,
  )
}
