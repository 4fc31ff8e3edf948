// What the tests of blobs begin with: bytes that are the same for the same seed, and streams that give them piece by piece.
import { createHash } from 'node:crypto'
import type { Cairn } from '../../src/open.ts'

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** So many bytes that no two places have in common. */
export function bytesOf(length: number, seed = 1): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(length / 4))
  let word = seed
  for (let at = 0; at < words.length; at++) {
    word = (Math.imul(word, 1_664_525) + 1_013_904_223) >>> 0
    words[at] = word
  }
  return new Uint8Array(words.buffer, 0, length)
}

export async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** All bytes of a blob. */
export async function contentOf(cairn: Pick<Cairn, 'blob'>, hash: string, session?: string): Promise<Buffer> {
  const { content, bytes } = await cairn.blob.get({ hash, session })
  const all = Buffer.from(await new Response(content).arrayBuffer())
  if (all.length !== bytes) throw new Error(`${all.length} bytes came of a blob that is said to have ${bytes}`)
  return all
}
