import type { FeedEvent } from '../../domain/log/event.ts'
import { type FeedFilter, type FollowAllOptions, type FollowOptions, sieveOf } from '../../domain/log/feed-filter.ts'
import { ask } from '../../domain/log/questions.ts'
import { CairnRefusal, Refusal } from '../../domain/log/refusal.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import type { Place } from '../../operations/operation.ts'
import type { Engine } from '../../store/engine.ts'
import { agentIn, ownersOnly } from '../access/authority.ts'
import type { Caller } from '../access/caller.ts'
import { asThrown, throwRefusal } from '../thrown.ts'
import type { Feed } from './feed.ts'

/** What somebody wants to hear of, from one root or from all. */
export class Follows {
  readonly #engine: Engine
  readonly #feed: Feed
  readonly #types: readonly string[]

  constructor(engine: Engine, feed: Feed, types: readonly string[]) {
    this.#engine = engine
    this.#feed = feed
    this.#types = types
  }

  async *below(place: () => Promise<Place>, options: FollowOptions): AsyncGenerator<FeedEvent, void> {
    const wanted = this.#sieveOf(options)
    try {
      yield* this.#feed.from(await place(), wanted)
    } catch (error) {
      throw asThrown(error)
    }
  }

  async heads(caller: Caller): Promise<Record<string, number>> {
    refuseAgents(caller)
    const heads = await this.#engine.read(ask(aboutLog.all_roots), false).catch(throwRefusal)
    return Object.fromEntries(heads.map(({ id, seq }) => [id, seq]))
  }

  async *all({ since = {}, ...wanted }: FollowAllOptions, caller: Caller): AsyncGenerator<FeedEvent, void> {
    refuseAgents(caller)
    const sieve = this.#sieveOf(wanted)
    try {
      yield* this.#feed.fromAll(new Map(Object.entries(since)), sieve)
    } catch (error) {
      throw asThrown(error)
    }
  }

  #sieveOf<Filter extends FeedFilter>(filter: Filter) {
    const sieve = sieveOf(filter, this.#types)
    if (sieve instanceof Refusal) throw new CairnRefusal(sieve)
    return sieve
  }
}

function refuseAgents({ scope }: Caller): void {
  if (agentIn(scope)) throw new CairnRefusal(ownersOnly('the feed of all roots'))
}
