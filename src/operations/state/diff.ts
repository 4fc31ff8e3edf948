import { optional, text } from '../../domain/log/input-schema.ts'
import { type Asking, askRow } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { roots } from '../../domain/log/tables.ts'
import { type KeyChange, readDiff, type Side } from '../../domain/state/past/diff.ts'
import { resolvePoint } from '../../domain/state/past/past.ts'
import { limit } from '../inputs.ts'
import { read } from '../operation.ts'
import { type Meant, point, pointMeant } from '../point.ts'

/** Changes are small and looked through as a whole, so a page holds many. */
const changesUsual = 500

function* sideMeant(root: number, meant: Meant, now: number): Asking<Side | Refusal> {
  const place = yield* resolvePoint(root, pointMeant(meant))
  if (place instanceof Refusal) return place
  if (place !== undefined) return { seq: place }
  const head = yield* askRow(roots, root)
  return { seq: head?.seq ?? 0, now }
}

export const diffInput = {
  from: point('The first point: a sequence number, a time, or now.'),
  to: point('The second point, likewise.'),
  after: optional(text('Only keys after this one: continues where a page ended.', { max: 256 })),
  limit,
}

interface Given {
  readonly from: Meant
  readonly to: Meant
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

export function* diffState(root: number, input: Given, now: number) {
  const from = yield* sideMeant(root, input.from, now)
  if (from instanceof Refusal) return from
  const to = yield* sideMeant(root, input.to, now)
  if (to instanceof Refusal) return to
  const page = yield* readDiff(root, from, to, input.after ?? '', input.limit ?? changesUsual)
  const more: { next_after?: string } = page.last === undefined ? {} : { next_after: page.last }
  const changes = page.changes as KeyChange[]
  return { from: from.seq, to: to.seq, changes, has_more: page.last !== undefined, ...more }
}

export const stateDiff = read({
  name: 'state.diff',
  large: true,
  summary: 'Show what differs in the state between two points, by path.',
  command: { words: ['state diff'], positional: ['from', 'to'], examples: ['cairn state diff 40 now'] },
  input: diffInput,
  snapshot: true,
  *read(input, { root }, now) {
    return yield* diffState(root, input, now)
  },
})
