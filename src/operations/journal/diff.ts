import { type Between, workChanges } from '../../domain/journal/changes.ts'
import { journalPart } from '../../domain/journal/part.ts'
import { integer, optional } from '../../domain/log/input-schema.ts'
import { type Concerned, pastPlace } from '../../domain/log/past/place.ts'
import type { Asking } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { planPart } from '../../domain/plan/part.ts'
import { read } from '../operation.ts'
import { diffInput, diffState } from '../state/diff.ts'

/** Of each kind, where nobody says how many. */
const entriesUsual = 50
const entriesMax = 500

/** What was compacted is refused for what it is part of: each part keeps its own past. */
function* refuseLost(root: number, { from, to }: Between): Asking<Refusal | undefined> {
  for (const part of [planPart, journalPart] satisfies Concerned[]) {
    for (const at of [from, to]) {
      const place = yield* pastPlace(root, { at }, part)
      if (place instanceof Refusal) return place
    }
  }
  return undefined
}

export const journalDiff = read({
  name: 'journal.diff',
  large: true,
  summary: 'Show what differs between two points: in the state, the plan and the journal.',
  command: {
    words: ['diff'],
    positional: ['from', 'to'],
    topic: 'Look',
    examples: ['cairn diff 40 now', 'cairn diff 2026-11-15T09:00:00Z now --json'],
  },
  input: {
    ...diffInput,
    entries: optional(
      integer(`At most so many phases, tasks, decisions … each; default ${entriesUsual}.`, { min: 1, max: entriesMax }),
    ),
  },
  snapshot: true,
  *read(input, { root, rootId }, now) {
    const state = yield* diffState(root, input, now)
    if (state instanceof Refusal) return state
    const refusal = yield* refuseLost(root, state)
    if (refusal) return refusal
    const work = yield* workChanges(root, state, input.entries ?? entriesUsual)
    return { root_session_id: rootId, ...state, ...work }
  },
})
