import type { Asking, Load, PastQuestion, Question } from '../questions.ts'
import type { Ref, RowsWithPast } from '../rows.ts'

/** What came of asking rows in memory: the answer, or what has to be loaded first. */
export type Known<Out> = { readonly out: Out } | { readonly missing: readonly Ref[] }

/**
 * Answers from rows in memory what a read asks of the store, so that a change sees the past by the same rules. Its questions must be
 * about places that are behind the log (`PastQuestion`); a change that asks them starts a group of its own.
 */
export function known<Out>(rows: RowsWithPast, asking: Asking<Out>): Known<Out> {
  let step = asking.next()
  while (!step.done) {
    const ref = refOf(step.value)
    const missing = rows.missing([ref])
    if (missing.length > 0) return { missing }
    step = asking.next(answerOf(rows, ref))
  }
  return { out: step.value }
}

/** The same for a decision, which is made once all that it named was loaded. */
export function knownNow<Out>(rows: RowsWithPast, asking: Asking<Out>): Out {
  const answer = known(rows, asking)
  if ('missing' in answer) throw new Error('a decision asks for what it did not name')
  return answer.out
}

function refOf(load: Load): Ref {
  if ('ask' in load && isOfPast(load.ask)) return { past: load.ask, with: load.with.slice(1) }
  if ('key' in load) return { table: load.table, key: load.table.ofRoot ? load.key.slice(1) : load.key }
  throw new Error('a change is told of no whole tables, and of nothing that others may just be changing')
}

function isOfPast(question: Question): question is PastQuestion {
  return question.isPast
}

function answerOf(rows: RowsWithPast, ref: Ref): readonly object[] {
  if ('past' in ref) return rows.past(ref)
  if (!('key' in ref)) throw new Error('a change is not told of whole tables')
  const row = rows.get(ref.table, ...ref.key)
  return row === undefined ? [] : [row]
}
