import type { JsonObject } from '../../../json/value.ts'
import { sameJson } from '../../../json/value.ts'
import { type Refusal, refuse } from '../../log/refusal.ts'
import type { Rows } from '../../log/rows.ts'
import { liveKey, presentValue } from '../key.ts'
import type { KeyRow } from '../tables.ts'
import { crdtKindOf } from './kept.ts'
import type { CrdtKind } from './state.ts'

/** What a key is changed by: it is plain, or of the conflict-free kind that its first write gave it. */
export type Kind = 'plain' | CrdtKind

const words: { readonly [K in Kind]: { readonly name: string; readonly change: string } } = {
  plain: { name: 'a plain value', change: '`state.set`' },
  'g-counter': { name: 'a G-counter', change: '`state.counterAdd`' },
  'pn-counter': { name: 'a PN-counter', change: '`state.counterAdd`' },
  'or-set': { name: 'an OR-set', change: '`state.setAdd` or `state.setRemove`' },
  'lww-register': { name: 'an LWW-register', change: '`state.registerSet`' },
}

export const allKinds = Object.keys(words) as Kind[]

export function kindOf(row: KeyRow): Kind {
  return crdtKindOf(row) ?? 'plain'
}

/** A key that does not exist fits every change. */
export function checkKind(rows: Rows, key: string, fitting: readonly Kind[]): Refusal | undefined {
  const row = liveKey(rows, key)
  if (row === undefined) return undefined
  const kind = kindOf(row)
  return fitting.includes(kind) ? undefined : wrongKind(row, kind)
}

export function wrongKind(row: KeyRow, kind: Kind): Refusal {
  const { name, change } = words[kind]
  return refuse(
    'wrong_type',
    `${JSON.stringify(row.key)} holds ${name}, which this operation cannot change.`,
    `Use ${change}, or delete the key first with \`state.delete\` to give it another type.`,
    { key: row.key, kind, type: row.type, current_version: row.version },
  )
}

/** A whole document may take conflict-free keys away or leave them as they are; it cannot say what they become. */
export function checkKindsIn(rows: Rows, document: JsonObject): Refusal | undefined {
  for (const [key, value] of Object.entries(document)) {
    const row = liveKey(rows, key)
    const kind = row === undefined ? 'plain' : kindOf(row)
    if (row === undefined || kind === 'plain' || sameJson(presentValue(rows, row) ?? null, value)) continue
    return wrongKind(row, kind)
  }
  return undefined
}
