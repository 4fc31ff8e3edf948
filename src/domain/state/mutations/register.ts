import type { Json } from '../../../json/value.ts'
import { actorOf, crdtOf, recordCrdt } from '../crdt/key.ts'
import { writing } from '../crdt/register.ts'
import { ofKind } from '../crdt/state.ts'
import { stateStream } from '../facts.ts'
import { keyRefs } from '../key.ts'
import { type KeyAnswer, keyAnswer, type Mutation } from '../mutation.ts'

export const registerSet: Mutation<{ key: string; value: Json; replica?: string | undefined }, KeyAnswer> = {
  kinds: ['lww-register'],
  refs: ({ key }, rows) => keyRefs(rows, key),
  decide({ key, value, replica }, on) {
    const register = ofKind(crdtOf(on.rows, key), 'lww-register')
    const data = writing(register, actorOf(on, replica), on.at, value)
    return recordCrdt(on, { type: 'register_set', stream: stateStream, key, data }) ?? keyAnswer(on.rows, key, value)
  },
}
