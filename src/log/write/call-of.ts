import type { Answer } from '../../domain/log/rows.ts'
import { isPlanted } from '../../failpoint.ts'
import type { Change, Place } from '../../operations/operation.ts'
import { agentIn } from '../access/authority.ts'
import type { Caller } from '../access/caller.ts'
import { type Asked, causeOf, fencesOf, requestOf, withoutExpectations } from './asked.ts'
import type { Call } from './call.ts'

/** What is asked of a place, as the writer takes it. */
export function callOf(operation: Change<object, Answer>, input: Asked, place: Place, caller: Caller): Call {
  const agent = agentIn(caller.scope)
  const isNew = operation.acting(input) === 'new root'
  return {
    operation: operation as Change<unknown, Answer>,
    input: isPlanted('skip-cas') ? withoutExpectations(input) : input,
    place: { ...place, fences: fencesOf(input, caller) },
    makesRoot: isNew,
    agent: agent?.no,
    author: agent?.no ?? place.no,
    actor: caller.actor,
    turn: caller.principal,
    request: requestOf(operation, input, isNew ? nowhere : place, caller),
    cause: causeOf(input, caller),
  }
}

const nowhere: Place = { root: 0, rootId: '', no: 0 }
