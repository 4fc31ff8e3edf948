import type { Answer } from '../../../domain/log/rows.ts'
import type { Json } from '../../../json/value.ts'
import { safe, safeLines } from '../output.ts'
import { cut, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { ago, shortId, type View } from './view.ts'

interface KeyShown {
  value: Json
  version: number
  updated_at: string
  updated_by: string | null
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

/** The value alone, as JSON: it can be piped on. */
export const oneValue: View = ({ value }) => `${safeLines(JSON.stringify(value, null, 2))}\n`

/** What was waited for; a key that was to go has no value. */
export const waited: View = (answer, terminal) =>
  answer.absent === true ? `${safe(String(answer.key))} is absent\n` : oneValue(answer, terminal)

export const documentTable: View = ({ keys, version, seq }, terminal) => {
  const rows = Object.entries(keys as unknown as { [key: string]: KeyShown })
  const note = terminal.paint('dim', `version ${version}, sequence ${seq}`)
  if (rows.length === 0) return `No keys. ${note}\n`
  const lines = table<(typeof rows)[number]>(
    [
      { title: 'KEY', cell: ([key]) => key, flexible: true, style: () => 'bold' },
      { title: 'VALUE', cell: ([, { value }]) => compact(value), flexible: true },
      { title: 'VERSION', cell: ([, { version }]) => String(version), right: true },
      { title: 'UPDATED', cell: ([, row]) => ago(row.updated_at) },
      { title: 'BY', cell: ([, row]) => shortId(row.updated_by) },
    ],
    rows,
    terminal,
  )
  return `${lines}${note}\n`
}

export const written: View = ({ key, value, version }, terminal) => {
  const shown = cut(compact(value), Math.max(20, terminal.columns - 40))
  return `${terminal.paint('bold', safe(String(key)))} = ${shown}  ${atVersion(version, terminal)}\n`
}

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
export const patchTable: View = ({ keys, version, seq }, terminal) => {
  const results = Object.entries(keys as { [key: string]: Answer }).map(([key, shown]) => ({ key, ...shown }))
  const note = terminal.paint('dim', `version ${version}, sequence ${seq}`)
  return results.length === 0 ? `Nothing changed. ${note}\n` : `${batchTable({ results }, terminal)}${note}\n`
}

function resultOf({ value, length, deleted }: { [name: string]: Json }): string {
  if (deleted === true) return 'deleted'
  return length === undefined ? compact(value) : counted(length)
}
