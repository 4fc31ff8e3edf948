import { firstHash } from './event.ts'
import type { RootRow } from './tables.ts'

/** The head of a log in which nothing has happened yet. */
export function newHead(root: number, id: string): RootRow {
  return { root, id, seq: 0, hash: firstHash, generation: 0, hidden: 0, bytes: 0 }
}

/** A head moved on; field by field, because every event does it. */
export function headAt({ root, id, generation, hidden, bytes }: RootRow, seq: number, hash: string): RootRow {
  return { root, id, seq, hash, generation, hidden, bytes }
}
