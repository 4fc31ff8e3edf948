// Verifies a store again and again, as the tests that share it come to their ends.

import type { Problem } from '../../src/domain/log/part.ts'
import { type Asking, ask } from '../../src/domain/log/questions.ts'
import { aboutLog } from '../../src/domain/log/sql/about-log.ts'
import { parts } from '../../src/domain/parts.ts'
import { verifyDiskBytes } from '../../src/log/proof/disk-bytes.ts'
import { verifyOrphans, verifyRoot, verifyStore } from '../../src/log/proof/verify.ts'
import type { Engine } from '../../src/store/engine.ts'

export class Verifier {
  readonly #engine: Engine
  /** The head of each root as it was when the root was last looked at. */
  readonly #heads = new Map<number, string>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** The roots whose heads have moved: all of them after each test would be a look at each root for each other one. */
  async moved(): Promise<Problem[]> {
    return this.#engine.read(this.#lookAtMoved(), true)
  }

  /** Every root, also those that were changed without their heads. */
  async all(): Promise<Problem[]> {
    return this.#engine.read(verifyStore(parts), true)
  }

  close(): Promise<void> {
    return Promise.resolve(this.#engine.close())
  }

  *#lookAtMoved(): Asking<Problem[]> {
    const problems: Problem[] = []
    for (const head of yield* ask(aboutLog.all_roots)) {
      const shown = JSON.stringify(head)
      if (this.#heads.get(head.root) === shown) continue
      problems.push(...(yield* verifyRoot(parts, head)))
      this.#heads.set(head.root, shown)
    }
    return [...problems, ...(yield* verifyDiskBytes(parts)), ...(yield* verifyOrphans(parts))]
  }
}

export function expectNone(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new Error(`the store is not as its log says: ${JSON.stringify(problems, null, 2)}`)
}
