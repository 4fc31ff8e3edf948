import { chunkBytes } from '../../domain/blobs/blob.ts'
import { type Content, piecesOf } from '../../domain/blobs/pieces.ts'

/** The bytes in chunks, each a copy: whoever gave them may go on to use their memory. All but the last are full. */
export async function* chunksOf(content: Content): AsyncGenerator<Uint8Array, void> {
  let chunk = new Uint8Array(chunkBytes)
  let filled = 0
  for await (const piece of piecesOf(content)) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + chunkBytes - filled)
      chunk.set(part, filled)
      at += part.length
      filled += part.length
      if (filled < chunkBytes) continue
      yield chunk
      chunk = new Uint8Array(chunkBytes)
      filled = 0
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled)
}
