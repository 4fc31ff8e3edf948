import type { Asking, Load } from '../../domain/log/questions.ts'

/** A reading as part of work in a transaction. */
export function* asLoads<Out>(reading: Asking<Out>): Generator<readonly Load[], Out, readonly object[][]> {
  let step = reading.next()
  while (!step.done) {
    const [rows] = yield [step.value]
    step = reading.next(rows ?? [])
  }
  return step.value
}
