import { useState } from 'react'
import { show } from '../address/navigation.tsx'
import { useMoment } from '../live/moment.tsx'
import { LongText, plain, sizeOf } from '../parts/text.tsx'
import { Ago } from '../parts/time.tsx'
import type { SessionRow } from '../session/agents.ts'
import { ForkDialog } from '../session/fork-dialog.tsx'
import { CallItem } from './call-item.tsx'
import type { Item } from './entries.ts'
import { RewindDialog } from './rewind-dialog.tsx'

interface MessageItemProps {
  readonly item: Item
  readonly session: SessionRow
  /** The event of the item that follows. */
  readonly next: number | undefined
}

export function MessageItem({ item, session, next }: MessageItemProps) {
  const { entry } = item
  const isHidden = entry.hidden === true
  if (item.kind === 'mark') {
    return (
      <div className="mark-item">
        <span>{plain(item.text)}</span> <PointButtons {...{ item, session }} />
        {item.summary !== undefined && <LongText text={item.summary} />}
      </div>
    )
  }
  return (
    <article
      className={`message ${item.role} ${isHidden ? 'is-hidden' : ''}`}
      aria-label={`${item.role}, message ${entry.sequence_number}`}
    >
      <header className="message-head">
        <strong>{item.role}</strong>
        <span className="faint">{entry.sequence_number}</span>
        <span className="faint">
          <Ago time={entry.at} />
        </span>
        {isHidden && <span className="tag">hidden</span>}
        <PointButtons {...{ item, session }} />
      </header>
      {item.thinking.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a message never change places.
        <Thinking key={at} text={text} />
      ))}
      {item.texts.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <LongText key={at} text={text} />
      ))}
      {item.calls.map((call) => (
        <CallItem key={call.id} call={call} entry={entry} session={session} next={next} />
      ))}
      {item.others.length > 0 && <p className="faint">Not shown: {plain(item.others.join(', '))}</p>}
    </article>
  )
}

function Thinking({ text }: { text: string }) {
  return (
    <details className="thinking">
      <summary>
        Thinking <span className="faint">{sizeOf(text.length)}</span>
      </summary>
      <LongText text={text} />
    </details>
  )
}

/** What can be done with the point at which this was said. */
function PointButtons({ item: { entry }, session }: Pick<MessageItemProps, 'item' | 'session'>) {
  const { at } = useMoment()
  const [doing, setDoing] = useState<'rewind' | 'fork' | undefined>()
  const close = () => setDoing(undefined)
  return (
    <span className="point-buttons">
      <button
        type="button"
        className="quiet"
        onClick={() => show({ at: entry.seq }, 'push')}
        title="Show everything as it was then"
      >
        event {entry.seq}
      </button>
      {at === undefined && entry.hidden !== true && (
        <button type="button" className="quiet" onClick={() => setDoing('rewind')}>
          Rewind…
        </button>
      )}
      <button type="button" className="quiet" onClick={() => setDoing('fork')}>
        Fork…
      </button>
      {doing === 'rewind' && <RewindDialog session={session} point={entry.sequence_number} close={close} />}
      {doing === 'fork' && <ForkDialog at={entry.seq} close={close} />}
    </span>
  )
}
