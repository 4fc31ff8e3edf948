/** A command line of bash up to the cursor. */
interface BashLine {
  readonly words: readonly string[]
  /** The last word as it is written, with its quotes. */
  readonly written: string
  /** The quote that is still open at the cursor. */
  readonly quote: string
}

/**
 * Splits a line as bash does. It is done here because bash hands over its own words split at `:` and `=` too, and keys and
 * flags have both.
 */
export function readBashLine(line: string): BashLine {
  const words: string[] = []
  let word = ''
  let quote = ''
  let start = 0
  for (let at = 0; at < line.length; at++) {
    const character = line[at] as string
    if (quote === '' && /\s/.test(character)) {
      if (at > start) words.push(word)
      word = ''
      start = at + 1
    } else if (character === '\\' && quote !== "'") word += line[++at] ?? ''
    else if (quote === '' && /["']/.test(character)) quote = character
    else if (character === quote) quote = ''
    else word += character
  }
  return { words: [...words, word], written: line.slice(start), quote }
}

/** A candidate as bash takes it in place of what it holds for the word being typed. */
export function bashReply(candidate: string, { written, quote }: BashLine): string {
  if (quote !== '') return candidate
  const escaped = candidate.replace(/[^\p{L}\p{N}_.,/:=@%+-]/gu, '\\$&')
  // Bash replaces only what stands after the last of these.
  const kept = Math.max(written.lastIndexOf(':'), written.lastIndexOf('=')) + 1
  return escaped.slice(kept)
}
