import { keyBytesMax } from '../log/limits.ts'

/** More of the last code point than a key has room for. */
const pastAnyKey = '\u{10ffff}'.repeat(keyBytesMax / 4 + 1)

/** A text after all keys that begin with a prefix, in the order of code points that both engines sort by. */
export function afterPrefix(prefix: string): string {
  return prefix + pastAnyKey
}
