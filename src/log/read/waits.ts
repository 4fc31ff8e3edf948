import type { Clock } from '../../clock.ts'
import type { Limits } from '../../domain/log/limits.ts'
import { ask, askRow } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { roots } from '../../domain/log/tables.ts'
import { sessionRemoved } from '../../domain/sessions/session.ts'
import type { AnyAim, Place, Seen, Watched } from '../../operations/operation.ts'
import type { Engine } from '../../store/engine.ts'
import type { Caller } from '../access/caller.ts'
import type { Feed, Sleeper } from './feed.ts'

/** Events looked at in one go; after more than that everything is looked at. */
const movesMax = 1000

/** The longest time a timer can be set for. */
const timerMsMax = 2 ** 31 - 1

interface Waiter {
  readonly aim: AnyAim<Answer>
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
  isOver: boolean
}

/** One thing that somebody waits for: however many they are, it is read once. */
interface Sight {
  readonly name: string
  readonly watched: Watched
  readonly waiters: Set<Waiter>
  /** It has to be looked at, whether or not an event says so. */
  isDue: boolean
  /** Set for when it changes by itself. */
  expiry?: NodeJS.Timeout
}

interface RootWaits {
  readonly place: Place
  readonly sights: Map<string, Sight>
  readonly sleeper: Sleeper
  /** The last event that was looked at. */
  since: number | undefined
  /** How many wait for anything below it. */
  waiting: number
}

/**
 * Whoever waits sleeps until its root moves. One loop a root reads what the new events are about and looks at what somebody waits
 * for of that; where nothing happens, nothing is done.
 */
export class Waits {
  readonly #engine: Engine
  readonly #feed: Feed
  readonly #clock: Clock
  readonly #limits: Limits
  readonly #watched = new Map<number, RootWaits>()
  readonly #running = new Set<Promise<void>>()
  readonly #ofCallers = new Map<string, number>()

  constructor(engine: Engine, feed: Feed, clock: Clock, limits: Limits) {
    this.#engine = engine
    this.#feed = feed
    this.#clock = clock
    this.#limits = limits
  }

  /**
   * Answers as soon as the aim is reached. At the end of its time it is looked at once more. With the signal it is forgotten, and
   * refused with the reason of that.
   */
  async wait(place: Place, aim: AnyAim<Answer>, caller: Caller, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted()
    const leave = this.#enter(caller)
    return this.#wait(place, aim, signal).finally(leave)
  }

  /** An owner is never kept out by its agents. */
  #enter({ principal, scope }: Caller): () => void {
    const limit = scope === 'owner' || scope === 'login' ? Number.POSITIVE_INFINITY : this.#limits.tokenWaits
    const before = this.#ofCallers.get(principal) ?? 0
    if (before >= limit) throw tooManyOfToken(limit)
    this.#ofCallers.set(principal, before + 1)
    return () => {
      const left = (this.#ofCallers.get(principal) ?? 1) - 1
      if (left > 0) this.#ofCallers.set(principal, left)
      else this.#ofCallers.delete(principal)
    }
  }

