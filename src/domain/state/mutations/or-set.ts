import type { Json } from '../../../json/value.ts'
import { actorOf, crdtOf, recordCrdt } from '../crdt/key.ts'
import { addition, removal } from '../crdt/or-set.ts'
import { ofKind } from '../crdt/state.ts'
import { stateStream } from '../facts.ts'
import { keyRefs, liveKey } from '../key.ts'
import { keyNotFound, type Mutation, presentKey } from '../mutation.ts'
import type { AppendAnswer } from './append.ts'

interface Asked {
  key: string
  items: Json[]
  replica?: string | undefined
}

export const setAdd: Mutation<Asked, AppendAnswer> = {
  kinds: ['or-set'],
  refs: ({ key }, rows) => keyRefs(rows, key),
  decide({ key, items, replica }, on) {
    const set = ofKind(crdtOf(on.rows, key), 'or-set')
    const data = addition(set, actorOf(on, replica), items)
    return recordCrdt(on, { type: 'set_add', stream: stateStream, key, data }) ?? answer(presentKey(on.rows, key))
  },
}

/** Without a set there is nothing that could have been seen, so nothing can be removed. */
export const setRemove: Mutation<Asked, AppendAnswer> = {
  kinds: ['or-set'],
  refs: ({ key }, rows) => keyRefs(rows, key),
  decide({ key, items, replica }, on) {
    if (liveKey(on.rows, key) === undefined) return keyNotFound(key)
    const set = ofKind(crdtOf(on.rows, key), 'or-set')
    const data = removal(set, actorOf(on, replica), items)
    return recordCrdt(on, { type: 'set_remove', stream: stateStream, key, data }) ?? answer(presentKey(on.rows, key))
  },
}

function answer({ key, items, version }: { key: string; items: number | null; version: number }): AppendAnswer {
  return { key, length: items ?? 0, version }
}
