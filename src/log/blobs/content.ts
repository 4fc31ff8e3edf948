import { chunkBytes } from '../../domain/blobs/blob.ts'
import { CairnRefusal, refuse } from '../../domain/log/refusal.ts'

/** What can be put: bytes, or whatever gives them piece by piece. */
export type Content = Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>

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

async function* piecesOf(content: Content): AsyncGenerator<Uint8Array, void> {
  if (content instanceof Uint8Array) return yield content
  if (!isIterable(content)) throw noBytes()
  for await (const piece of content) {
    if (!(piece instanceof Uint8Array)) throw noBytes()
    yield piece
  }
}

function isIterable(content: unknown): boolean {
  return (
    typeof content === 'object' && content !== null && (Symbol.asyncIterator in content || Symbol.iterator in content)
  )
}

function noBytes(): CairnRefusal {
  const hint = 'Give a Uint8Array, or a stream of them; a text has to be encoded first.'
  return new CairnRefusal(refuse('invalid_input', 'The content of a blob must be bytes.', hint, { path: 'content' }))
}
