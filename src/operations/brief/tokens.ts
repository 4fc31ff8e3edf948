import type { Count } from '../../domain/journal/brief/compose.ts'

type Encode = (text: string, options?: { readonly disallowedSpecial: Set<string> }) => readonly number[]

let encoders: readonly Encode[] | undefined

/** Their tables take longer to load than most commands take in all: they are loaded where tokens are counted, and only there. */
export async function loadTokens(): Promise<void> {
  if (encoders !== undefined) return
  const [o200k, cl100k] = await Promise.all([
    import('gpt-tokenizer/encoding/o200k_base'),
    import('gpt-tokenizer/encoding/cl100k_base'),
  ])
  encoders = [o200k.encode, cl100k.encode]
}

/** Words that mean something to a model's protocol are text like any other here. */
const asText = { disallowedSpecial: new Set<string>() }

/** A run of letters takes the encoders as long as its length squared: whoever writes one must not keep everybody waiting. */
const pieceChars = 256

/** Pieces that begin where a token begins; only a run that is longer than a piece is cut within, which makes more tokens, never fewer. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = from + pieceChars
    const space = end >= text.length ? text.length : text.lastIndexOf(' ', end)
    const to = space > from ? space : wholeAt(text, end)
    yield text.slice(from, to)
    from = to
  }
}

/** Not between the two halves of one character. */
function wholeAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}

/** By the encoding that makes more of it. */
export const countTokens: Count = (text) => {
  if (encoders === undefined) throw new Error('tokens are counted before their tables were loaded')
  const counts = encoders.map(() => 0)
  for (const piece of piecesOf(text)) {
    for (const [at, encode] of encoders.entries()) counts[at] = (counts[at] ?? 0) + encode(piece, asText).length
  }
  return Math.max(...counts)
}