  async #wait(place: Place, aim: AnyAim<Answer>, signal?: AbortSignal): Promise<Answer> {
    const watched = this.#watched.get(place.root) ?? this.#watch(place)
    if (watched.waiting >= this.#limits.waits) throw tooMany(this.#limits.waits)
    const sight = sightOf(watched, aim)
    // What is being read now was asked for before this wait.
    look(watched, sight)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiter.isOver = true
        look(watched, sight)
      }, aim.ms)
      const waiter: Waiter = { aim, resolve, reject, timer, isOver: false }
      sight.waiters.add(waiter)
      watched.waiting += 1
      signal?.addEventListener('abort', () => forget(watched, sight, waiter, signal.reason), { once: true })
    })
  }

  /** When all waits have come to their end; they do when the feed is closed. */
  async settled(): Promise<void> {
    await Promise.all(this.#running)
  }

  #watch(place: Place): RootWaits {
    const { root } = place
    const watched: RootWaits = {
      place,
      sights: new Map(),
      sleeper: this.#feed.enter(root, undefined),
      since: undefined,
      waiting: 0,
    }
    this.#watched.set(root, watched)
    const running = this.#run(watched).finally(() => this.#running.delete(running))
    this.#running.add(running)
    return watched
  }

  async #run(watched: RootWaits): Promise<void> {
    const { sleeper, sights } = watched
    let why: unknown = refuse('unavailable', 'This store was closed.', 'Open it again, and wait again.')
    try {
      do {
        sleeper.moved = false
        for (const sight of await this.#stale(watched)) await this.#look(watched, sight)
        if (sights.size > 0) await sleeper.sleep()
      } while (sights.size > 0 && !sleeper.ended)
    } catch (error) {
      why = error
    }
    this.#feed.leave(sleeper)
    this.#watched.delete(watched.place.root)
    for (const sight of sights.values()) {
      clearTimeout(sight.expiry)
      for (const { timer, reject } of sight.waiters) {
        clearTimeout(timer)
        reject(why)
      }
    }
  }

  /** What has to be looked at: what new events are about, and what is due. */
  async #stale(watched: RootWaits): Promise<Sight[]> {
    const { since, sights } = watched
    const { root } = watched.place
    if (since === undefined) {
      watched.since = await this.#end(root)
      return [...sights.values()]
    }
    const moves = await this.#engine.read(ask(aboutLog.moves_since, root, since, movesMax), false)
    if (moves.length === 0) await this.#end(root)
    watched.since = moves.at(-1)?.seq ?? since
    if (moves.length === movesMax) watched.sleeper.moved = true
    const all = moves.length === movesMax
    const moved = keysByStream(moves)
    return [...sights.values()].filter((sight) => sight.isDue || all || concerns(moved, sight.watched))
  }

  /** Where the log ends. Nothing happens any more below a root that was removed: who waits there is told. */
  async #end(root: number): Promise<number> {
    const head = await this.#engine.read(askRow(roots, root), false)
    if (head === undefined) throw sessionRemoved()
    return head.seq
  }

  async #look(watched: RootWaits, sight: Sight): Promise<void> {
    const { place, sleeper } = watched
    if (sleeper.ended) return
    const [first] = sight.waiters
    if (first === undefined) {
      drop(watched, sight)
      return
    }
    sight.isDue = false
    const waiting = [...sight.waiters].map((waiter) => ({ waiter, isOver: waiter.isOver }))
    const seen = await this.#engine.read(first.aim.look(place, this.#clock.now()), false)
    for (const { waiter, isOver } of waiting) {
      const outcome = waiter.aim.answer(seen) ?? (isOver ? waiter.aim.late(seen) : undefined)
      if (outcome === undefined) continue
      if (!leave(watched, sight, waiter)) continue
      // Each gets an answer of its own: what one does to it is nothing to the others.
      settle(waiter, outcome instanceof Refusal ? outcome : structuredClone(outcome))
    }
    if (sight.waiters.size === 0) drop(watched, sight)
    else this.#expect(sight, sleeper, seen)
  }

  /** What changes by itself need not make an event at that moment. */
  #expect(sight: Sight, sleeper: Sleeper, { until }: Seen<unknown>): void {
    clearTimeout(sight.expiry)
    if (until === undefined) return
    const ms = Math.min(until - this.#clock.now(), timerMsMax)
    sight.expiry = setTimeout(() => look({ sleeper }, sight), ms)
  }
}

/** The keys that events name, by their streams; null stands for an event without a key, which is about all of them. */
type Moves = ReadonlyMap<string, ReadonlySet<string | null>>

function keysByStream(moves: readonly { readonly stream: string; readonly key: string | null }[]): Moves {
  const byStream = new Map<string, Set<string | null>>()
  for (const { stream, key } of moves) byStream.set(stream, (byStream.get(stream) ?? new Set()).add(key))
  return byStream
}

/** Whether any of the events is one of those that are watched. */
function concerns(moves: Moves, { stream, streams = '', key }: Watched): boolean {
  const named = (keys: ReadonlySet<string | null>) => key === undefined || keys.has(key) || keys.has(null)
  if (stream !== undefined) return moves.has(stream) && named(moves.get(stream) ?? new Set())
  return [...moves].some(([name, keys]) => name.startsWith(streams) && named(keys))
}

function sightOf({ sights }: RootWaits, { sight: name, watched }: AnyAim<Answer>): Sight {
  const known = sights.get(name)
  if (known !== undefined) return known
  const sight: Sight = { name, watched, waiters: new Set(), isDue: true }
  sights.set(name, sight)
  return sight
}

function drop({ sights }: RootWaits, sight: Sight): void {
  clearTimeout(sight.expiry)
  sights.delete(sight.name)
}

/** Has the loop of its root look at it. */
function look({ sleeper }: Pick<RootWaits, 'sleeper'>, sight: Sight): void {
  sight.isDue = true
  sleeper.wake()
}

/** Whether it was still waiting. */
function leave(watched: RootWaits, sight: Sight, waiter: Waiter): boolean {
  const was = sight.waiters.delete(waiter)
  if (was) watched.waiting -= 1
  return was
}

/** Nobody is there any more who wants the answer. The loop of the root drops what nobody waits for. */
function forget(watched: RootWaits, sight: Sight, waiter: Waiter, why: unknown): void {
  if (!leave(watched, sight, waiter)) return
  clearTimeout(waiter.timer)
  waiter.reject(why)
  if (sight.waiters.size === 0) look(watched, sight)
}

function tooMany(limit: number): Refusal {
  const message = `${limit} requests are already waiting on this root; the limit waits is ${limit}.`
  return tooManyWaits(message, 'waits', limit)
}

function tooManyOfToken(limit: number): Refusal {
  const message = `This token already has ${limit} waits open; the limit tokenWaits is ${limit}.`
  return tooManyWaits(message, 'tokenWaits', limit)
}

function tooManyWaits(message: string, limit: keyof Limits, value: number): Refusal {
  const hint = 'Wait for fewer things at once, or try again later.'
  return refuse('rate_limited', message, hint, { limit, limit_value: value, retry_after_ms: 1000 })
}

function settle({ timer, resolve, reject }: Waiter, outcome: Answer | Refusal): void {
  clearTimeout(timer)
  if (outcome instanceof Refusal) reject(outcome)
  else resolve(outcome)
}
