import type { Clock } from '../../clock.ts'
import type { Parts } from '../../domain/log/part.ts'
import { CairnRefusal, Refusal } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import { type RootRow, requests } from '../../domain/log/tables.ts'
import type { Engine, Work } from '../../store/engine.ts'
import { asThrown } from '../thrown.ts'
import { asLoads } from '../write/as-loads.ts'
import type { Call, Outcome } from '../write/call.ts'
import type { Committed } from '../write/commits.ts'
import { isRequest, nothingRemembered, recall } from '../write/remembered.ts'
import type { RootNumbers } from '../write/root-numbers.ts'
import { type Forking, fork } from './fork.ts'

/** Makes forks. A repeated request gets the fork that it made the first time. */
export class Forks {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #parts: Parts
  readonly #numbers: RootNumbers
  readonly #moved: (moved: readonly Committed[]) => void
  readonly #making = new Set<Promise<unknown>>()

  constructor(
    engine: Engine,
    clock: Clock,
    parts: Parts,
    numbers: RootNumbers,
    moved: (moved: readonly Committed[]) => void,
  ) {
    this.#engine = engine
    this.#clock = clock
    this.#parts = parts
    this.#numbers = numbers
    this.#moved = moved
  }

  async make(call: Call, at: number | undefined): Promise<Answer> {
    const to = { root: -(await this.#numbers.next()), id: `sess_${this.#clock.id()}` }
    const making = this.#make(call, { at, to })
    this.#making.add(making)
    const outcome = await making.finally(() => this.#making.delete(making))
    if ('answer' in outcome) {
      // A repeat made none.
      const { session_id: id, at: seq } = outcome.answer
      if (id === to.id) this.#moved([{ root: to.root, rootId: to.id, seq: Number(seq) }])
      return outcome.answer
    }
    throw 'refusal' in outcome ? new CairnRefusal(outcome.refusal) : outcome.bug
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#making)
  }

  async #make(call: Call, forking: Forking): Promise<Outcome> {
    const { root } = call.place
    try {
      return await this.#engine.write([root], ([head]) => this.#work(call, head, forking))
    } catch (error) {
      throw asThrown(error)
    }
  }

  *#work(call: Call, head: RootRow | undefined, forking: Forking): Work<Outcome> {
    const remembered = isRequest(call) ? yield* recall([call]) : nothingRemembered
    const known = remembered.outcome(call)
    if (known !== undefined) return { changes: [], out: known }
    const forked = yield* asLoads(fork(this.#parts, head, forking))
    if (forked instanceof Refusal) return { changes: [], out: { refusal: forked } }
    const { changes, answer } = forked
    const row = remembered.remember(call, answer, this.#clock.now())
    return {
      changes: row === undefined ? changes : [...changes, { table: requests, rows: [row] }],
      out: { answer },
    }
  }
}
