import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Engine } from '../../store/engine.ts'

/** Numbers that are drawn at once: a process that makes many roots asks seldom, and one that makes one wastes few. */
const drawnAtOnce = 16

/** Numbers for new roots. Those that a process has drawn and not used are never used. */
export class RootNumbers {
  readonly #engine: Engine
  #next = 0
  #left = 0
  #drawing: Promise<void> | undefined

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async next(): Promise<number> {
    while (this.#left === 0) {
      this.#drawing ??= this.#draw()
      await this.#drawing
    }
    this.#left -= 1
    return this.#next++
  }

  /** The first of so many that follow each other. */
  many(count: number): Promise<number> {
    return this.#engine.draw('root', count)
  }

  /** What was drawn counts no more: the store has been filled with numbers of its own. */
  forget(): void {
    this.#left = 0
  }

  async #draw(): Promise<void> {
    try {
      this.#next = await this.#engine.draw('root', drawnAtOnce)
      this.#left = drawnAtOnce
    } finally {
      this.#drawing = undefined
    }
  }
}

/** A backup came into the store after the number was drawn, and has a root of that number. */
export function numberTaken(): Refusal {
  return refuse('busy', 'Another process filled this store in the meantime.', 'Try again.')
}
