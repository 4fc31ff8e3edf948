/** A revision of the protocol that a client may speak, and what was not the same before or after it. */
export interface Revision {
  readonly name: string
  /** Several messages may come at once, as a list. */
  readonly batches?: true
  /** Answers of tools have values beside their text. */
  readonly structured?: true
  /** Nothing is agreed on before: each request says by itself which revision it is of. */
  readonly stateless?: true
}

/** Oldest first. */
export const revisions: readonly Revision[] = [
  { name: '2024-11-05', batches: true },
  { name: '2025-03-26', batches: true },
  { name: '2025-06-18', structured: true },
  { name: '2025-11-25', structured: true },
  { name: '2026-07-28', structured: true, stateless: true },
]

export const revisionNames = revisions.map(({ name }) => name)

/** What is spoken with a client that asks for something else. */
const newestAgreed = revisions.findLast(({ stateless }) => !stateless) as Revision

export function revisionOf(name: unknown): Revision | undefined {
  return revisions.find((revision) => revision.name === name)
}

/** The answer to the revision that a client proposes: the same if it can be, else the newest that is agreed on like this. */
export function agreed(proposed: unknown): Revision {
  const known = revisionOf(proposed)
  return known === undefined || known.stateless ? newestAgreed : known
}
