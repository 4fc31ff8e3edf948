import { type Refusal, refuse } from '../../log/refusal.ts'
import { allKinds } from '../crdt/kind.ts'
import { checkExpected, type Expectation } from '../expected.ts'
import { stateStream } from '../facts.ts'
import { liveKey } from '../key.ts'
import { conditionalRefs, type Mutation, presentKey } from '../mutation.ts'

export type RemovedAnswer = { key: string; version: number; deleted: true; seq: number }

const nothingToDelete = 'There is nothing to delete. List the keys with `state.all`.'

function withHint({ code, message, details }: Refusal, hint: string): Refusal {
  return refuse(code, message, hint, details)
}

/** A deleted key leaves a tombstone, so that its version goes on. */
export const remove: Mutation<Expectation, RemovedAnswer> = {
  kinds: allKinds,
  refs: conditionalRefs,
  decide(asked, on) {
    const { key } = asked
    const isGone = liveKey(on.rows, key) === undefined
    const refusal = checkExpected(on.rows, asked)
    if (refusal) return isGone ? withHint(refusal, nothingToDelete) : refusal
    if (isGone) return refuse('key_not_found', `There is no key ${JSON.stringify(key)}.`, nothingToDelete, { key })
    const event = on.record({ type: 'delete', stream: stateStream, key, data: {} })
    return { key, version: presentKey(on.rows, key).version, deleted: true, seq: event.seq }
  },
}
