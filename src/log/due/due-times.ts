import type { Clock } from '../../clock.ts'
import type { Due, Parts } from '../../domain/log/part.ts'
import { CairnRefusal } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import { fallDue } from '../../operations/log/fall-due.ts'
import type { Change } from '../../operations/operation.ts'
import type { Engine } from '../../store/engine.ts'

/** Does an operation below the root with this id, in nobody's name. */
type Perform = (operation: Change<object, Answer>, input: { session: string; by: number }) => Promise<Answer>

interface DuePart {
  readonly due: Due
  readonly operation: Change<object, Answer>
}

/**
 * What parts say is due, recorded by the ordinary way into the log: of several processes that find the same thing due, the first
 * records it, and the others find nothing left.
 */
export class DueTimes {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #perform: Perform
  readonly #parts: readonly DuePart[]
  /** Is told why nothing could be recorded below a root; whoever stays sets it. */
  report: (error: unknown) => void = () => undefined

  constructor(engine: Engine, clock: Clock, parts: Parts, perform: Perform) {
    this.#engine = engine
    this.#clock = clock
    this.#perform = perform
    this.#parts = parts.list.flatMap(({ due }) =>
      due === undefined ? [] : [{ due, operation: fallDue(due) as Change<object, Answer> }],
    )
  }

  /** When the next thing is due below a root, or below any. */
  async next(root?: number): Promise<number | undefined> {
    let first: number | undefined
    for (const { due } of this.#parts) {
      const at = await this.#engine.read(due.next(root), false)
      if (at !== undefined && at < (first ?? Number.POSITIVE_INFINITY)) first = at
    }
    return first
  }

  /** Records all that is due by now below any root, but where that is refused; says how much that was. */
  async fall(): Promise<number> {
    const by = this.#clock.now()
    let recorded = 0
    for (const part of this.#parts) {
      for (const { id } of await this.#engine.read(part.due.roots(by), false))
        recorded += await this.#fall(part, id, by).catch((error: unknown) => this.#passOver(error))
    }
    return recorded
  }

  /** What is wrong with one root is no matter of the others. */
  #passOver(error: unknown): number {
    if (!(error instanceof CairnRefusal)) throw error
    this.report(error)
    return 0
  }

  /** Records what is due by then below one root. */
  async fallBelow(root: number, id: string, by: number): Promise<void> {
    const first = await this.next(root)
    if (first === undefined || first > by) return
    for (const part of this.#parts) await this.#fall(part, id, by)
  }

  async #fall({ operation }: DuePart, session: string, by: number): Promise<number> {
    let recorded = 0
    for (let last = -1; last !== 0; recorded += last) {
      last = Number((await this.#perform(operation, { session, by })).recorded)
    }
    return recorded
  }
}
