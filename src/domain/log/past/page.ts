import type { EventToShow } from '../event.ts'
import { type Asking, ask } from '../questions.ts'
import { aboutLog } from '../sql/about-log.ts'

/** What the bodies of one page of events may come to: a page is read and sent as one, and holds up everybody else meanwhile. */
const pageBytesMax = 4 * 1024 * 1024

/** So few are read without a look at their sizes: whoever follows the log is mostly told of one or two. */
const fewEvents = 8

/** How many of the first fit on one page; one does, whatever its size. */
export function fitting(sizes: readonly { readonly bytes: number }[], bytesMax = pageBytesMax): number {
  let bytes = 0
  const tooMany = sizes.findIndex((event) => {
    bytes += event.bytes
    return bytes > bytesMax
  })
  return tooMany < 0 ? sizes.length : Math.max(tooMany, 1)
}

/** The events after a place in the log, as many of them as fit on one page. There are more until nothing comes. */
export function* pageAfter(root: number, since: number, count: number): Asking<readonly EventToShow[]> {
  const first = yield* ask(aboutLog.events_since, root, since, Math.min(fewEvents, count))
  const last = first.at(-1)
  if (last === undefined || first.length < fewEvents || count === fewEvents) return first
  const left = pageBytesMax - first.reduce((sum, { data }) => sum + (data?.length ?? 0), 0)
  if (left <= 0) return first
  const sizes = yield* ask(aboutLog.event_sizes, root, last.seq, count - fewEvents)
  if (sizes.length === 0) return first
  return [...first, ...(yield* ask(aboutLog.events_since, root, last.seq, fitting(sizes, left)))]
}
