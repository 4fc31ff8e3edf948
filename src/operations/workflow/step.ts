import { checkOrchestrator } from '../../domain/leases/orchestrator.ts'
import { list } from '../../domain/log/input-schema.ts'
import { refuse } from '../../domain/log/refusal.ts'
import type { Move } from '../../domain/workflow/moves.ts'
import { change } from '../operation.ts'
import { makeMoves, movesRefs } from './moves/index.ts'
import { move } from './moves/input.ts'

/** No command offers it: whoever supervises a root says by it what was done, under a lease that is given as the fence. */
export const workflowStep = change({
  name: 'workflow.step',
  summary: 'Record what becomes of agents, many moves at once; those that no longer fit are named and change nothing.',
  command: { words: [] },
  reach: 'owner',
  // What has run and ended is told in any case.
  onFullRoot: 'frees',
  input: { moves: list('What becomes of them, in order.', move) },
  needs: ({ moves }, rows) => movesRefs(rows, moves),
  decide({ moves }, on) {
    const limit = on.limits.batch
    const refusal = checkOrchestrator(on)
    if (refusal) return refusal
    if (moves.length > limit) {
      const message = `This step has ${moves.length} moves; the limit batch is ${limit}.`
      return refuse('invalid_input', message, 'Make several smaller steps.', { limit: 'batch', limit_value: limit })
    }
    const refused = makeMoves(on, moves as readonly Move[])
    return {
      seq: on.rows.head()?.seq ?? 0,
      made: moves.length - refused.size,
      refused: [...refused].map(([index, { code, message }]) => ({ index, error: code, message })),
    }
  },
})
