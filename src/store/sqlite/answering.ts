import type { Asking, Load } from '../../domain/log/questions.ts'

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
