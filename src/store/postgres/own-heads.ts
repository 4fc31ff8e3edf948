import { type RootRow, roots } from '../../domain/log/tables.ts'
import type { Changes } from '../engine.ts'

/** Roots whose heads are remembered. */
const rememberedMax = 10_000

/** The heads of roots below which this process alone has been writing lately. */
export class OwnHeads {
  readonly #own = new Map<number, RootRow>()
  readonly #lastLeft = new Map<number, string>()

  get(root: number): RootRow | undefined {
    return this.#own.get(root)
  }

  /** Somebody else wrote below this root, or may have. */
  lose(root: number): void {
    this.#own.delete(root)
  }

  /**
   * What was just committed. With the heads that were `found` under the lock: a root is this process's own when it was
   * found as this process had left it.
   */
  left(changes: readonly Changes[], found?: readonly RootRow[]): void {
    for (const change of changes) {
      if (!('table' in change) || change.table.name !== roots.name) continue
      for (const head of change.rows as readonly RootRow[]) this.#leave(head, found)
    }
    if (this.#lastLeft.size <= rememberedMax) return
    this.#own.clear()
    this.#lastLeft.clear()
  }

  #leave(head: RootRow, found: readonly RootRow[] | undefined): void {
    const before = found?.find((row) => row.root === head.root)
    const isOwn = found === undefined || before === undefined || before.hash === this.#lastLeft.get(head.root)
    if (isOwn) this.#own.set(head.root, head)
    else this.#own.delete(head.root)
    this.#lastLeft.set(head.root, head.hash)
  }
}
