import type { IncomingMessage } from 'node:http'

/** Which bytes of a blob are wanted: from the first up to, and without, the last. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/**
 * The one range that a request asks for, `none` where it lies behind the end, undefined where all bytes are meant: as RFC 9110
 * allows, several ranges and what cannot be read count as no range at all.
 */
export function rangeIn({ headers }: IncomingMessage, bytes: number, etag: string): ByteRange | 'none' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.range?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  // Whoever has a part of something else wants all of this.
  const known = headers['if-range']
  if (known !== undefined && known !== etag) return undefined
  if (first === '')
    return Number(last) === 0 || bytes === 0 ? 'none' : { from: Math.max(0, bytes - Number(last)), to: bytes }
  if (last !== '' && Number(last) < Number(first)) return undefined
  if (Number(first) >= bytes) return 'none'
  return { from: Number(first), to: last === '' ? bytes : Math.min(bytes, Number(last) + 1) }
}
