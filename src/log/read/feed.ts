import { absenceOf, type EventToShow, type FeedEvent, showEvent } from '../../domain/log/event.ts'
import { type FollowOptions, isWanted, type Sieve } from '../../domain/log/feed-filter.ts'
import { follows, historyLost, type Seen } from '../../domain/log/past/history.ts'
import { pageAfter } from '../../domain/log/past/page.ts'
import { ask, askRow } from '../../domain/log/questions.ts'
import { CairnRefusal, type Refusal, refuse } from '../../domain/log/refusal.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { type RootRow, roots, streams } from '../../domain/log/tables.ts'
import { sessionRemoved } from '../../domain/sessions/session.ts'
import { isPlanted } from '../../failpoint.ts'
import type { Engine } from '../../store/engine.ts'

/** A root by its number and its id. */
interface RootOfFeed {
  readonly root: number
  readonly rootId: string
}

const nothingSeen: Seen = { seq: 0 }

/** Events read at once while a reader catches up. */
const pageEvents = 500

/**
 * The tail of the log: catches up from the store, then goes on as events come, in this process and in others. A reader
 * has nothing but its sequence, so a slow one holds nobody up, and nothing is ever skipped or repeated.
 */
export class Feed {
  readonly #engine: Engine
  readonly #sleepers = new Map<Sleeper, number | undefined>()
  #watching: { stop(): void } | undefined
  #closed = false

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** The events of one root after `since`, without end. */
  async *from(
    { root, rootId }: RootOfFeed,
    options: Sieve & Pick<FollowOptions, 'since'>,
  ): AsyncGenerator<FeedEvent, void> {
    const sleeper = this.enter(root, options.signal)
    try {
      let seen: Seen = { seq: options.since ?? 0 }
      while (!sleeper.ended) {
        sleeper.moved = false
        for (let page = await this.#nextOf(root, seen); page.length > 0; page = await this.#nextOf(root, seen)) {
          for (const row of page) {
            seen = row
            if (isWanted(row, options)) yield await this.#shown(row, rootId)
          }
        }
        await sleeper.sleep()
      }
    } finally {
      this.leave(sleeper)
    }
  }

  /** The events of all roots: each root in its order. `since` says where to go on for roots that are known. */
  async *fromAll(since: ReadonlyMap<string, number>, options: Sieve): AsyncGenerator<FeedEvent, void> {
    const sleeper = this.enter(undefined, options.signal)
    const seen = new Map<string, Seen>(Array.from(since, ([id, seq]) => [id, { seq }]))
    const seenOf = ({ id }: RootRow) => seen.get(id) ?? nothingSeen
    try {
      while (!sleeper.ended) {
        sleeper.moved = false
        for (const head of await this.#heads()) {
          if (head.seq < seenOf(head).seq) throw historyLost('log', head.seq, seenOf(head).seq)
          while (seenOf(head).seq < head.seq) {
            const page = await this.#next(head.root, seenOf(head))
            // The root was removed since its head was read.
            if (page === undefined || page.length === 0) break
            for (const row of page) {
              seen.set(head.id, row)
              if (isWanted(row, options)) yield await this.#shown(row, head.id)
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

  /** The same for whoever follows this root alone: it is told that there is none any more. */
  async #nextOf(root: number, seen: Seen): Promise<readonly EventToShow[]> {
    const page = await this.#next(root, seen)
    if (page === undefined) throw sessionRemoved()
    return page
  }

  /**
   * What comes after what was seen, and nothing where the root was removed. A reader that has seen what is not there any more is told so:
   * it would wait for ever.
   */
  async #next(root: number, seen: Seen): Promise<readonly EventToShow[] | undefined> {
    const page = await this.#page(root, seen.seq)
    const [first] = page
    if (first === undefined) return (await this.#isThere(root, seen)) ? page : undefined
    if (!follows(first, seen)) throw historyLost('log', first.seq, seen.seq)
    return isPlanted('reorder-feed') ? [...page].reverse() : page
  }

  async #isThere(root: number, seen: Seen): Promise<boolean> {
    if (this.#closed) return true
    const head = await this.#engine.read(askRow(roots, root), false)
    if (head !== undefined && head.seq < seen.seq) throw historyLost('log', head.seq, seen.seq)
    return head !== undefined
  }

  /** Nothing once it was closed: readers then come to their end. */
  async #page(root: number, since: number): Promise<readonly EventToShow[]> {
    return this.#closed ? [] : this.#engine.read(pageAfter(root, since, pageEvents), false)
  }

  async #heads(): Promise<readonly RootRow[]> {
    return this.#closed ? [] : this.#engine.read(ask(aboutLog.all_roots), false)
  }

  /** A reader who would be given an event whose body was removed is told where to go on instead; one that never was here is named. */
  #shown(row: EventToShow, rootId: string): FeedEvent | Promise<never> {
    if (row.data === null && absenceOf(row) === 'removed') return this.#compacted(row, rootId)
    return { root_session_id: rootId, ...showEvent(row) }
  }

  async #compacted(row: EventToShow, rootId: string): Promise<never> {
    const stream = await this.#engine.read(askRow(streams, row.root, row.stream), false)
    throw new CairnRefusal(compacted(rootId, row.seq, Math.max(row.seq, stream?.floor ?? 0)))
  }

  /** Somebody listens to other processes only while somebody here wants to know. */
  enter(root: number | undefined, signal: AbortSignal | undefined, ended?: () => void): Sleeper {
    const sleeper = new Sleeper(signal, ended)
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
  moved(roots: readonly number[] | undefined): void {
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
  readonly #ended: (() => void) | undefined

  constructor(signal: AbortSignal | undefined, ended?: () => void) {
    this.#ended = ended
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
    this.#ended?.()
  }
}

function compacted(root: string, seq: number, resume: number): Refusal {
  const message = `The body of event ${seq} was removed.`
  const hint = `Read the state as it is, then follow the feed from ${resume}.`
  return refuse('compacted', message, hint, { root_session_id: root, seq, resume_since: resume })
}
