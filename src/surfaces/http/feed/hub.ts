import type { FeedEvent } from '../../../domain/log/event.ts'
import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import type { Json } from '../../../json/value.ts'
import type { Caller } from '../../../log/access/caller.ts'
import type { Log } from '../../../log/log.ts'
import type { Place } from '../../../operations/operation.ts'
import { stateAfter } from '../../../operations/state/after.ts'
import { type After, type Told, tell } from './messages.ts'
import { Subscription } from './subscription.ts'
import type { SubscriptionRequest } from './subscription-request.ts'
import { Tail } from './tail.ts'

/** The name of the tail of all roots; no root is called so. */
const everything = ''

/** All who follow this store through the server. */
export class Hub {
  readonly #log: Log
  readonly #owner: Caller
  readonly #tails = new Map<string, Tail>()
  /** How many follow now. */
  readers = 0

  constructor(log: Log, owner: Caller) {
    this.#log = log
    this.#owner = owner
  }

  /**
   * Finds what is wished for, or throws a refusal. From here on nothing of it is missed, and its end of the log is held until
   * the subscription is dropped.
   */
  async subscribe(wanted: SubscriptionRequest, caller: Caller): Promise<Subscription> {
    const place = await this.#placeOf(wanted, caller)
    const tail = place === undefined ? await this.#tailOfAll(wanted, caller) : this.#tailOf(place)
    tail.holders += 1
    this.readers += 1
    const past = place && ((since: number, signal: AbortSignal) => this.#past(place.rootId, since, signal, caller))
    const only = wanted.session === undefined ? undefined : place?.no
    const since = wanted.since ?? place?.seq ?? tail.position
    return new Subscription({
      tail,
      since,
      past,
      wanted,
      only,
      drop: () => this.#drop(place?.rootId ?? everything, tail),
    })
  }

  /** Where in which log; undefined where all are meant. */
  async #placeOf(
    { root, session }: SubscriptionRequest,
    caller: Caller,
  ): Promise<(Place & { seq: number }) | undefined> {
    const above = root === undefined ? undefined : await this.#log.head(root, caller)
    if (session === undefined)
      return above ?? (caller.session === undefined ? undefined : this.#log.head(undefined, caller))
    const within = above === undefined ? caller : { ...caller, session: above.rootId }
    const place = await this.#log.head(session, within)
    if (above === undefined || above.root === place.root) return place
    const hint = 'Leave out root, or name a session below it.'
    throw new CairnRefusal(refuse('invalid_input', 'That session is not below that root.', hint, { path: 'session' }))
  }

  #tailOf({ rootId, seq }: Place & { seq: number }): Tail {
    const follow = (signal: AbortSignal) => this.#log.follow(rootId, { since: seq, signal }, this.#owner)
    return this.#tails.get(rootId) ?? this.#newTail(rootId, seq, follow)
  }

  async #tailOfAll({ since }: SubscriptionRequest, caller: Caller): Promise<Tail> {
    if (since !== undefined) throw new CairnRefusal(sinceOfAll())
    const heads = await this.#log.heads(caller)
    const follow = (signal: AbortSignal) => this.#log.followAll({ since: heads, signal }, this.#owner)
    return this.#tails.get(everything) ?? this.#newTail(everything, 0, follow)
  }

  #newTail(name: string, position: number, follow: (signal: AbortSignal) => AsyncIterable<FeedEvent>): Tail {
    const tail = new Tail(position, follow, (event) => this.#told(event))
    const forget = () => this.#forget(name, tail)
    tail.ended.then(forget, forget)
    this.#tails.set(name, tail)
    return tail
  }

  #drop(name: string, tail: Tail): void {
    this.readers -= 1
    tail.holders -= 1
    if (tail.holders > 0) return
    tail.end()
    this.#forget(name, tail)
  }

  #forget(name: string, tail: Tail): void {
    if (this.#tails.get(name) === tail) this.#tails.delete(name)
  }

  async *#past(root: string, since: number, signal: AbortSignal, caller: Caller): AsyncGenerator<Told, void> {
    for await (const event of this.#log.follow(root, { since, signal }, caller)) yield this.#told(event)
  }

  #told(event: FeedEvent): Promise<Told> {
    return tell(event, (of) => this.#readAfter(of))
  }

  /** Undefined where that part of the past was removed. */
  async #readAfter({ root_session_id: session, key, seq }: FeedEvent & { key: string }): Promise<After | undefined> {
    try {
      const answer = await this.#log.execute(stateAfter, { session, key, seq }, this.#owner)
      return answer as { version: number; value?: Json }
    } catch (error) {
      if (error instanceof CairnRefusal && ['key_not_found', 'compacted'].includes(error.code)) return undefined
      throw error
    }
  }
}

function sinceOfAll() {
  const hint = 'Name a root, or leave since out and follow all of them from now on.'
  return refuse('bad_request', 'A sequence belongs to the log of one root.', hint, { path: 'since' })
}
