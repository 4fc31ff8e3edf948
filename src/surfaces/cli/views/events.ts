import type { Json } from '../../../json/value.ts'
import { type Column, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { ago, shortId, type View } from './view.ts'

interface EventShown {
  seq: number
  at: string
  session_id: string | null
  stream: string
  type: string
  key: string | null
  data: Json
  /** Where the data are that are not here. */
  body?: string
}

function dataOf({ data, body }: EventShown): string {
  return data === null ? `(${body})` : JSON.stringify(data)
}

const columns: readonly Column<EventShown>[] = [
  { title: 'SEQ', cell: ({ seq }) => String(seq), right: true, style: () => 'bold' },
  { title: 'TIME', cell: ({ at }) => ago(at) },
  { title: 'SESSION', cell: ({ session_id }) => shortId(session_id) },
  { title: 'STREAM', cell: ({ stream }) => stream },
  { title: 'TYPE', cell: ({ type }) => type, style: () => 'cyan' },
  { title: 'KEY', cell: ({ key }) => key ?? '', flexible: true },
  { title: 'DATA', cell: dataOf, flexible: true },
]

function withNote(lines: string, note: string | undefined, terminal: Terminal): string {
  return note === undefined ? lines : `${lines}${terminal.paint('dim', note)}\n`
}

export const logTable: View = ({ events, next_since: since, next_at: at }, terminal) => {
  const rows = events as unknown as EventShown[]
  if (rows.length === 0) return 'No events.\n'
  const earlier = at === undefined ? undefined : `earlier: --at ${at}`
  return withNote(table(columns, rows, terminal), since === undefined ? earlier : `more: --since ${since}`, terminal)
}

/** Events of the state are numbered by its version, and their data stand beside the rest. */
export const eventTable: View = ({ events, has_more }, terminal) => {
  const rows = (events as { [name: string]: Json }[]).map((event) => {
    const { event_id, type, key, session_id, changed_by, timestamp, seq, sequence_number, root_seq, ...data } = event
    return { seq, at: timestamp, session_id, type, key, data, stream: 'state' } as unknown as EventShown
  })
  if (rows.length === 0) return 'No events.\n'
  const own = columns.filter(({ title }) => title !== 'STREAM')
  const note = has_more === true ? `more: --since ${rows.at(-1)?.seq}` : undefined
  return withNote(table(own, rows, terminal), note, terminal)
}
