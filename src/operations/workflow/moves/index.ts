import type { Deciding } from '../../../domain/log/deciding.ts'
import type { Refusal } from '../../../domain/log/refusal.ts'
import type { Ref, Rows } from '../../../domain/log/rows.ts'
import type { Move } from '../../../domain/workflow/moves.ts'
import { endingRefs, Family } from '../../sessions/end.ts'
import { agentRefs } from './about.ts'
import { agentEndRefs, endAgent, endRoot } from './ending.ts'
import { exit, runRefs, stand, start } from './running.ts'
import { need, park, waitingRefs, wake } from './waiting.ts'
import { changePhase, checkpointRefs, phaseRefs, planRecovery, recoveryRefs, takeCheckpoint } from './work.ts'

/** What must be known to make moves: what they name, however many agents there are. */
export function movesRefs(rows: Rows, moves: readonly Move[]): Ref[] {
  const family = new Family(rows)
  return moves.flatMap((move) => refsOf(rows, move, family))
}

function refsOf(rows: Rows, move: Move, family: Family): readonly Ref[] {
  switch (move.move) {
    case 'start':
    case 'exit':
      return runRefs(move.agent, move.run)
    case 'paused':
    case 'thawed':
    case 'wake':
      return agentRefs(move.agent)
    case 'complete':
    case 'fail':
    case 'skip':
    case 'cancel':
      return agentEndRefs(rows, move.agent, family)
    case 'park':
    case 'need':
      return waitingRefs(move)
    case 'phase':
      return phaseRefs(move.phase)
    case 'root':
      return endingRefs(rows, 0)
    case 'checkpoint':
      return checkpointRefs
    case 'recovery':
      return recoveryRefs
  }
}

/** Makes moves one after the other; gives why each that did not fit was not made. */
export function makeMoves(on: Deciding, moves: readonly Move[]): Map<number, Refusal> {
  const family = new Family(on.rows)
  const refused = new Map<number, Refusal>()
  for (const [index, move] of moves.entries()) {
    const refusal = make(on, move, family)
    if (refusal) refused.set(index, refusal)
  }
  return refused
}

/** A move checks everything before it records anything: one that does not fit leaves no trace. */
function make(on: Deciding, move: Move, family: Family): Refusal | undefined {
  switch (move.move) {
    case 'start':
      return start(on, move)
    case 'exit':
      return exit(on, move)
    case 'paused':
    case 'thawed':
      return stand(on, move)
    case 'complete':
    case 'fail':
    case 'skip':
    case 'cancel':
      return endAgent(on, move, family)
    case 'park':
      return park(on, move)
    case 'wake':
      return wake(on, move)
    case 'need':
      return need(on, move)
    case 'phase':
      return changePhase(on, move)
    case 'root':
      return endRoot(on, move, family)
    case 'checkpoint':
      takeCheckpoint(on, move)
      return undefined
    case 'recovery':
      return planRecovery(on, move)
  }
}
