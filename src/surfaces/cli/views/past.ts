import type { Json } from '../../../json/value.ts'
import { safe, safeLines } from '../output.ts'
import { type Column, cut, table } from '../table.ts'
import type { Style, Terminal } from '../terminal.ts'
import { ago, shortId, type View } from './view.ts'

/** Views of what was: the history of a key, the reasons of a value, differences, and what was restored. */

type Shown = { readonly [name: string]: Json }

function text(value: Json | undefined): string {
  return value === undefined || value === null ? '' : String(value)
}

function compact(value: Json | undefined): string {
  return JSON.stringify(value) ?? ''
}

function sessionOf(name: Json | undefined, id: Json | undefined): string {
  return text(name) || shortId(id)
}

function noteOf(lines: readonly string[], terminal: Terminal): string {
  return lines.map((line) => `${terminal.paint('dim', safe(line))}\n`).join('')
}

const versionColumns: readonly Column<Shown>[] = [
  { title: 'VERSION', cell: ({ version }) => text(version), right: true, style: () => 'bold' },
  { title: 'SEQ', cell: ({ seq }) => text(seq), right: true },
  { title: 'TYPE', cell: ({ type }) => text(type), style: () => 'cyan' },
  { title: 'VALUE', cell: versionValue, flexible: true },
  { title: 'UPDATED', cell: ({ updated_at }) => ago(updated_at) },
  { title: 'BY', cell: ({ session_name, updated_by }) => sessionOf(session_name, updated_by), flexible: true },
]

function versionValue({ value, deleted, value_omitted, change }: Shown): string {
  if (deleted === true) return '–'
  if (value_omitted !== true) return compact(value)
  return change === undefined ? '(long)' : `… ${compact(change)}`
}

function expiryOf(expired: Json | undefined): string[] {
  return expired === undefined ? [] : [`it expired ${ago(expired)}, so it reads as deleted`]
}

export const historyTable: View = ({ versions, has_more, compacted_before: end, expired_at }, terminal) => {
  const rows = versions as Shown[]
  if (rows.length === 0) return 'No versions.\n'
  const more = has_more === true ? [`more: --before ${text(rows.at(-1)?.version)}`] : []
  const lost = end === undefined ? [] : [`history before version ${end} was compacted`]
  return `${table(versionColumns, rows, terminal)}${noteOf([...expiryOf(expired_at), ...more, ...lost], terminal)}`
}

const reasonColumns: readonly Column<Shown>[] = [
  { title: 'SEQ', cell: ({ seq }) => text(seq), right: true, style: () => 'bold' },
  { title: 'TIME', cell: ({ at }) => ago(at) },
  { title: 'SESSION', cell: ({ session_name, session_id }) => sessionOf(session_name, session_id), flexible: true },
  { title: 'DID', cell: ({ did }) => text(did), flexible: true },
  { title: 'ACTOR', cell: ({ actor }) => text(actor), flexible: true },
]

/** The message in which an agent called the tool that made an event. */
function saidLine({ seq, session_name, session_id, message }: Shown): string[] {
  if (message === undefined) return []
  const { sequence_number: number, text: said, tool } = message as Shown
  const call = `${seq}: ${text(tool)} called by ${sessionOf(session_name, session_id)} in message ${number}`
  return [said === '' ? call : `${call}: ${text(said)}`]
}

/** The ids of requests are left to --json: a server gives every write one, so that they say more of the way than of the write. */
export const reasonTable: View = ({ events, has_more, expired_at }, terminal) => {
  const rows = events as Shown[]
  const note = has_more === true ? ['and more before that: raise --limit to see them'] : []
  const said = rows.flatMap((row) => saidLine(row))
  return `${table(reasonColumns, rows, terminal)}${noteOf([...said, ...expiryOf(expired_at), ...note], terminal)}`
}

const signs: Readonly<Record<string, { sign: string; style: Style }>> = {
  added: { sign: '+', style: 'green' },
  removed: { sign: '-', style: 'red' },
  changed: { sign: '~', style: 'yellow' },
  moved: { sign: '>', style: 'cyan' },
}

/** Changes of the state, a line each with its sign. */
export function changeLines(changes: Json | undefined, terminal: Terminal): string[] {
  return (changes as Shown[]).map((change) =>
    signed(change.op, `${text(change.key)}${text(change.path)}  ${whatChanged(change)}`, terminal),
  )
}

export function signed(op: Json | undefined, said: string, terminal: Terminal): string {
  const { sign = ' ', style } = signs[text(op)] ?? {}
  return `${terminal.paint(style, cut(safe(`${sign} ${said}`), terminal.columns))}\n`
}

/** How many there are between which points, and how to see more of them. */
export function countedBetween(count: number, { from, to, next_after: next }: Shown, terminal: Terminal): string {
  const more = next === undefined ? [] : [`more: --after ${compact(next)}`]
  return noteOf([...more, `${count} ${count === 1 ? 'difference' : 'differences'} between ${from} and ${to}`], terminal)
}

export const differences: View = (answer, terminal) => {
  const lines = changeLines(answer.changes, terminal)
  if (lines.length === 0) return `Nothing differs between ${answer.from} and ${answer.to}.\n`
  return `${lines.join('')}${countedBetween(lines.length, answer, terminal)}`
}

function whatChanged({ op, from, before, after }: Shown): string {
  if (op === 'added') return compact(after)
  if (op === 'removed') return compact(before)
  return op === 'moved' ? `${compact(after)}, from ${text(from)}` : `${compact(before)} → ${compact(after)}`
}

export const restored: View = ({ to, changed, seq }, terminal, { session }) => {
  const rows = changed as Shown[]
  if (rows.length === 0) return `Nothing to restore: everything is as it was at ${to}.\n`
  const lines = table<Shown>(
    [
      { title: 'KEY', cell: ({ key }) => text(key), flexible: true, style: () => 'bold' },
      { title: 'RESULT', cell: ({ deleted }) => (deleted === true ? 'deleted' : 'set') },
      { title: 'VERSION', cell: ({ version }) => text(version), right: true },
    ],
    rows,
    terminal,
  )
  const undo = `cairn state restore ${Number(seq) - rows.length}${session === undefined ? '' : ` --session ${session}`}`
  return `${lines}${noteOf([`as at ${to}; undo: ${undo}`], terminal)}`
}

/** As it goes into a prompt. */
export const summary: View = ({ summary }) => `${safeLines(JSON.stringify(summary, null, 2))}\n`
