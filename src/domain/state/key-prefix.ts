import { keyBytesCeiling } from '../log/limits.ts'
import type { RangeRef } from '../log/rows.ts'
import { stateKeys } from './tables.ts'

/** More of the last code point than a key has room for. */
const pastAnyKey = '\u{10ffff}'.repeat(keyBytesCeiling / 4 + 1)

/** A text after all keys that begin with a prefix, in the order of code points that both engines sort by. */
export function afterPrefix(prefix: string): string {
  return prefix + pastAnyKey
}

/** The keys that begin like this. */
export function keysFrom(prefix: string): RangeRef {
  return { table: stateKeys, range: { column: 'key', from: prefix, to: afterPrefix(prefix) } }
}
