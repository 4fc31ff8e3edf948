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
}

const columns: readonly Column<EventShown>[] = [
  { title: 'SEQ', cell: ({ seq }) => String(seq), right: true, style: () => 'bold' },
  { title: 'TIME', cell: ({ at }) => ago(at) },
  { title: 'SESSION', cell: ({ session_id }) => shortId(session_id) },
  { title: 'STREAM', cell: ({ stream }) => stream },
  { title: 'TYPE', cell: ({ type }) => type, style: () => 'cyan' },
  { title: 'KEY', cell: ({ key }) => key ?? '', flexible: true },
  { title: 'DATA', cell: ({ data }) => (data === null ? '' : JSON.stringify(data)), flexible: true },
]

function withRest(lines: string, shown: readonly EventShown[], more: unknown, terminal: Terminal): string {
  const last = shown.at(-1)?.seq
  return more === true ? `${lines}${terminal.paint('dim', `more: --since ${last}`)}\n` : lines
}

export const logTable: View = ({ events, has_more }, terminal) => {
  const rows = events as unknown as EventShown[]
  if (rows.length === 0) return 'No events.\n'
  return withRest(table(columns, rows, terminal), rows, has_more, terminal)
}

/** Events of the state are numbered by its version, and their data stand beside the rest. */
export const eventTable: View = ({ events, has_more }, terminal) => {
  const rows = (events as { [name: string]: Json }[]).map((event) => {
    const { event_id, type, key, session_id, changed_by, timestamp, seq, sequence_number, root_seq, ...data } = event
    return { seq, at: timestamp, session_id, type, key, data, stream: 'state' } as unknown as EventShown
  })
  if (rows.length === 0) return 'No events.\n'
  const own = columns.filter(({ title }) => title !== 'STREAM')
  return withRest(table(own, rows, terminal), rows, has_more, terminal)
}
