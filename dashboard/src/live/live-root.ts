import type { FeedEvent } from '../../../src/domain/log/event.ts'
import { cairn, type Failure, failureOf } from './calls.ts'
import type { FeedMessage } from './feed.ts'
import { type KeyShown, type Keys, keyFrom, lapseIn, readKeys } from './keys.ts'
import { RootRows, type RowsRead, shownParts } from './root-rows.ts'
import { Signal } from './signal.ts'

/** Reads the rows of a root as they are, or were after an event. */
export async function readRows(root: string, at?: number): Promise<RootRows> {
  const [first, ...others] = shownParts
  const readPart = (name: string, place: number | undefined) => {
    const table = name === 'conversations' ? { table: 'streams' } : {}
    const moment = place === undefined ? {} : { at: place }
    return cairn.log.rows({ session: root, part: name, ...table, ...moment }) as Promise<RowsRead>
  }
  const reading = readPart(first?.name ?? '', at)
  // Now is whatever moment the first of them is of.
  const place = at ?? (await reading).seq
  const rest = [...others.map(({ name }) => name), 'conversations'].map((name) => readPart(name, place))
  return new RootRows(root, await Promise.all([reading, ...rest]))
}

/** The root that is looked at, as it is now: read once and then taken further with each event. */
export class LiveRoot {
  readonly id: string
  readonly signal = new Signal()
  /** Told of each event, for views that keep a list of them. */
  onEvents: (events: readonly FeedEvent[]) => void = () => undefined
  #rows: RootRows | undefined
  #keys = new Map<string, KeyShown>()
  #keysSeq = 0
  #lapses = new Map<string, Pick<KeyShown, 'expires_at' | 'ephemeral'>>()
  #failure: Failure | undefined
  #missed: FeedMessage[] | undefined
  #reading = 0

  constructor(id: string) {
    this.id = id
  }

  get rows(): RootRows | undefined {
    return this.#rows
  }

  /** A new map each time that something changed. */
  get keys(): Keys {
    return this.#keys
  }

  get failure(): Failure | undefined {
    return this.#failure
  }

  /** Reads all of it; what comes meanwhile is applied afterwards. */
  async read(): Promise<void> {
    this.#reading += 1
    const turn = this.#reading
    this.#missed = []
    try {
      const [rows, { keys, seq }] = await Promise.all([readRows(this.id), readKeys(this.id)])
      if (turn !== this.#reading) return
      const missed = this.#missed
      this.#missed = undefined
      this.#rows = rows
      this.#keys = keys
      this.#keysSeq = seq
      this.#failure = undefined
      this.apply(missed)
    } catch (error) {
      if (turn !== this.#reading) return
      this.#missed = undefined
      this.#failure = failureOf(error)
    }
    this.signal.changed()
  }

  apply(messages: readonly FeedMessage[]): void {
    if (this.#missed !== undefined) {
      this.#missed.push(...messages)
      return
    }
    const events: FeedEvent[] = []
    const keys = new Map(this.#keys)
    for (const message of messages) {
      if (message.type === 'event') {
        if (this.#take(message.event)) events.push(message.event)
      } else if (message.type === 'state_reset') void this.read()
      else if (message.seq > this.#keysSeq) {
        if (message.type === 'state_key_deleted') keys.delete(message.key)
        else keys.set(message.key, keyFrom(message, this.#lapseOf(message.key)))
      }
    }
    this.#keys = keys
    if (events.length > 0) this.onEvents(events)
    this.signal.changed()
  }

  #lapseOf(key: string): Pick<KeyShown, 'expires_at' | 'ephemeral'> {
    const said = this.#lapses.get(key)
    this.#lapses.delete(key)
    if (said !== undefined) return said
    const { expires_at, ephemeral } = this.#keys.get(key) ?? {}
    return { ...(expires_at && { expires_at }), ...(ephemeral && { ephemeral }) }
  }

  /** Whether it is the next one; where one is missing, all is read again. */
  #take(event: FeedEvent): boolean {
    const rows = this.#rows
    if (rows === undefined || event.seq <= rows.seq) return false
    if (event.seq > rows.seq + 1) {
      void this.read()
      return false
    }
    const lapse = lapseIn(event)
    if (lapse !== undefined && event.key !== null) this.#lapses.set(event.key, lapse)
    try {
      rows.apply(event)
    } catch (error) {
      // A server of another version may know facts that this page does not: what it makes of them can be read.
      console.warn(error)
      void this.read()
    }
    return true
  }
}
