import type { LocalPerformer } from '../../../client/local.ts'
import { sessionNames } from '../../../operations/completion.ts'
import { shortId } from '../views/view.ts'

/** What the sessions of a root are called: answers name them by their ids, and people know them by their names. */
export class SessionNames {
  readonly #performer: LocalPerformer
  readonly #input: { readonly session?: string }
  readonly #names = new Map<string, string>()

  constructor(performer: LocalPerformer, session: string | undefined) {
    this.#performer = performer
    this.#input = session === undefined ? {} : { session }
  }

  /** A name is worth no refusal: without it the id is shown. */
  async load(): Promise<void> {
    const { sessions } = await this.#performer.execute(sessionNames, this.#input).catch(() => ({ sessions: [] }))
    for (const { session_id: id, session_name: name } of sessions) this.#names.set(id, name)
  }

  /** Asks again for a session that was made since. */
  async know(id: string | null): Promise<void> {
    if (id === null || this.#names.has(id)) return
    await this.load()
    if (!this.#names.has(id)) this.#names.set(id, shortId(id))
  }

  nameOf(id: unknown): string {
    return this.#names.get(String(id)) ?? shortId(id)
  }
}
