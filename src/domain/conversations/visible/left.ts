import { type Asking, ask } from '../../log/questions.ts'
import { type Base, contextStream, type Leaves, type Stretch } from '../facts.ts'
import { aboutConversations } from '../questions.ts'
import { countOf, overlap } from './stretches.ts'

/** What an event left visible that others build on, with its place in the log. */
export interface Left {
  readonly seq: number
  readonly visible: readonly Stretch[]
  readonly on?: Base | undefined
}

/** None where the event is not here, or not one before another: what came from elsewhere may say anything. */
export function* eventLeft(root: number, [no, version, count]: Base, before: number): Asking<Left | undefined> {
  const [event] = yield* ask(aboutConversations.context_events, root, contextStream(no), version - 1, version)
  const { visible, on } = (event?.data == null ? {} : JSON.parse(event.data)) as Partial<Leaves>
  if (event === undefined || visible === undefined || event.seq >= before) return undefined
  return { seq: event.seq, visible: visible.slice(0, count), on }
}

/** All that the stretches of an event build on, the newest first. */
export function* below(root: number, { on }: Pick<Leaves, 'on'>): Asking<(Left & { readonly of: Base })[]> {
  const all: (Left & { readonly of: Base })[] = []
  for (let base = on, before = Number.POSITIVE_INFINITY; base !== undefined; ) {
    const left: Left | undefined = yield* eventLeft(root, base, before)
    if (left === undefined) break
    all.push({ ...left, of: base })
    base = left.on
    before = left.seq
  }
  return all
}

/** The stretches themselves, in the order in which they are read. */
export function* resolved(root: number, leaves: Leaves): Asking<Stretch[]> {
  const parts = (yield* below(root, leaves)).reverse()
  return [...parts.flatMap(({ visible }) => visible), ...leaves.visible]
}

/** How many versions are visible in one and not in the other. What both build on is looked at no further. */
export function* hiddenBetween(root: number, before: Leaves, after: Leaves): Asking<number> {
  const [one, other] = [new Opened(before), new Opened(after)]
  while (one.on?.join() !== other.on?.join()) {
    yield* (one.isAbove(other) ? one : other).open(root)
  }
  return countOf(one.stretches) - overlap(one.stretches, other.stretches)
}

/** Stretches that are looked at from their end, as far as they are needed. */
class Opened {
  readonly stretches: Stretch[]
  on: Base | undefined
  #before = Number.POSITIVE_INFINITY

  constructor({ visible, on }: Leaves) {
    this.stretches = [...visible]
    this.on = on
  }

  /** A later event is above an earlier one, and a session that was copied into above the one it was copied from. */
  isAbove({ on }: Opened): boolean {
    if (this.on === undefined || on === undefined) return this.on !== undefined
    for (const [at, mine] of this.on.entries()) {
      const theirs = on[at] as number
      if (mine !== theirs) return mine > theirs
    }
    return false
  }

  *open(root: number): Asking<void> {
    const left = this.on && (yield* eventLeft(root, this.on, this.#before))
    this.stretches.push(...(left?.visible ?? []))
    this.on = left?.on
    this.#before = left?.seq ?? 0
  }
}
