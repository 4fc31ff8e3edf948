import { useEffect, useState } from 'react'
import { show } from '../address/navigation.tsx'
import { useAsked } from '../live/asked.ts'
import { Failed } from '../parts/notice.tsx'
import type { EventPages, Filter } from './event-pages.ts'
import { EventTable } from './event-table.tsx'
import type { EventShown } from './event-words.ts'

interface FoundEventsProps {
  readonly pages: EventPages
  readonly filter: Filter
  readonly end: number
  readonly names: ReadonlyMap<number, string>
  readonly selected: number | undefined
}

/** So long after the last letter it is looked for. */
const pauseMs = 250

/** The events that match, the newest at the end; it says how far back was looked. */
export function FoundEvents({ pages, filter, end, names, selected }: FoundEventsProps) {
  const wanted = `${filter.kind} ${filter.session} ${filter.text}`
  const [settled, setSettled] = useState(wanted)
  const [older, setOlder] = useState<{ name: string; found: readonly EventShown[]; searched: number }>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), pauseMs)
    return () => clearTimeout(timer)
  }, [wanted])
  const name = `${settled} ${end}`
  const first = useAsked(settled === wanted ? name : undefined, () => pages.find(filter, end))
  const more = older?.name === name ? older : undefined
  const found = [...(more?.found ?? []), ...(first.answer?.found ?? [])]
  const searched = more?.searched ?? first.answer?.searched ?? end
  const goOn = async () => {
    const next = await pages.find(filter, searched)
    setOlder({ name, found: [...next.found, ...(more?.found ?? [])], searched: next.searched })
  }
  if (first.failure !== undefined) return <Failed failure={first.failure} again={first.again} />
  const at = found.findIndex(({ seq }) => seq === selected)
  return (
    <>
      <p className="found faint" role="status">
        {first.isWaiting && 'Looking… '}
        {found.length} found from event {searched + 1} on.{' '}
        {searched > 0 && !first.isWaiting && (
          <button type="button" className="quiet" onClick={goOn}>
            Look further back
          </button>
        )}
      </p>
      <EventTable
        count={found.length}
        seqOf={(index) => found[index]?.seq ?? 0}
        eventOf={(index) => found[index]}
        names={names}
        selected={at < 0 ? undefined : at}
        select={(index) => show({ event: found[index]?.seq, key: undefined })}
      />
    </>
  )
}
