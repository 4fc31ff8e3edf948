import type { FeedEvent } from '../../../domain/log/event.ts'
import { checkTypes } from '../../../domain/log/feed-filter.ts'
import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import type { Changes } from '../../../domain/state/past/changes.ts'
import type { Caller } from '../../../log/access/caller.ts'
import type { Log } from '../../../log/log.ts'
import type { Place } from '../../../operations/operation.ts'
import { stateChanges } from '../../../operations/state/changes.ts'
import { KeyChanges } from './key-changes.ts'
import { messageTypes, type Told, tell, tellChange } from './messages.ts'
import { Subscription } from './subscription.ts'
import type { SubscriptionRequest } from './subscription-request.ts'
import { Tail } from './tail.ts'
import { mayNeedWhole, needsWhole, type Wanted } from './wanted.ts'

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
  async subscribe(asked: SubscriptionRequest, caller: Caller): Promise<Subscription> {
    this.#refuseUnknown(asked)
    const place = await this.#placeOf(asked, caller)
    const tail = place === undefined ? await this.#tailOfAll(asked, caller) : this.#tailOf(place)
    const only = asked.session === undefined ? undefined : place?.no
    const wanted: Wanted = { only, stream: asked.stream, types: asked.type }
    const isWhole = mayNeedWhole(wanted)
    tail.holders += 1
    if (isWhole) tail.wholeHolders += 1
    this.readers += 1
    const past = (since: number, signal: AbortSignal) => this.#past(place?.rootId, { since, signal }, wanted, caller)
    return new Subscription({
      tail,
      since: asked.since ?? place?.seq ?? tail.position,
      past: place && past,
      wanted,
      drop: () => {
        if (isWhole) tail.wholeHolders -= 1
        this.#drop(place?.rootId ?? everything, tail)
      },
    })
  }

  #refuseUnknown({ type = [] }: SubscriptionRequest): void {
    const refusal = checkTypes(type, [...messageTypes, ...this.#log.eventTypes])
    if (refusal) throw new CairnRefusal(refusal)
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
    const tail = new Tail(position, follow, this.#keyChanges())
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

  async *#past(
    root: string | undefined,
    from: { since: number; signal: AbortSignal },
    wanted: Wanted,
    caller: Caller,
  ): AsyncGenerator<Told, void> {
    const changes = this.#keyChanges()
    for await (const event of this.#log.follow(root, from, caller)) {
      yield needsWhole(event, wanted) ? tellChange(event, await changes.of(event)) : tell(event)
    }
  }

  #keyChanges(): KeyChanges {
    return new KeyChanges(async (session, after) => {
      const answer = await this.#log.execute(stateChanges, { session, after }, this.#owner)
      return answer as Changes
    })
  }
}

function sinceOfAll() {
  const hint = 'Name a root, or leave since out and follow all of them from now on.'
  return refuse('bad_request', 'A sequence number belongs to the log of one root.', hint, { path: 'since' })
}
