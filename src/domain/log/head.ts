import { firstHash } from './event.ts'
import type { RootRow } from './tables.ts'

/** The head of a log in which nothing has happened yet. */
export function newHead(root: string): RootRow {
  return {
    root,
    seq: 0,
    hash: firstHash,
    sessions: 0,
    keys: 0,
    bytes: 0,
    generation: 0,
    origin: null,
    origin_seq: null,
  }
}

/** A head moved on; field by field, because every event does it. */
export function headAt(head: RootRow, seq: number, hash: string, keys: number, bytes: number): RootRow {
  const { root, sessions, generation, origin, origin_seq } = head
  return { root, seq, hash, sessions, keys, bytes, generation, origin, origin_seq }
}
