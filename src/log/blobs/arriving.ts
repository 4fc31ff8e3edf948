import { CairnRefusal } from '../../domain/log/refusal.ts'
import type { RootRow } from '../../domain/log/tables.ts'
import { checkRoom } from '../disk-space.ts'

/** Bytes that are on their way into each root: what many send at once has to fit together, though none of it counts yet. */
export class Arriving {
  readonly #limit: number
  readonly #bytes = new Map<number, number>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Counts the bytes of one upload as they come, and throws where its root has no room for them; gives the way to end it. */
  begin(head: RootRow): { add(bytes: number): void; end(): void } {
    let own = 0
    const count = (bytes: number) => {
      own += bytes
      const all = (this.#bytes.get(head.root) ?? 0) + bytes
      if (all > 0) this.#bytes.set(head.root, all)
      else this.#bytes.delete(head.root)
      return all
    }
    return {
      add: (bytes) => {
        const refusal = checkRoom(head, count(bytes), this.#limit)
        if (refusal) throw new CairnRefusal(refusal)
      },
      end: () => void count(-own),
    }
  }
}
