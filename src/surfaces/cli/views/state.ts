import type { Answer } from '../../../domain/log/rows.ts'
import type { Json } from '../../../json/value.ts'
import { safe, safeLines } from '../output.ts'
import { type Column, cut, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { ago, until, type View } from './view.ts'

interface KeyShown {
  value: Json
  version: number
  updated_at: string
  updated_by: string | null
  expires_at?: string
}

function compact(value: unknown): string {
  return safe(JSON.stringify(value) ?? '')
}

function atVersion(version: unknown, terminal: Terminal): string {
  return terminal.paint('dim', `version ${version}`)
}

function counted(length: unknown): string {
  return length === 1 ? '1 item' : `${length} items`
}

/** The value alone, as JSON: it can be piped on. What else is to be known of the key is for a terminal only. */
export const oneValue: View = (answer, terminal, { own }) => {
  if (own.has('raw')) return rawValue(answer.value ?? null, terminal)
  const note = terminal.isTerminal ? lapseNote(answer) : ''
  return `${safeLines(JSON.stringify(answer.value, null, 2))}\n${note === '' ? '' : `${terminal.paint('dim', note)}\n`}`
}

/** The value for another program: a string as it is. A terminal would obey what is in it. */
function rawValue(value: Json, terminal: Terminal): string {
  if (typeof value !== 'string') return `${JSON.stringify(value)}\n`
  return `${terminal.isTerminal ? safeLines(value) : value}\n`
}

/** What makes a key go by itself. */
function lapseNote({ expires_at: at, ephemeral }: Answer): string {
  const time = typeof at === 'string' ? [`expires ${until(at)} (${at})`] : []
  return [...time, ...(ephemeral === true ? ['goes with its session'] : [])].join(', ')
}

/** What was waited for; a key that was to go has no value. */
export const waited: View = (answer, terminal, around) =>
  answer.absent === true ? `${safe(String(answer.key))} is absent\n` : oneValue(answer, terminal, around)

export const documentTable: View = ({ keys, version, seq }, terminal, { nameOf }) => {
  const rows = Object.entries(keys as unknown as { [key: string]: KeyShown })
  const note = terminal.paint('dim', `version ${version}, seq ${seq}`)
  if (rows.length === 0) return `No keys. ${note}\n`
  const isLapsing = rows.some(([, { expires_at }]) => expires_at !== undefined)
  const expiry: Column<(typeof rows)[number]>[] = isLapsing
    ? [{ title: 'EXPIRES', cell: ([, row]) => (row.expires_at === undefined ? '–' : until(row.expires_at)) }]
    : []
  const lines = table<(typeof rows)[number]>(
    [
      { title: 'KEY', cell: ([key]) => key, flexible: true, style: () => 'bold' },
      { title: 'VALUE', cell: ([, { value }]) => compact(value), flexible: true },
      { title: 'VERSION', cell: ([, { version }]) => String(version), right: true },
      { title: 'UPDATED', cell: ([, row]) => ago(row.updated_at) },
      ...expiry,
      { title: 'BY', cell: ([, row]) => nameOf(row.updated_by), flexible: true },
    ],
    rows,
    terminal,
  )
  return `${lines}${note}\n`
}

export const written: View = (answer, terminal) => {
  const { key, value, version } = answer
  const note = lapseNote(answer)
  const shown = cut(compact(value), Math.max(20, terminal.columns - 40))
  const line = `${terminal.paint('bold', safe(String(key)))} = ${shown}  ${atVersion(version, terminal)}\n`
  return note === '' ? line : `${line}${terminal.paint('dim', note)}\n`
}

/** A raw mutation: where it stands. */
export const mutated: View = ({ sequence_number: version, seq }, terminal) =>
  `Recorded  ${terminal.paint('dim', `version ${version} of the state, seq ${seq}`)}\n`

export const appended: View = ({ key, length, version }, terminal) =>
  `${terminal.paint('bold', safe(String(key)))} has ${counted(length)}  ${atVersion(version, terminal)}\n`

export const deleted: View = ({ key, version }, terminal) =>
  `${terminal.paint('bold', safe(String(key)))} deleted  ${atVersion(version, terminal)}\n`

export const replaced: View = ({ state, version }, terminal) => {
  const keys = Object.keys(state as object).length
  return `The state has ${keys} ${keys === 1 ? 'key' : 'keys'}  ${atVersion(version, terminal)}\n`
}

export const batchTable: View = ({ results }, terminal) =>
  table<{ [name: string]: Json }>(
    [
      { title: 'KEY', cell: ({ key }) => String(key), flexible: true, style: () => 'bold' },
      { title: 'RESULT', cell: resultOf, flexible: true },
      { title: 'VERSION', cell: ({ version }) => String(version), right: true },
    ],
    results as { [name: string]: Json }[],
    terminal,
  )

/** The keys that a patch touched, as those of a batch. */
export const patchTable: View = ({ keys, version, seq }, terminal, around) => {
  const results = Object.entries(keys as { [key: string]: Answer }).map(([key, shown]) => ({ key, ...shown }))
  const note = terminal.paint('dim', `version ${version}, seq ${seq}`)
  return results.length === 0 ? `Nothing changed. ${note}\n` : `${batchTable({ results }, terminal, around)}${note}\n`
}

function resultOf({ value, length, deleted }: { [name: string]: Json }): string {
  if (deleted === true) return 'deleted'
  return length === undefined ? compact(value) : counted(length)
}
