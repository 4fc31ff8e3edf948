import { cairn, type Failure, failureOf } from './calls.ts'
import type { EventMessage } from './feed.ts'
import { Signal } from './signal.ts'

/** A root as lists show it. */
export interface RootShown {
  readonly session_id: string
  readonly slug: string
  readonly topic: string
  readonly objective: string | null
  readonly status: string
  readonly reason: string | null
  readonly project_dir: string | null
  readonly created_at: string
  readonly last_event_at: string
  readonly ended_at: string | null
  readonly forked_from?: { readonly session_id: string; readonly at: number }
}

const pageMax = 200
/** Of a store with more roots the newest are listed. */
const rootsMax = 1000

/** All roots of the store: read once, and kept by what the feed says of them. */
export class LiveRoots {
  readonly signal = new Signal()
  #roots = new Map<string, RootShown>()
  #failure: Failure | undefined
  #isRead = false

  /** The one that did something last comes first. */
  list(): RootShown[] {
    return [...this.#roots.values()].sort((a, b) => (a.last_event_at < b.last_event_at ? 1 : -1))
  }

  get isRead(): boolean {
    return this.#isRead
  }

  get failure(): Failure | undefined {
    return this.#failure
  }

  async read(): Promise<void> {
    try {
      const roots = new Map<string, RootShown>()
      let cursor: string | null = null
      do {
        const page: { sessions: unknown[]; next_cursor: string | null } = await cairn.session.list({
          all: true,
          limit: pageMax,
          ...(cursor === null ? {} : { cursor }),
        })
        for (const root of page.sessions as RootShown[]) roots.set(root.session_id, root)
        cursor = page.next_cursor
      } while (cursor !== null && roots.size < rootsMax)
      this.#roots = roots
      this.#failure = undefined
      this.#isRead = true
    } catch (error) {
      this.#failure = failureOf(error)
    }
    this.signal.changed()
  }

  apply(messages: readonly EventMessage[]): void {
    for (const { root_session_id: id, event } of messages) {
      const known = this.#roots.get(id)
      if (known === undefined) {
        void this.read()
        return
      }
      const changed = event.stream === 'session/0' && event.type === 'status_changed' ? statusIn(event.data) : {}
      this.#roots.set(id, { ...known, ...changed, last_event_at: event.at })
    }
    if (messages.length > 0) this.signal.changed()
  }
}

function statusIn(data: unknown): Partial<RootShown> {
  const { to, reason = null } = data as { to: string; reason?: string }
  return { status: to, reason }
}
