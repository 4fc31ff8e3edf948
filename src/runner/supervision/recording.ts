import { isRefused } from '../../domain/log/refusal.ts'
import type { Move } from '../../domain/workflow/moves.ts'
import { stateGet } from '../../operations/state/get.ts'
import { workflowStep } from '../../operations/workflow/step.ts'
import type { SharedState } from '../../orchestrator/seen.ts'
import { type Ground, perform } from './ground.ts'

/** What became of moves that were to be recorded. */
export interface Recorded {
  /** Somebody was faster, and the planner has planned on what is not so: it is built anew. */
  readonly isStale: boolean
  /** The runs that were not begun. */
  readonly unstarted: ReadonlySet<string>
}

/** Records moves in their order, as many in one commit as it may hold. */
export async function recordMoves(
  ground: Ground,
  root: string,
  fence: string,
  moves: readonly Move[],
): Promise<Recorded> {
  const most = ground.log.limits.batch
  const unstarted = new Set<string>()
  let isStale = false
  for (let from = 0; from < moves.length; from += most) {
    const some = moves.slice(from, from + most)
    const { refused } = await perform(ground, workflowStep, { session: root, fence, moves: some as never })
    for (const { index, message } of refused) {
      const move = some[index] as Move
      if (move.move === 'start') unstarted.add(move.run)
      // That a run is over is told again by whoever does not know that it was told.
      if (move.move !== 'exit') ground.report('move', new Error(`${move.move}: ${message}`))
      isStale = true
    }
  }
  return { isStale, unstarted }
}

/** The values of keys that are there. */
export async function sharedState(ground: Ground, root: string, keys: readonly string[]): Promise<SharedState> {
  const values: Record<string, SharedState[string]> = {}
  for (const key of keys) {
    const found = await perform(ground, stateGet, { session: root, key }).catch((error: unknown) => {
      if (isRefused(error, 'key_not_found')) return undefined
      throw error
    })
    if (found !== undefined) values[key] = found.value
  }
  return values
}
