import { nearWords } from '../../domain/log/text/near-words.ts'

/** `Did you mean …? ` for the known word nearest to what was written, or nothing. Each known word says how it is shown. */
export function didYouMean(written: string, known: readonly (readonly [word: string, shown: string])[]): string {
  const [nearest] = nearWords(written, known, ([word]) => word)
  return nearest === undefined ? '' : `Did you mean ${nearest[1]}? `
}
