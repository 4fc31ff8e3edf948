import type { Json } from '../../../json/value.ts'
import { safe, safeLines } from '../output.ts'
import type { AnswerOf } from '../registry/presentation.ts'
import { type Column, cut, table } from '../table.ts'
import type { Style, Terminal } from '../terminal.ts'
import { ago, shortId, type ViewOf } from './view.ts'

/** Views of what was: the history of a key, the reasons of a value, differences, and what was restored. */

type Version = AnswerOf<'state.history'>['versions'][number]
type Reason = AnswerOf<'state.why'>['events'][number]
type Difference = AnswerOf<'state.diff'>['changes'][number]

function compact(value: Json): string {
  return JSON.stringify(value)
}

function sessionOf(name: string | null, id: string | null): string {
  return name || shortId(id)
}

function noteOf(lines: readonly string[], terminal: Terminal): string {
  return lines.map((line) => `${terminal.paint('dim', safe(line))}\n`).join('')
}

const versionColumns: readonly Column<Version>[] = [
  { title: 'VERSION', cell: ({ version }) => String(version), right: true, style: () => 'bold' },
  { title: 'SEQ', cell: ({ seq }) => String(seq), right: true },
  { title: 'TYPE', cell: ({ type }) => type, style: () => 'cyan' },
  { title: 'VALUE', cell: versionValue, flexible: true },
  { title: 'UPDATED', cell: ({ updated_at }) => ago(updated_at) },
  { title: 'BY', cell: ({ session_name, updated_by }) => sessionOf(session_name, updated_by), flexible: true },
]

function versionValue(version: Version): string {
  if ('deleted' in version) return '–'
  if ('value' in version) return compact(version.value)
  return version.change === undefined ? '(long)' : `… ${compact(version.change)}`
}

function expiryOf(expired: string | undefined): string[] {
  return expired === undefined ? [] : [`it expired ${ago(expired)}, so it reads as deleted`]
}

export const historyTable: ViewOf<'state.history'> = (answer, terminal) => {
  const { versions, has_more, compacted_before: end, expired_at } = answer
  if (versions.length === 0) return 'No versions.\n'
  const more = has_more ? [`more: --before ${versions.at(-1)?.version}`] : []
  const lost = end === undefined ? [] : [`history before version ${end} was compacted`]
  return `${table(versionColumns, versions, terminal)}${noteOf([...expiryOf(expired_at), ...more, ...lost], terminal)}`
}

const reasonColumns: readonly Column<Reason>[] = [
  { title: 'SEQ', cell: ({ seq }) => String(seq), right: true, style: () => 'bold' },
  { title: 'TIME', cell: ({ at }) => ago(at) },
  { title: 'SESSION', cell: ({ session_name, session_id }) => sessionOf(session_name, session_id), flexible: true },
  { title: 'DID', cell: ({ did }) => did, flexible: true },
  { title: 'ACTOR', cell: ({ actor }) => actor, flexible: true },
]

/** The message in which an agent called the tool that made an event. */
function saidLine({ seq, session_name, session_id, message }: Reason): string[] {
  if (message === undefined) return []
  const { sequence_number: number, text: said, tool } = message
  const call = `${seq}: ${tool} called by ${sessionOf(session_name, session_id)} in message ${number}`
  return [said === '' ? call : `${call}: ${said}`]
}

/** The ids of requests are left to --json: a server gives every write one, so that they say more of the way than of the write. */
export const reasonTable: ViewOf<'state.why'> = ({ events, has_more, expired_at }, terminal) => {
  const note = has_more ? ['and more before that: raise --limit to see them'] : []
  const said = events.flatMap((event) => saidLine(event))
  return `${table(reasonColumns, events, terminal)}${noteOf([...said, ...expiryOf(expired_at), ...note], terminal)}`
}

const signs: Readonly<Record<string, { sign: string; style: Style }>> = {
  added: { sign: '+', style: 'green' },
  removed: { sign: '-', style: 'red' },
  changed: { sign: '~', style: 'yellow' },
  moved: { sign: '>', style: 'cyan' },
}

/** Changes of the state, a line each with its sign. */
export function changeLines(changes: readonly Difference[], terminal: Terminal): string[] {
  return changes.map((change) => signed(change.op, `${change.key}${change.path}  ${whatChanged(change)}`, terminal))
}

export function signed(op: string, said: string, terminal: Terminal): string {
  const { sign = ' ', style } = signs[op] ?? {}
  return `${terminal.paint(style, cut(safe(`${sign} ${said}`), terminal.columns))}\n`
}

/** How many there are between which points, and how to see more of them. */
export function countedBetween(
  count: number,
  { from, to, next_after: next }: Pick<AnswerOf<'state.diff'>, 'from' | 'to' | 'next_after'>,
  terminal: Terminal,
): string {
  const more = next === undefined ? [] : [`more: --after ${compact(next)}`]
  return noteOf([...more, `${count} ${count === 1 ? 'difference' : 'differences'} between ${from} and ${to}`], terminal)
}

export const differences: ViewOf<'state.diff'> = (answer, terminal) => {
  const lines = changeLines(answer.changes, terminal)
  if (lines.length === 0) return `Nothing differs between ${answer.from} and ${answer.to}.\n`
  return `${lines.join('')}${countedBetween(lines.length, answer, terminal)}`
}

function whatChanged(change: Difference): string {
  if (change.op === 'added') return compact(change.after)
  if (change.op === 'removed') return compact(change.before)
  if (change.op === 'moved') return `${compact(change.after)}, from ${change.from}`
  return `${compact(change.before)} → ${compact(change.after)}`
}

export const restored: ViewOf<'state.restore'> = ({ to, changed, seq }, terminal, { session }) => {
  if (changed.length === 0) return `Nothing to restore: everything is as it was at ${to}.\n`
  const lines = table<(typeof changed)[number]>(
    [
      { title: 'KEY', cell: ({ key }) => key, flexible: true, style: () => 'bold' },
      { title: 'RESULT', cell: ({ deleted }) => (deleted ? 'deleted' : 'set') },
      { title: 'VERSION', cell: ({ version }) => String(version), right: true },
    ],
    changed,
    terminal,
  )
  const undo = `cairn state restore ${seq - changed.length}${session === undefined ? '' : ` --session ${session}`}`
  return `${lines}${noteOf([`as at ${to}; undo: ${undo}`], terminal)}`
}

/** As it goes into a prompt. */
export const summary: ViewOf<'state.summary'> = ({ summary }) => `${safeLines(JSON.stringify(summary, null, 2))}\n`
