import type { JsonObject } from '../../../json/value.ts'
import { byteLength } from '../../../json/value.ts'
import { Refusal } from '../../log/refusal.ts'
import { admit } from '../admission.ts'
import { merged } from '../document/patched.ts'
import { checkExpected, type Expectation } from '../expected.ts'
import { stateStream } from '../facts.ts'
import { liveKey } from '../key.ts'
import { conditionalRefs, type KeyAnswer, keyAnswer, type Mutation, wrongType } from '../mutation.ts'

export const merge: Mutation<Expectation & { patch: JsonObject }, KeyAnswer> = {
  refs: conditionalRefs,
  decide(asked, on) {
    const { key, patch } = asked
    const expected = checkExpected(on.rows, asked)
    if (expected) return expected
    const row = liveKey(on.rows, key)
    if (row !== undefined && row.type !== 'object') return wrongType(row, 'merged into', 'an object')
    const made = merged(on.rows, key, patch)
    if (made instanceof Refusal) return made
    const full = admit(on, key, byteLength(made.text), () => made.value)
    if (full) return full
    on.record({ type: 'patch', stream: stateStream, key, data: { patch } })
    return keyAnswer(on.rows, key, made.value)
  },
}
