export { canonical, sameJson } from './canonical.ts'
export { checkJson } from './check.ts'
export { hasMoreValues, readJson } from './reader.ts'

/** What a value may be. Every way in ends in `readJson` or `checkJson`, which refuse what JSON cannot carry. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type JsonObject = { [key: string]: Json }

/** The length of a text in UTF-8; half of a surrogate pair counts as the three bytes of its replacement. */
export function byteLength(text: string): number {
  const units = text.length
  // Most texts are ASCII, and the search for anything else is native.
  const first = text.search(/[\u0080-\uffff]/)
  if (first < 0) return units
  let bytes = units
  for (let at = first; at < units; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    bytes += unit < 0x800 ? 1 : 2
    // Both halves of a pair together take four bytes, so the second adds none.
    if (isPairAt(text, at, unit)) at++
  }
  return bytes
}

function isPairAt(text: string, at: number, unit: number): boolean {
  if (unit < 0xd800 || unit > 0xdbff || at + 1 === text.length) return false
  const next = text.charCodeAt(at + 1)
  return next >= 0xdc00 && next <= 0xdfff
}
