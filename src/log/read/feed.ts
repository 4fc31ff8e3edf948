import { type FeedEvent, showEvent } from '../../domain/log/event.ts'
import { type FeedFilter, type FollowOptions, isWanted } from '../../domain/log/feed-filter.ts'
import { follows, historyLost, type Seen } from '../../domain/log/history.ts'
import { ask, type EventShown } from '../../domain/log/questions.ts'
import { CairnRefusal, type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { RootRow } from '../../domain/log/tables.ts'
import { isPlanted } from '../../failpoint.ts'
import type { Engine } from '../../store/engine.ts'

const nothingSeen: Seen = { seq: 0 }

/** Events read at once while a reader catches up. */
const pageEvents = 500

/**
 * The tail of the log: catches up from the store, then goes on as events come, in this process and in others. A reader
 * has nothing but its sequence, so a slow one holds nobody up, and nothing is ever skipped or repeated.
 */
export class Feed {
  readonly #engine: Engine
  readonly #sleepers = new Map<Sleeper, string | undefined>()
  #watching: { stop(): void } | undefined
  #closed = false

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** The events of one root after `since`, without end. */
  async *from(root: string, options: FollowOptions): AsyncGenerator<FeedEvent, void> {
    const sleeper = this.enter(root, options.signal)
    try {
      let seen: Seen = { seq: options.since ?? 0 }
      while (!sleeper.ended) {
        sleeper.moved = false
        for (let page = await this.#next(root, seen); page.length > 0; page = await this.#next(root, seen)) {
          for (const row of page) {
            seen = row
            if (isWanted(row, options)) yield row.data === null ? await this.#compacted(row) : shown(row)
          }
        }
        await sleeper.sleep()
      }
    } finally {
      this.leave(sleeper)
    }
  }

  /** The events of all roots: each root in its order. `since` says where to go on for roots that are known. */
  async *fromAll(since: ReadonlyMap<string, number>, options: FeedFilter): AsyncGenerator<FeedEvent, void> {
    const sleeper = this.enter(undefined, options.signal)
    const seen = new Map<string, Seen>(Array.from(since, ([root, seq]) => [root, { seq }]))
    const seenOf = (root: string) => seen.get(root) ?? nothingSeen
    try {
      while (!sleeper.ended) {
        sleeper.moved = false
        for (const head of await this.#heads()) {
          if (head.seq < seenOf(head.root).seq) throw historyLost('log', head.seq, seenOf(head.root).seq)
          while (seenOf(head.root).seq < head.seq) {
            const page = await this.#next(head.root, seenOf(head.root))
            // The root was removed since its head was read.
            if (page.length === 0) break
            for (const row of page) {
              seen.set(row.root, row)
              if (isWanted(row, options)) yield row.data === null ? await this.#compacted(row) : shown(row)
            }
          }
        }
        await sleeper.sleep()
      }
    } finally {
      this.leave(sleeper)
    }
  }

  close(): void {
    this.#closed = true
    for (const sleeper of this.#sleepers.keys()) sleeper.end()
    this.#watching?.stop()
  }

  /** What comes after what was seen. A reader that has seen what is not there any more is told so: it would wait for ever. */
  async #next(root: string, seen: Seen): Promise<readonly EventShown[]> {
    const page = await this.#page(root, seen.seq)
    const [first] = page
    if (first === undefined) await this.#refuseShorter(root, seen)
    else if (!follows(first, seen)) throw historyLost('log', first.seq, seen.seq)
    return isPlanted('reorder-feed') ? [...page].reverse() : page
  }

  async #refuseShorter(root: string, seen: Seen): Promise<void> {
    if (seen.seq === 0 || this.#closed) return
    const [head] = await this.#engine.read(ask('head', root), false)
    if ((head?.seq ?? 0) < seen.seq) throw historyLost('log', head?.seq ?? 0, seen.seq)
  }

  /** Nothing once it was closed: readers then come to their end. */
  async #page(root: string, since: number): Promise<readonly EventShown[]> {
    return this.#closed ? [] : this.#engine.read(ask('events_since', root, since, pageEvents), false)
  }

  async #heads(): Promise<readonly RootRow[]> {
    return this.#closed ? [] : this.#engine.read(ask('all_roots'), false)
  }

  /** A reader who would be given an event without its body is told where to go on instead. */
  async #compacted(row: EventShown): Promise<never> {
    const [stream] = await this.#engine.read(ask('stream', row.root, row.stream), false)
    throw new CairnRefusal(compacted(row, Math.max(row.seq, stream?.floor ?? 0)))
  }

  /** Somebody listens to other processes only while somebody here wants to know. */
  enter(root: string | undefined, signal: AbortSignal | undefined): Sleeper {
    const sleeper = new Sleeper(signal)
    this.#sleepers.set(sleeper, root)
    this.#watching ??= this.#engine.watch((roots) => this.moved(roots))
    return sleeper
  }

  leave(sleeper: Sleeper): void {
    this.#sleepers.delete(sleeper)
    if (this.#sleepers.size > 0) return
    this.#watching?.stop()
    this.#watching = undefined
  }

  /** These roots, or any, may have new events. Only a hint: a reader reads from its own sequence. */
  moved(roots: readonly string[] | undefined): void {
    if (isPlanted('drop-notify')) return
    for (const [sleeper, root] of this.#sleepers) {
      if (root === undefined || roots === undefined || roots.includes(root)) sleeper.wake()
    }
  }
}

/** A reader that has read everything and waits for more. */
export class Sleeper {
  moved = false
  ended = false
  #wake: (() => void) | undefined

  constructor(signal: AbortSignal | undefined) {
    signal?.addEventListener('abort', () => this.end(), { once: true })
    if (signal?.aborted) this.ended = true
  }

  /** Returns at once if something moved since `moved` was last cleared. */
  async sleep(): Promise<void> {
    if (this.moved || this.ended) return
    await new Promise<void>((resolve) => {
      this.#wake = resolve
    })
  }

  wake(): void {
    this.moved = true
    this.#wake?.()
    this.#wake = undefined
  }

  end(): void {
    this.ended = true
    this.wake()
  }
}

function shown(row: EventShown): FeedEvent {
  return { root_session_id: row.root, ...showEvent(row) }
}

function compacted({ root, seq }: EventShown, resume: number): Refusal {
  const message = `The body of event ${seq} was removed.`
  const hint = `Read the state as it is, then follow the feed from ${resume}.`
  return refuse('compacted', message, hint, { root_session_id: root, seq, resume_since: resume })
}
