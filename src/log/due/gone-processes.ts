import { CairnRefusal } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import type { ProcessFound } from '../../domain/sessions/questions.ts'
import type { Change } from '../../operations/operation.ts'
import { sessionGone } from '../../operations/sessions/gone.ts'
import type { Asked } from '../write/asked.ts'

/** Does an operation in nobody's name. */
type Perform = (operation: Change<object, Answer>, input: Asked) => Promise<Answer>

/**
 * Ends sessions whose process is gone, by the ordinary way into the log: of several processes that find the same one, the first ends
 * it. Says how many were ended here; one that cannot be is left to whoever looks next.
 */
export async function endEach(gone: readonly ProcessFound[], perform: Perform): Promise<number> {
  let ended = 0
  for (const found of gone) {
    const answer = await perform(sessionGone as Change<object, Answer>, { ...found }).catch((error: unknown) => {
      if (error instanceof CairnRefusal) return undefined
      throw error
    })
    if (answer?.ended === true) ended += 1
  }
  return ended
}
