import { conversationOf } from '../../domain/conversations/facts.ts'
import type { FeedEvent } from '../../domain/log/event.ts'
import { runsOf } from '../../domain/runs/facts.ts'

/** What has happened below a root since it was last looked at. */
export class RootEvents {
  /** Agents of which something is no longer as it was seen. */
  readonly agents = new Set<number>()
  /** The root itself, its workflow or its phases. */
  root = false
  /** Keys of the shared state that were changed; all of them where that is not known. */
  readonly keys = new Set<string>()
  allKeys = false

  take({ stream, data, key, session_no }: FeedEvent): void {
    if (stream === 'workflow') this.#ofWorkflow(data)
    else if (stream === 'plan') this.root = true
    else if (stream === 'journal') this.agents.add(session_no)
    else if (stream === 'state') {
      if (key === null) this.allKeys = true
      else this.keys.add(key)
    } else {
      const no = sessionOf(stream) ?? runsOf(stream) ?? conversationOf(stream)
      if (no === 0) this.root = true
      else if (no !== undefined) this.agents.add(no)
    }
  }

  get any(): boolean {
    return this.root || this.agents.size > 0
  }

  #ofWorkflow(data: unknown): void {
    const { agent } = (data ?? {}) as { agent?: unknown }
    if (typeof agent === 'number') this.agents.add(agent)
    else this.root = true
  }
}

function sessionOf(stream: string): number | undefined {
  const [, no] = /^session\/(\d+)$/.exec(stream) ?? []
  return no === undefined ? undefined : Number(no)
}
