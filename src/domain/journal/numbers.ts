/** How entries of the journal are named: `decision-001`. They count within their root. */
export const entryWords = {
  decision: 'decision',
  blocker: 'block',
  need: 'need',
  question: 'question',
  sitting: 'session',
} as const

export type EntryKind = keyof typeof entryWords

export function entryId(kind: EntryKind, number: number): string {
  return `${entryWords[kind]}-${String(number).padStart(3, '0')}`
}

/** The number of an entry that is given as its id, or as its number alone; undefined for what is neither. */
export function entryNumber(kind: EntryKind, given: string): number | undefined {
  const word = `${entryWords[kind]}-`
  const digits = given.toLowerCase().startsWith(word) ? given.slice(word.length) : given
  if (!/^\d{1,15}$/.test(digits)) return undefined
  const number = Number(digits)
  return number > 0 ? number : undefined
}
