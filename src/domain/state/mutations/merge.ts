import type { JsonObject } from '../../../json/value.ts'
import { byteLength } from '../../../json/value.ts'
import { Refusal } from '../../log/refusal.ts'
import { admit } from '../admission.ts'
import { mergeAsked } from '../document/patched.ts'
import { checkExpected, type Expectation } from '../expected.ts'
import { stateStream } from '../facts.ts'
import { liveKey } from '../key.ts'
import { conditionalRefs, type KeyAnswer, keyAnswer, type Mutation } from '../mutation.ts'
import { wrongType } from '../wrong-type.ts'

export const merge: Mutation<Expectation & { patch: JsonObject }, KeyAnswer> = {
  refs: conditionalRefs,
  decide(asked, on) {
    const { key, patch } = asked
    const expected = checkExpected(on.rows, asked)
    if (expected) return expected
    const row = liveKey(on.rows, key)
    if (row !== undefined && row.type !== 'object') return wrongType(row, 'merged into', 'object')
    const asking = mergeAsked(on.rows, key, patch, on.limits)
    if (asking instanceof Refusal) return asking
    const { made, recorded } = asking
    const full = admit(on, key, byteLength(made.text), () => made.value)
    if (full) return full
    on.record({ ...recorded, stream: stateStream, key })
    return keyAnswer(on.rows, key, made.value)
  },
}
