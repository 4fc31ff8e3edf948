import { type Asking, askRow } from '../../domain/log/questions.ts'
import type { Refusal } from '../../domain/log/refusal.ts'
import { roots } from '../../domain/log/tables.ts'
import { sessionRemoved } from '../../domain/sessions/session.ts'

/**
 * A reading of what is below a root. Where a root was removed nothing is found, and most answers would not tell that from one in which
 * nothing happened: so a reading that found nothing looks whether there is such a root. One that found something costs no more.
 */
export function* ofRootThere<Out>(root: number, reading: Asking<Out>): Asking<Out | Refusal> {
  let found = false
  let step = reading.next()
  while (!step.done) {
    const rows = yield step.value
    found ||= rows.some(saysSomething)
    step = reading.next(rows)
  }
  if (found || (yield* askRow(roots, root)) !== undefined) return step.value
  return sessionRemoved()
}

/** A sum of nothing is a row, too. */
function saysSomething(row: object): boolean {
  return Object.values(row).some((value) => value !== null && value !== 0)
}
