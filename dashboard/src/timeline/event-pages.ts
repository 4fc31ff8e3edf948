import { cairn, type Failure, failureOf } from '../live/calls.ts'
import { Signal } from '../live/signal.ts'
import type { EventShown } from './event-words.ts'
import { type Kind, kindOf } from './kinds.ts'

const pageEvents = 100
/** As many as are remembered; those that were looked at longest ago go first. */
const pagesMax = 60
/** So far back is looked for what a filter wants before it is asked whether to go on. */
const searchedMax = 5000

export interface Filter {
  readonly kind: Kind | undefined
  readonly session: number | undefined
  readonly text: string
}

export function isFiltering({ kind, session, text }: Filter): boolean {
  return kind !== undefined || session !== undefined || text !== ''
}

/** The log of a root, read where it is looked at: places in it are dense, so that the row of each is known before it is read. */
export class EventPages {
  readonly signal = new Signal()
  readonly #root: string
  readonly #pages = new Map<number, readonly EventShown[]>()
  readonly #asked = new Set<number>()
  failure: Failure | undefined

  constructor(root: string) {
    this.#root = root
  }

  /** Undefined while it is read. */
  event(seq: number): EventShown | undefined {
    const page = Math.floor((seq - 1) / pageEvents)
    const events = this.#pages.get(page)
    const found = events?.find((event) => event.seq === seq)
    if (found === undefined) void this.#read(page)
    return found
  }

  /** New ones are put where they belong, so that they are not read again. */
  add(events: readonly EventShown[]): void {
    for (const event of events) {
      const page = Math.floor((event.seq - 1) / pageEvents)
      const known = this.#pages.get(page)
      if (known !== undefined && known.at(-1)?.seq === event.seq - 1) this.#pages.set(page, [...known, event])
    }
  }

  /** The newest that match up to a place, looked for backwards; and down to where. */
  async find(filter: Filter, upto: number): Promise<{ found: EventShown[]; searched: number }> {
    const found: EventShown[] = []
    const end = Math.max(0, upto - searchedMax)
    let place = upto
    while (place > end && found.length < pageEvents * 2) {
      const answer = await cairn.log.list({ session: this.#root, at: place, limit: 500 })
      const events = answer.events as unknown as EventShown[]
      found.unshift(...events.filter((event) => matches(event, filter)))
      place = answer.has_more ? (events[0]?.seq ?? 1) - 1 : 0
    }
    return { found, searched: place }
  }

  async #read(page: number): Promise<void> {
    if (this.#asked.has(page)) return
    this.#asked.add(page)
    try {
      let after = page * pageEvents
      const events: EventShown[] = []
      // One answer holds as many as have 4 MiB in all.
      for (let more = true; more && after < (page + 1) * pageEvents; ) {
        const left = (page + 1) * pageEvents - after
        const answer = await cairn.log.list({ session: this.#root, since: after, limit: left })
        const read = answer.events as unknown as EventShown[]
        events.push(...read)
        after += read.length
        more = answer.has_more && read.length > 0
      }
      this.#pages.delete(page)
      this.#pages.set(page, events)
      for (const old of this.#pages.keys()) if (this.#pages.size > pagesMax) this.#pages.delete(old)
      this.failure = undefined
    } catch (error) {
      this.failure = failureOf(error)
    }
    this.#asked.delete(page)
    this.signal.changed()
  }
}

export function matches({ stream, session_no, type, key, data, actor }: EventShown, filter: Filter): boolean {
  if (filter.kind !== undefined && kindOf(stream) !== filter.kind) return false
  if (filter.session !== undefined && session_no !== filter.session) return false
  if (filter.text === '') return true
  const wanted = filter.text.toLowerCase()
  const texts = [type, key ?? '', actor]
  return (
    texts.some((text) => text.toLowerCase().includes(wanted)) || JSON.stringify(data).toLowerCase().includes(wanted)
  )
}
