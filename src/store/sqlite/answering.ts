import type { Asking, Load } from '../../domain/log/questions.ts'
import type { Changes, Work } from '../engine.ts'

/** A reading that can be told busy and go on with the same question. */
export class Answering<Out> {
  readonly #reading: Asking<Out>
  readonly #ask: (load: Load) => object[]
  #step: IteratorResult<Load, Out> | undefined

  constructor(reading: Asking<Out>, ask: (load: Load) => object[]) {
    this.#reading = reading
    this.#ask = ask
  }

  goOn(): Out {
    let step = this.#step ?? this.#reading.next()
    for (; !step.done; step = this.#reading.next(this.#ask(step.value))) this.#step = step
    return step.value
  }
}

/** What is to be written in the end, with all that the work has to know answered on the way. */
export function perform<Out>(
  work: Work<Out>,
  ask: (load: Load) => object[],
): { changes: readonly Changes[]; out: Out } {
  let step = work.next()
  while (!step.done) step = work.next(step.value.map(ask))
  return step.value
}
