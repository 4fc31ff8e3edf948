import type { FeedEvent } from '../../../domain/log/event.ts'
import type { Changes, KeyChange } from '../../../domain/state/past/changes.ts'

/** What the events of a root after one changed, of as many as are read at once. */
export type ReadChanges = (root: string, after: number) => Promise<Changes>

interface Stretch extends Pick<Changes, 'upto' | 'floor'> {
  readonly root: string
  readonly after: number
  readonly keys: ReadonlyMap<number, readonly KeyChange[] | null>
}

/** What each event of a feed made of keys. Events come in order, so many of them are read at once. */
export class KeyChanges {
  readonly #read: ReadChanges
  #stretch: Stretch | undefined

  constructor(read: ReadChanges) {
    this.#read = read
  }

  /** Undefined where that cannot be told key by key. */
  async of({ root_session_id: root, seq, key }: FeedEvent): Promise<readonly KeyChange[] | undefined> {
    const { keys, floor } = await this.#stretchOf(root, seq)
    const changed = keys.get(seq) ?? (keys.has(seq) ? undefined : [])
    // Whoever says that a key changed without saying what it is now would be believed.
    const isLost = seq < floor || (key !== null && changed?.length === 0)
    return isLost ? undefined : changed
  }

  async #stretchOf(root: string, seq: number): Promise<Stretch> {
    const known = this.#stretch
    if (known?.root === root && known.after < seq && seq <= known.upto) return known
    const { events, upto, floor } = await this.#read(root, seq - 1)
    const keys = new Map(events.map((event) => [event.seq, event.keys]))
    this.#stretch = { root, after: seq - 1, upto, floor, keys }
    return this.#stretch
  }
}
