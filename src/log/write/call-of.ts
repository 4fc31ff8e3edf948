import type { Answer } from '../../domain/log/rows.ts'
import { isPlanted } from '../../failpoint.ts'
import type { Effect, Place } from '../../operations/operation.ts'
import { agentIn } from '../access/authority.ts'
import type { Caller } from '../access/caller.ts'
import { type Asked, causeOf, fencesOf, requestOf, withoutExpectations } from './asked.ts'
import type { Call, ForkCall } from './call.ts'

/** What is asked of a place, as the writer takes it. */
export function callOf(operation: Effect<object, Answer>, input: Asked, place: Place, caller: Caller): Call | ForkCall {
  const agent = agentIn(caller.scope)
  const isNew = operation.acting(input) === 'new root'
  const called = {
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
  if (operation.makes === 'fork') return { ...called, operation, forking: operation.forks(called.input) }
  const forking = operation.forks?.(called.input)
  return forking === undefined ? { ...called, operation } : { ...called, operation, forking }
}

const nowhere: Place = { root: 0, rootId: '', no: 0 }
