import type { Json } from '../../../json/value.ts'
import { safe, safeLines } from '../output.ts'
import type { AnswerOf } from '../registry/presentation.ts'
import { type Column, cut, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { ago, shortId, until, type View, type ViewOf } from './view.ts'

/** What says that a key goes by itself. */
type Lapsing = { readonly expires_at?: string; readonly ephemeral?: true }
type Written = Lapsing & { readonly key: string; readonly value: Json; readonly version: number }
type Keys = AnswerOf<'state.all'>['keys']
/** What a batch and a patch say of a key: its value, its length, or that it is gone. */
type Result =
  | AnswerOf<'state.batch'>['results'][number]
  | (AnswerOf<'state.patch'>['keys'][string] & { readonly key: string })

function compact(value: Json): string {
  return safe(JSON.stringify(value))
}

function atVersion(version: number, terminal: Terminal): string {
  return terminal.paint('dim', `version ${version}`)
}

function counted(length: number): string {
  return length === 1 ? '1 item' : `${length} items`
}

/** The value alone, as JSON: it can be piped on. What else is to be known of the key is for a terminal only. */
export const oneValue: ViewOf<'state.get'> = (answer, terminal, { own }) => {
  if (own.has('raw')) return rawValue(answer.value, terminal)
  const notes = [terminal.isTerminal ? lapseNote(answer) : '', ...authorNotes(answer)].filter((note) => note !== '')
  const lines = notes.map((note) => `${terminal.paint('dim', note)}\n`)
  return `${safeLines(JSON.stringify(answer.value, null, 2))}\n${lines.join('')}`
}

/** Who gave it its value, and in which turn, where that was asked for. */
function authorNotes({ why }: AnswerOf<'state.get'>): string[] {
  if (why === undefined) return []
  if (why === null) return ['its past was removed: who wrote it is not known']
  const { session_name: name, session_id: id, at, seq, did, run, message } = why
  const who = `${did} (${name ?? shortId(id ?? 'nobody')}, ${ago(at)}, seq ${seq}${run === null ? '' : `, ${run}`})`
  if (message === null) return [safe(who), 'no turn of a conversation is known']
  const { sequence_number: place, tool, text } = message
  return [safe(who), safe(`message ${place} of its conversation called ${tool}${text === '' ? '' : `: ${text}`}`)]
}

/** The value for another program: a string as it is. A terminal would obey what is in it. */
function rawValue(value: Json, terminal: Terminal): string {
  if (typeof value !== 'string') return `${JSON.stringify(value)}\n`
  return `${terminal.isTerminal ? safeLines(value) : value}\n`
}

/** What makes a key go by itself. */
function lapseNote({ expires_at: at, ephemeral }: Lapsing): string {
  const time = at === undefined ? [] : [`expires ${until(at)} (${at})`]
  return [...time, ...(ephemeral ? ['goes with its session'] : [])].join(', ')
}

/** What was waited for; a key that was to go has no value. */
export const waited: ViewOf<'state.wait'> = (answer, terminal, around) =>
  'absent' in answer ? `${safe(answer.key)} is absent\n` : oneValue(answer, terminal, around)

export const documentTable: ViewOf<'state.all'> = ({ keys, version, seq }, terminal, { nameOf }) => {
  const rows = Object.entries<Keys[string]>(keys)
  const note = terminal.paint('dim', `version ${version}, seq ${seq}`)
  if (rows.length === 0) return `No keys. ${note}\n`
  const isLapsing = rows.some(([, { expires_at }]) => expires_at !== undefined)
  const expiry: Column<(typeof rows)[number]>[] = isLapsing
    ? [{ title: 'EXPIRES', cell: ([, row]) => (row.expires_at === undefined ? '–' : until(row.expires_at)) }]
    : []
  const lines = table<(typeof rows)[number]>(
    [
      { title: 'KEY', cell: ([key]) => key, flexible: true, style: () => 'bold' },
      {
        title: 'VALUE',
        cell: ([, row]) => ('value' in row ? compact(row.value) : `(${row.bytes} bytes)`),
        flexible: true,
      },
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

export const written: View<Written> = (answer, terminal) => {
  const { key, value, version } = answer
  const note = lapseNote(answer)
  const shown = cut(compact(value), Math.max(20, terminal.columns - 40))
  const line = `${terminal.paint('bold', safe(key))} = ${shown}  ${atVersion(version, terminal)}\n`
  return note === '' ? line : `${line}${terminal.paint('dim', note)}\n`
}

/** A raw mutation: where it stands. */
export const mutated: ViewOf<'state.mutate'> = ({ sequence_number: version, seq }, terminal) =>
  `Recorded  ${terminal.paint('dim', `version ${version} of the state, seq ${seq}`)}\n`

export const appended: ViewOf<'state.append' | 'state.setAdd' | 'state.setRemove'> = (
  { key, length, version },
  terminal,
) => `${terminal.paint('bold', safe(key))} has ${counted(length)}  ${atVersion(version, terminal)}\n`

export const deleted: ViewOf<'state.delete'> = ({ key, version }, terminal) =>
  `${terminal.paint('bold', safe(key))} deleted  ${atVersion(version, terminal)}\n`

export const replaced: ViewOf<'state.init' | 'state.replace'> = ({ state, version }, terminal) => {
  const keys = Object.keys(state).length
  return `The state has ${keys} ${keys === 1 ? 'key' : 'keys'}  ${atVersion(version, terminal)}\n`
}

export const batchTable: ViewOf<'state.batch'> = ({ results }, terminal) => resultTable(results, terminal)

/** The keys that a patch touched, as those of a batch. */
export const patchTable: ViewOf<'state.patch'> = ({ keys, version, seq }, terminal) => {
  const results = Object.entries(keys).map(([key, shown]) => ({ key, ...shown }))
  const note = terminal.paint('dim', `version ${version}, seq ${seq}`)
  return results.length === 0 ? `Nothing changed. ${note}\n` : `${resultTable(results, terminal)}${note}\n`
}

function resultTable(results: readonly Result[], terminal: Terminal): string {
  return table<Result>(
    [
      { title: 'KEY', cell: ({ key }) => key, flexible: true, style: () => 'bold' },
      { title: 'RESULT', cell: resultOf, flexible: true },
      { title: 'VERSION', cell: ({ version }) => String(version), right: true },
    ],
    results,
    terminal,
  )
}

function resultOf(result: Result): string {
  if ('deleted' in result) return 'deleted'
  if ('length' in result) return counted(result.length)
  return 'value' in result ? compact(result.value) : ''
}
