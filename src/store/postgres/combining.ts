import type { RootRow } from '../../domain/log/tables.ts'
import type { RowsWritten } from '../engine.ts'

/** What is to be written below one root, and the head from which it was decided. */
export interface Guarded {
  readonly head: RootRow
  readonly rows: readonly RowsWritten[]
}

/** Statements that are on their way at once: the more of them wait, the more of the next ones are sent together. */
const sentMax = 4
const combinedMax = 64

interface Waiting extends Guarded {
  readonly resolve: (moved: boolean) => void
  readonly reject: (error: unknown) => void
}

/**
 * Writes below different roots that were decided at about the same time go to the server as one statement: they share its
 * round trip, its plan and its fsync. Each stands or falls by its own head; only a failure of the statement is shared.
 */
export class Combining {
  readonly #send: (guarded: readonly Guarded[]) => Promise<ReadonlySet<number>>
  #waiting: Waiting[] = []
  #sent = 0
  #starting = false

  /** `send` resolves to the roots whose heads were where they were left: theirs alone was written. */
  constructor(send: (guarded: readonly Guarded[]) => Promise<ReadonlySet<number>>) {
    this.#send = send
  }

  /** False when the head was not where it was left, and nothing was written. */
  write(guarded: Guarded): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...guarded, resolve, reject })
      this.#startSoon()
    })
  }

  /** Whoever writes in the same turn of the event loop goes along. */
  #startSoon(): void {
    if (this.#starting) return
    this.#starting = true
    setImmediate(() => {
      this.#starting = false
      while (this.#sent < sentMax && this.#waiting.length > 0) void this.#sendNext(this.#waiting.splice(0, combinedMax))
    })
  }

  async #sendNext(group: readonly Waiting[]): Promise<void> {
    this.#sent += 1
    try {
      const moved = await this.#send(group)
      for (const { head, resolve } of group) resolve(moved.has(head.root))
    } catch (error) {
      for (const { reject } of group) reject(error)
    } finally {
      this.#sent -= 1
      if (this.#waiting.length > 0) this.#startSoon()
    }
  }
}
