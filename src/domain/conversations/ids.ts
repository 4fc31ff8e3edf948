import { sha256 } from '../hashing/hashing.ts'
import type { Rows } from '../log/rows.ts'
import { type ContextIdRow, contextIds } from './tables.ts'

/** Kinds of ids that providers give, so that a message and a call may have the same. */
export type IdKind = 'm' | 'c' | 'r'

/** The name of a row. Ids may be long; what tells them apart is not. */
export function idOf(kind: IdKind, id: string): string {
  return `${kind}/${id.length <= 96 ? id : sha256(id)}`
}

/** Says the same of the same message. */
export function digestOfMessage(message: object): string {
  return sha256(JSON.stringify(message))
}

export function putId(rows: Rows, no: number, id: string, given: Omit<ContextIdRow, 'root' | 'no' | 'id'>): void {
  rows.put(contextIds, { root: rows.root, no, id, ...given })
}
