import { type Refusal, refuse } from '../../log/refusal.ts'
import { admit } from '../admission.ts'
import { isExact } from '../document/merge-operators.ts'
import { stateStream } from '../facts.ts'
import { keyRefs, liveKey } from '../key.ts'
import { type Mutation, presentKey } from '../mutation.ts'
import type { KeyRow } from '../tables.ts'
import { wrongType } from '../wrong-type.ts'

export type IncrementAnswer = { key: string; value: number; version: number }

export const increment: Mutation<{ key: string; delta?: number | undefined }, IncrementAnswer> = {
  refs: ({ key }, rows) => keyRefs(rows, key),
  decide({ key, delta = 1 }, on) {
    const row = liveKey(on.rows, key)
    if (row !== undefined && row.type !== 'number') return wrongType(row, 'incremented', 'number')
    const value = (row === undefined ? 0 : Number(row.value)) + delta
    const refusal = checkExact(key, row, value, delta) ?? admit(on, key, String(value).length, () => value)
    if (refusal) return refusal
    on.record({ type: 'increment', stream: stateStream, key, data: { delta } })
    return { key, value, version: presentKey(on.rows, key).version }
  },
}

function checkExact(key: string, row: KeyRow | undefined, value: number, delta: number): Refusal | undefined {
  if (isExact(value)) return undefined
  return refuse(
    'number_out_of_range',
    `${JSON.stringify(key)} would become ${value}, which is no longer exact.`,
    `Numbers must stay between ±${Number.MAX_SAFE_INTEGER}; count in larger units or start again with \`state.set\`.`,
    { key, current_value: row === undefined ? null : Number(row.value), delta },
  )
}
