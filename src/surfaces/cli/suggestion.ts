/** Texts that differ in more than a third of their letters are hardly slips of the same finger. */
const distanceShareMax = 1 / 3

/** How many letters have to be put in, taken out, replaced or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const best = Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1))
      next.push(swapped ? Math.min(best, (before[j - 2] ?? 0) + 1) : best)
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}

/** `Did you mean …? ` for the known word nearest to what was written, or nothing. Each known word says how it is shown. */
export function didYouMean(written: string, known: readonly (readonly [word: string, shown: string])[]): string {
  const limit = Math.max(1, Math.floor(written.length * distanceShareMax))
  let nearest: { shown: string; distance: number } | undefined
  for (const [word, shown] of known) {
    const away = distance(written, word)
    if (away <= limit && away < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { shown, distance: away }
  }
  return nearest === undefined ? '' : `Did you mean ${nearest.shown}? `
}
