import type { Json } from '../../../json/value.ts'
import { Refusal } from '../../log/refusal.ts'
import { rowOf } from '../../log/rows.ts'
import { sessions } from '../../sessions/tables.ts'
import { keyRefs, liveKey, presentValue } from '../key.ts'
import { type KeyAnswer, keyAnswer, type Mutation } from '../mutation.ts'
import { set } from './set.ts'

export type EnsuredAnswer = KeyAnswer & { created: boolean }

/** Whoever comes second is no loser here: both get the value that stands. */
export const setIfAbsent: Mutation<{ key: string; value: Json }, EnsuredAnswer> = {
  refs({ key }, rows) {
    const row = liveKey(rows, key)
    const writer = row === undefined ? [] : [rowOf(sessions, row.updated_by)]
    return [...keyRefs(rows, key, 'value'), ...writer]
  },
  decide({ key, value }, on) {
    const row = liveKey(on.rows, key)
    if (row !== undefined) return { ...keyAnswer(on.rows, key, presentValue(on.rows, row) ?? null), created: false }
    const made = set.decide({ key, value }, on)
    return made instanceof Refusal ? made : { ...made, created: true }
  },
}
