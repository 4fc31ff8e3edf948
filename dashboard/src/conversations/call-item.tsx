import { useState } from 'react'
import type { Json } from '../../../src/json/value.ts'
import { show } from '../address/navigation.tsx'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import { useMoment } from '../live/moment.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { LongText, plain } from '../parts/text.tsx'
import { lineOf } from '../parts/value-line.tsx'
import type { SessionRow } from '../session/agents.ts'
import { type EventShown, wordsOf } from '../timeline/event-words.ts'
import type { CallShown, Entry } from './entries.ts'

interface CallItemProps {
  readonly call: CallShown
  readonly entry: Entry
  readonly session: SessionRow
  readonly next: number | undefined
}

/** A call with its result, folded into a line; one whose outcome nobody knows stands out. */
export function CallItem({ call, entry, session, next }: CallItemProps) {
  const { result } = call
  const [isOpen, setOpen] = useState(false)
  const outcome =
    result === undefined ? 'no result yet' : result.isUnknown ? 'outcome unknown' : result.isError ? 'failed' : 'done'
  const look = result?.isUnknown ? 'unknown' : result?.isError ? 'error' : ''
  return (
    <details className={`call ${look}`} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code>{plain(call.name)}</code> <span className="faint call-input">{plain(inputLine(call.input))}</span>
        <span className="call-outcome">{outcome}</span>
      </summary>
      {isOpen && (
        <>
          <h4>Input</h4>
          <Input text={call.input} />
          {result !== undefined && (
            <>
              <h4>Result</h4>
              <LongText text={result.text} />
            </>
          )}
          <Changed call={call.id} from={entry.seq} upto={result?.entry.seq ?? next} session={session} />
        </>
      )}
    </details>
  )
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** A long input is not parsed to show a line of it. */
const parsedMax = 10_000

function inputLine(text: string): string {
  const value = text.length > parsedMax ? undefined : parsed(text)
  return value === undefined ? text.slice(0, 120) : lineOf(value, 120)
}

function Input({ text }: { text: string }) {
  const value = parsed(text)
  return value === undefined ? <LongText text={text} /> : <JsonTree value={value} />
}

/** More events than lie between a call and its result. */
const eventsMax = 1000

/** From a message to the state it changed. */
function Changed({
  call,
  from,
  upto,
  session,
}: {
  call: string
  from: number
  upto: number | undefined
  session: SessionRow
}) {
  const { last, root } = useMoment()
  const end = Math.min(upto ?? last, from + eventsMax)
  const read = useAsked(`${root} ${call} ${from} ${end}`, () =>
    cairn.log.list({ session: root, stream: 'state', since: from, at: end, limit: eventsMax }),
  )
  const events = ((read.answer?.events ?? []) as unknown as EventShown[]).filter((event) => {
    const cause = event.cause as { call?: string } | null
    return event.session_no === session.no && cause?.call === call
  })
  if (events.length === 0) return null
  return (
    <>
      <h4>Changed</h4>
      <ul>
        {events.map((event) => (
          <li key={event.seq}>
            <button
              type="button"
              className="quiet"
              onClick={() => show({ tab: 'state', ...(event.key !== null && { key: event.key }) }, 'push')}
            >
              {plain(event.key ?? 'the document')}
            </button>{' '}
            <span className="faint">
              {event.type} {wordsOf(event)}, event {event.seq}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
