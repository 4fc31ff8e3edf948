import { type About, readAbout } from './calls.ts'
import { type EventMessage, Feed, type FeedMessage, type LineState } from './feed.ts'
import { LiveRoot } from './live-root.ts'
import { LiveRoots } from './live-roots.ts'
import { Signal } from './signal.ts'

/** Everything this page knows of the present, fed by one connection. */
class Live {
  readonly roots = new LiveRoots()
  readonly line = new Signal()
  /** Something began to wait for a person, or does no longer. */
  readonly needs = new Signal()
  readonly #feed = new Feed(this)
  #state: LineState = 'connecting'
  #root: LiveRoot | undefined
  #begun = false
  #about: About | undefined

  get lineState(): LineState {
    return this.#state
  }

  get about(): About | undefined {
    return this.#about
  }

  /** Nothing is opened before it is known that this browser is logged in: a socket that is refused does not say why. */
  async begin(): Promise<void> {
    if (this.#begun) return
    this.#begun = true
    try {
      this.#about = await readAbout()
      this.#feed.open()
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === 'unauthorized' || code === 'rate_limited') this.state('logged out')
      else this.#feed.retry()
    }
  }

  /** The root that is looked at; the one before it is forgotten. */
  root(id: string): LiveRoot {
    if (this.#root?.id === id) return this.#root
    this.#root = new LiveRoot(id)
    if (this.#state === 'live') void this.#root.read()
    return this.#root
  }

  opened(): void {
    // Another server may have come in the place of the one before.
    void readAbout().then(
      (about) => {
        this.#about = about
        this.line.changed()
      },
      () => undefined,
    )
    void this.roots.read()
    void this.#root?.read()
  }

  state(state: LineState): void {
    this.#state = state
    this.line.changed()
  }

  messages(batch: readonly FeedMessage[]): void {
    const root = this.#root
    if (root !== undefined) root.apply(batch.filter((message) => message.root_session_id === root.id))
    const events = batch.filter((message): message is EventMessage => message.type === 'event')
    if (events.some(({ event }) => event.type.startsWith('need_'))) this.needs.changed()
    this.roots.apply(events)
  }
}

export const live = new Live()
