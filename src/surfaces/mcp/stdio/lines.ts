import type { Readable } from 'node:stream'

/** Twice what the largest request of HTTP may have: more in one line is no message of any client. */
export const lineBytesMax = 8 * 1024 * 1024

const newline = 0x0a

const utf8 = new TextDecoder('utf-8', { fatal: true })

export type Line = { readonly text: string } | 'too long' | 'no text'

/** Cuts what comes into lines. One that never ends is dropped as it comes, so that it cannot fill the memory. */
export function readLines(from: Readable, take: (line: Line) => void): void {
  let parts: Buffer[] = []
  let size = 0
  const end = () => {
    const line = size > lineBytesMax ? 'too long' : decoded(parts)
    parts = []
    size = 0
    if (line !== undefined) take(line)
  }
  from.on('data', (chunk: Buffer) => {
    let rest = chunk
    for (let at = rest.indexOf(newline); at >= 0; at = rest.indexOf(newline)) {
      add(rest.subarray(0, at))
      end()
      rest = rest.subarray(at + 1)
    }
    add(rest)
  })
  // What has no end of its own ends with the stream.
  from.on('end', end)

  function add(part: Buffer): void {
    size += part.length
    if (size > lineBytesMax) parts = []
    else if (part.length > 0) parts.push(part)
  }
}

/** Undefined for a line with nothing in it. */
function decoded(parts: readonly Buffer[]): Line | undefined {
  try {
    const text = utf8.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts)).trim()
    return text === '' ? undefined : { text }
  } catch {
    return 'no text'
  }
}
