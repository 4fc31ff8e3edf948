import type { ServerDied } from '../../domain/workflow/facts.ts'
import type { Look } from './seen-rows.ts'

/** The time between a server that died and this one. Each root that it ran then is told of it once, with its recovery. */
export class Outage {
  readonly #died: ServerDied
  readonly #told = new Set<string>()

  constructor(died: ServerDied) {
    this.#died = died
  }

  /** What there is to tell of it to a root, whose runs were open then. */
  of({ root_session_id: root, agents }: Look): ServerDied | undefined {
    const at = Date.parse(this.#died.at)
    const wasThere = agents.some(({ progress: { run_at } }) => run_at !== null && run_at <= at)
    return wasThere && !this.#told.has(root) ? this.#died : undefined
  }

  told(root: string): void {
    this.#told.add(root)
  }
}
