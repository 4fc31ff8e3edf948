import type { Json } from '../../../json/value.ts'
import { type Column, LineTable, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { type Around, ago, clockTime, type ViewOf } from './view.ts'

interface EventShown {
  seq: number
  /** Of its stream. */
  version: number
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

function columnsFor({ nameOf }: Around): Column<EventShown>[] {
  return [
    { title: 'SEQ', cell: ({ seq }) => String(seq), right: true, style: () => 'bold' },
    { title: 'TIME', cell: ({ at }) => ago(at) },
    { title: 'BY', cell: ({ session_id }) => nameOf(session_id), flexible: true },
    { title: 'STREAM', cell: ({ stream }) => stream },
    { title: 'TYPE', cell: ({ type }) => type, style: () => 'cyan' },
    { title: 'KEY', cell: ({ key }) => key ?? '', flexible: true },
    { title: 'DATA', cell: dataOf, flexible: true },
  ]
}

/** How wide the columns of events are that are shown as they happen. */
const widths: Readonly<Record<string, number>> = { SEQ: 5, TIME: 8, BY: 22, STREAM: 9, TYPE: 16, KEY: 16, DATA: 20 }

/** The same columns for events that come one by one; their time is that of the clock, as lines stay on the screen. */
export function eventLines(around: Around, terminal: Terminal): LineTable<EventShown> {
  const columns = columnsFor(around).map((column) => ({ ...column, width: widths[column.title] ?? 8 }))
  const timed = columns.map((column) =>
    column.title === 'TIME' ? { ...column, cell: ({ at }: EventShown) => clockTime(at) } : column,
  )
  return new LineTable(timed, terminal)
}

function withNote(lines: string, note: string | undefined, terminal: Terminal): string {
  return note === undefined ? lines : `${lines}${terminal.paint('dim', note)}\n`
}

export const logTable: ViewOf<'log.list' | 'log.wait'> = (answer, terminal, around) => {
  const { events, next_since: since } = answer
  if (events.length === 0) return 'No events.\n'
  const earlier = 'next_at' in answer && answer.next_at !== undefined ? `earlier: --at ${answer.next_at}` : undefined
  return withNote(
    table(columnsFor(around), events, terminal),
    since === undefined ? earlier : `more: --since ${since}`,
    terminal,
  )
}

/** Events of the state have its version too, and their data stand beside the rest. */
export const eventTable: ViewOf<'state.events'> = ({ events, has_more }, terminal, around) => {
  const rows = events.map((event): EventShown => {
    const { event_id, type, key, session_id, changed_by, timestamp, seq, sequence_number, root_seq, ...data } = event
    return { seq: root_seq, version: seq, at: timestamp, session_id, type, key, data, stream: '' }
  })
  if (rows.length === 0) return 'No events.\n'
  const [place, ...others] = columnsFor(around).filter(({ title }) => title !== 'STREAM')
  const version: Column<EventShown> = { title: 'VERSION', cell: ({ version }) => String(version), right: true }
  const note = has_more === true ? `more: --since ${rows.at(-1)?.seq}` : undefined
  return withNote(table([place as Column<EventShown>, version, ...others], rows, terminal), note, terminal)
}
