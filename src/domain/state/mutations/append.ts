import type { Json } from '../../../json/value.ts'
import type { Rows } from '../../log/rows.ts'
import { admit } from '../admission.ts'
import { bytesAfterAppend } from '../evolve.ts'
import { stateStream } from '../facts.ts'
import { keyRefs, liveKey, presentValue } from '../key.ts'
import { type Mutation, presentKey } from '../mutation.ts'
import { hasSchema } from '../schemas.ts'
import type { KeyRow } from '../tables.ts'
import { wrongType } from '../wrong-type.ts'

export type AppendAnswer = { key: string; length: number; version: number }

export const append: Mutation<{ key: string; items: Json[] }, AppendAnswer> = {
  refs: ({ key }, rows) => [
    ...keyRefs(rows, key, 'append'),
    ...(hasSchema(rows, key) ? keyRefs(rows, key, 'value') : []),
  ],
  decide({ key, items }, on) {
    const row = liveKey(on.rows, key)
    if (row !== undefined && row.type !== 'array') return wrongType(row, 'appended to', 'array')
    const bytes = bytesAfterAppend(row, items, JSON.stringify(items))
    const full = admit(on, key, bytes, () => [...before(on.rows, row), ...items])
    if (full) return full
    on.record({ type: 'append', stream: stateStream, key, data: { items } })
    const { items: length, version } = presentKey(on.rows, key)
    return { key, length: length ?? 0, version }
  },
}

function before(rows: Rows, row: KeyRow | undefined): Json[] {
  return row === undefined ? [] : (presentValue(rows, row) as Json[])
}
