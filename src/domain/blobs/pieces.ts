import { CairnRefusal, refuse } from '../log/refusal.ts'

/** What can be put: bytes, or whatever gives them piece by piece. */
export type Content = Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** The bytes as they come; what gives anything else is refused. */
export async function* piecesOf(content: Content): AsyncGenerator<Uint8Array, void> {
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
  const hint = 'Give a Uint8Array, or a stream of them; encode text first.'
  return new CairnRefusal(refuse('invalid_input', 'The content of a blob must be bytes.', hint, { path: 'content' }))
}
