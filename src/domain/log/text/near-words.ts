/** Texts that differ in more than a third of their letters are hardly slips of the same finger. */
const distanceShareMax = 1 / 3

/** Of the known words those that somebody may have meant who wrote another, the nearest first. */
export function nearWords<Known>(written: string, known: readonly Known[], word: (one: Known) => string): Known[] {
  const limit = Math.max(1, Math.floor(written.length * distanceShareMax))
  // The lengths alone say of most words that they are too far away.
  const alike = known.filter((one) => Math.abs(word(one).length - written.length) <= limit)
  const measured = alike.map((one) => ({ one, away: distance(written, word(one)) }))
  const near = measured.filter(({ away }) => away <= limit)
  // Of those that are as near, one that was begun and not finished.
  const isBegun = (one: Known) => (word(one).startsWith(written) ? 0 : 1)
  return near.sort((a, b) => a.away - b.away || isBegun(a.one) - isBegun(b.one)).map(({ one }) => one)
}

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
