import { plain } from '../parts/text.tsx'
import { VirtualRows } from '../parts/virtual-rows.tsx'
import { type EventShown, wordsOf } from './event-words.ts'
import { kindOf } from './kinds.ts'

const rowHeight = 26
const columns = ['Event', 'Time', 'By', 'What', 'About']

interface EventTableProps {
  readonly count: number
  readonly seqOf: (index: number) => number
  readonly eventOf: (index: number) => EventShown | undefined
  readonly names: ReadonlyMap<number, string>
  readonly selected: number | undefined
  readonly select: (index: number) => void
}

export function EventTable({ count, seqOf, eventOf, names, selected, select }: EventTableProps) {
  return (
    <VirtualRows
      label="Events"
      className="events"
      columns={columns}
      count={count}
      rowHeight={rowHeight}
      keyOf={(index) => String(seqOf(index))}
      selected={selected}
      select={select}
      sticksToEnd
      cells={(index) => cellsOf(seqOf(index), eventOf(index), names)}
    />
  )
}

function cellsOf(seq: number, event: EventShown | undefined, names: ReadonlyMap<number, string>): React.ReactNode[] {
  if (event === undefined) return [seq, '…', '', '', '']
  return [
    seq,
    <time key="time" dateTime={event.at} title={event.at}>
      {event.at.slice(11, 23)}
    </time>,
    <span key="by" title={event.actor}>
      {names.get(event.session_no) ?? `session ${event.session_no}`}
    </span>,
    <span key="what" className={`kind kind-${kindOf(event.stream)}`}>
      {event.type}
    </span>,
    <span key="about" className="about">
      {event.key !== null && <code>{plain(event.key)} </code>}
      <span className="faint">{wordsOf(event)}</span>
    </span>,
  ]
}
