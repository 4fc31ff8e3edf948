import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { runs } from '../../../src/domain/runs/tables.ts'
import { useMoment } from '../live/moment.tsx'
import { AsCommand, atFlag } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Empty, Failed, Waiting } from '../parts/notice.tsx'
import type { SessionRow } from '../session/agents.ts'
import { itemsOf } from './entries.ts'
import { MessageItem } from './message-item.tsx'
import { useTranscript } from './transcript-read.ts'
import { UsageWords, usageOf } from './usage.tsx'

interface TranscriptProps {
  readonly session: SessionRow
  readonly version: number
  readonly point: number | undefined
}

const estimated = 90

export function Transcript({ session, version, point }: TranscriptProps) {
  const { at, rows } = useMoment()
  const { entries, failure } = useTranscript(session.id, at, version)
  const [showsHidden, setShowsHidden] = useState(true)
  const items = useMemo(() => itemsOf(entries ?? []), [entries])
  const shown = showsHidden ? items : items.filter(({ entry }) => entry.hidden !== true)
  const hidden = items.filter(({ entry }) => entry.hidden === true).length
  const own = rows?.all(runs).filter(({ no }) => no === session.no) ?? []
  if (failure !== undefined) return <Failed failure={failure} />
  if (entries === undefined) return <Waiting what="the conversation" />
  return (
    <div className="transcript">
      <div className="tools">
        <UsageWords usage={usageOf(own)} />
        {hidden > 0 && (
          <label>
            <input type="checkbox" checked={showsHidden} onChange={() => setShowsHidden(!showsHidden)} /> {hidden}{' '}
            hidden
          </label>
        )}
        <AsCommand words={['context', 'show', shortId(session.id), ...atFlag(at)]} />
      </div>
      {shown.length === 0 ? (
        <Empty title="Nothing was said here yet" />
      ) : (
        <Items items={shown} point={point} session={session} />
      )}
    </div>
  )
}

function Items({
  items,
  point,
  session,
}: {
  items: ReturnType<typeof itemsOf>
  point: number | undefined
  session: SessionRow
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimated,
    getItemKey: (index) => items[index]?.entry.sequence_number ?? index,
    overscan: 6,
  })
  const atEnd = useRef(true)
  const { scrollToIndex } = rows
  const target = point === undefined ? -1 : items.findLastIndex(({ entry }) => entry.sequence_number <= point)
  useEffect(() => {
    if (target >= 0) scrollToIndex(target, { align: 'center' })
  }, [target, scrollToIndex])
  useEffect(() => {
    if (point === undefined && atEnd.current) scrollToIndex(items.length - 1, { align: 'end' })
  }, [items.length, point, scrollToIndex])
  const scrolled = () => {
    const box = scroller.current
    if (box !== null) atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < estimated
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
    <section className="items" ref={scroller} onScroll={scrolled} tabIndex={0} aria-label="Messages">
      <ol className="items-all" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index]
          return (
            <li
              key={key}
              data-index={index}
              ref={rows.measureElement}
              style={{ transform: `translateY(${start}px)` }}
              className={index === target ? 'target' : ''}
            >
              {item !== undefined && <MessageItem item={item} session={session} next={items[index + 1]?.entry.seq} />}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
