import type { Refusal } from '../../../domain/log/refusal.ts'

type Ended = (why: Refusal) => void

/** Everybody that stays connected by the same leave to do so. */
interface Kept<Held> {
  readonly held: Held
  readonly members: Set<Ended>
}

/**
 * Looks from time to time whether those who stay connected still may, since another process tells nobody what it revokes. It
 * looks once for all that came with the same token, so many connections cost as little as one.
 */
export class TokenWatch<Held> {
  readonly #refusalOf: (held: Held) => Promise<Refusal | undefined>
  readonly #ms: number
  readonly #kept = new Map<string, Kept<Held>>()
  #timer: NodeJS.Timeout | undefined

  /** `refusalOf` must not reject. */
  constructor(refusalOf: (held: Held) => Promise<Refusal | undefined>, ms: number) {
    this.#refusalOf = refusalOf
    this.#ms = ms
  }

  /** Calls when what is held counts no more. Gives the way to stop that. */
  join(name: string, held: Held, ended: Ended): () => void {
    const kept = this.#kept.get(name) ?? { held, members: new Set() }
    this.#kept.set(name, kept)
    kept.members.add(ended)
    this.#wait()
    return () => {
      kept.members.delete(ended)
      if (kept.members.size === 0 && this.#kept.get(name) === kept) this.#kept.delete(name)
    }
  }

  #wait(): void {
    this.#timer ??= setTimeout(() => void this.#look(), this.#ms).unref()
  }

  async #look(): Promise<void> {
    for (const { held, members } of [...this.#kept.values()]) {
      const why = await this.#refusalOf(held)
      if (why !== undefined) for (const ended of [...members]) ended(why)
    }
    this.#timer = undefined
    if (this.#kept.size > 0) this.#wait()
  }
}
