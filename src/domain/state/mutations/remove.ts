import { allKinds } from '../crdt/kind.ts'
import { checkExpected, type Expectation } from '../expected.ts'
import { stateStream } from '../facts.ts'
import { liveKey } from '../key.ts'
import { conditionalRefs, keyNotFound, type Mutation, presentKey } from '../mutation.ts'

export type RemovedAnswer = { key: string; version: number; deleted: true; seq: number }

/** A deleted key leaves a tombstone, so that its version goes on. */
export const remove: Mutation<Expectation, RemovedAnswer> = {
  kinds: allKinds,
  refs: conditionalRefs,
  decide(asked, on) {
    const { key } = asked
    const refusal = checkExpected(on.rows, asked)
    if (refusal) return refusal
    if (liveKey(on.rows, key) === undefined) return keyNotFound(key)
    const event = on.record({ type: 'delete', stream: stateStream, key, data: {} })
    return { key, version: presentKey(on.rows, key).version, deleted: true, seq: event.seq }
  },
}
