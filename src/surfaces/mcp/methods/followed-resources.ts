import type { Performer } from '../../../client/interface.ts'
import { sleep } from '../../../clock.ts'
import type { FeedEvent } from '../../../domain/log/event.ts'
import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import { operations } from '../../../operations/index.ts'
import type { Place } from './resource-uri.ts'

/** What changes again within this time is told of once: whoever is told reads the newest anyway. */
const togetherMs = 50
/** How long to wait before a feed that was lost is asked for again. */
const againMs = 500

interface Root {
  readonly places: Map<string, Place>
  readonly ending: AbortController
}

/** What one client follows: it is told which of it has changed. */
export class FollowedResources {
  readonly #tell: (uri: string) => void
  readonly #max: number
  readonly #roots = new Map<string, Root>()
  readonly #changed = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  /** Those that are being looked for count too: many may be asked for at once. */
  #adding = 0

  constructor(tell: (uri: string) => void, max: number) {
    this.#tell = tell
    this.#max = max
  }

  /** From the moment that this is done no change is missed. Throws a refusal where it may not be seen. */
  async add(uri: string, place: Place, performer: Performer): Promise<void> {
    const size = [...this.#roots.values()].reduce((sum, { places }) => sum + places.size, this.#adding)
    if (size >= this.#max) throw new CairnRefusal(tooMany(this.#max))
    this.#adding += 1
    await this.#add(uri, place, performer).finally(() => {
      this.#adding -= 1
    })
  }

  async #add(uri: string, place: Place, performer: Performer): Promise<void> {
    const { root_session_id, last_seq } = await performer.execute(operations.log.list, {
      session: place.root,
      limit: 1,
    })
    const id = String(root_session_id)
    const known = this.#roots.get(id)
    known?.places.set(uri, place)
    if (known !== undefined) return
    const root: Root = { places: new Map([[uri, place]]), ending: new AbortController() }
    this.#roots.set(id, root)
    void this.#follow(id, root, performer, Number(last_seq))
  }

  remove(uri: string): void {
    this.#changed.delete(uri)
    for (const [id, root] of this.#roots) {
      root.places.delete(uri)
      if (root.places.size > 0) continue
      root.ending.abort()
      this.#roots.delete(id)
    }
  }

  end(): void {
    for (const { ending } of this.#roots.values()) ending.abort()
    this.#roots.clear()
    clearTimeout(this.#timer)
  }

  async #follow(id: string, root: Root, performer: Performer, from: number): Promise<void> {
    const { signal } = root.ending
    let since = from
    while (!signal.aborted) {
      try {
        for await (const event of performer.stream(operations.state.watch, { session: id, since }, signal)) {
          since = event.seq
          this.#note(root, event)
        }
      } catch (error) {
        // A server that is started again goes on; what was removed, or may not be seen any more, does not.
        if (!(error instanceof CairnRefusal) || error.code !== 'unavailable') break
      }
      if (!signal.aborted) await sleep(againMs)
    }
    if (this.#roots.get(id) === root) this.#roots.delete(id)
  }

  #note({ places }: Root, { key }: FeedEvent): void {
    for (const [uri, place] of places) {
      if (place.key === undefined || key === null || key === place.key) this.#changed.add(uri)
    }
    if (this.#changed.size > 0) this.#timer ??= setTimeout(() => this.#tellAll(), togetherMs)
  }

  #tellAll(): void {
    this.#timer = undefined
    const changed = [...this.#changed]
    this.#changed.clear()
    for (const uri of changed) this.#tell(uri)
  }
}

function tooMany(limit: number) {
  const message = `This client already follows ${limit} resources; the limit subscriptions is ${limit}.`
  const hint = 'Unsubscribe from some, or follow the whole state instead of single keys.'
  return refuse('rate_limited', message, hint, { limit: 'subscriptions', limit_value: limit, retry_after_ms: 1000 })
}
