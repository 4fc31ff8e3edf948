import type { Clock } from '../../clock.ts'
import type { Limits } from '../../domain/log/limits.ts'
import type { Parts } from '../../domain/log/part.ts'
import { CairnRefusal } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import type { RootRow } from '../../domain/log/tables.ts'
import { failpoint } from '../../failpoint.ts'
import { type Engine, Lost } from '../../store/engine.ts'
import { asThrown } from '../thrown.ts'
import type { Call, Outcome } from './call.ts'
import type { Committed } from './commits.ts'
import { type GroupContext, runGroup } from './group.ts'
import { IndexBehind } from './index-behind.ts'
import { Lane } from './lane.ts'
import { lossesMax, lostTooOften } from './losses.ts'
import { Overlay } from './overlay.ts'

/** Roots whose rows stay in memory between groups. */
const rememberedRootsMax = 256

interface Waiting {
  readonly call: Call
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** Gathers calls into groups and commits them; the only way into the log. */
export class Writer {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #context: GroupContext
  readonly #moved: (moved: readonly Committed[]) => void
  readonly #indexBehind: IndexBehind
  readonly #lanes = new Map<number, Lane<Waiting>>()
  readonly #overlays = new Map<number, Overlay>()

  /** `moved` is told what was committed, and must not throw. */
  constructor(
    engine: Engine,
    clock: Clock,
    parts: Parts,
    limits: Limits,
    moved: (moved: readonly Committed[]) => void,
  ) {
    this.#engine = engine
    this.#clock = clock
    this.#context = {
      parts,
      limits,
      newId: () => clock.id(),
      newSecret: () => clock.secret(),
      prefetches: engine.locksByRoot,
      overlayOf: (root, id, head) => this.#overlayOf(root, id, head),
    }
    this.#moved = moved
    this.#indexBehind = new IndexBehind(engine, parts.tables)
  }

  /** Answers when it is on disk. */
  write(call: Call): Promise<Answer> {
    return new Promise((resolve, reject) => this.#lane(call.place.root).add({ call, resolve, reject }))
  }

  /** When all that was asked so far has been answered. */
  async settled(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.settled()))
    await this.#indexBehind.settled()
  }

  #lane(root: number): Lane<Waiting> {
    const name = this.#engine.locksByRoot ? root : 0
    let lane = this.#lanes.get(name)
    if (lane === undefined) {
      lane = new Lane<Waiting>(
        (group) => this.#commit(group),
        () => this.#lanes.delete(name),
        ({ call }) => call.turn,
      )
      this.#lanes.set(name, lane)
    }
    return lane
  }

  /** How many of the group were answered: the first so many. */
  async #commit(group: readonly Waiting[]): Promise<number> {
    const roots = rootsOf(group)
    let moved: Committed[]
    let outcomes: Outcome[]
    try {
      outcomes = await this.#write(group, roots)
      moved = this.#settle(roots)
      failpoint('answer')
      for (let at = 0; at < outcomes.length; at++) answer(group[at] as Waiting, outcomes[at] as Outcome)
    } catch (error) {
      // What the rows in memory stand for is not known any more.
      for (const root of roots) this.#overlays.delete(root)
      for (const { reject } of group) reject(asThrown(error))
      return group.length
    }
    failpoint('announce')
    if (moved.length > 0) this.#moved(moved)
    for (const { root, seq } of moved) this.#indexBehind.moved(root, seq)
    return outcomes.length
  }

  /** Which logs the group has moved, and to where. */
  #settle(roots: readonly number[]): Committed[] {
    const moved: Committed[] = []
    for (const root of roots) {
      const overlay = this.#overlays.get(root)
      const head = overlay?.settle() ? overlay.head() : undefined
      if (head !== undefined) moved.push({ root, rootId: head.id, seq: head.seq })
    }
    return moved
  }

  #write(group: readonly Waiting[], roots: readonly number[], losses = 0): Outcome[] | Promise<Outcome[]> {
    const calls = group.map(({ call }) => call)
    const at = this.#clock.now()
    const written = this.#engine.write(roots, (heads, leaseTime) =>
      runGroup(calls, heads, { at, leaseTime }, this.#context),
    )
    if (!(written instanceof Promise)) return written
    return written.catch((error: unknown) => {
      if (!(error instanceof Lost)) throw error
      if (losses >= lossesMax) throw lostTooOften()
      for (const root of roots) this.#overlays.delete(root)
      return this.#write(group, roots, losses + 1)
    })
  }

  /** An attempt that came to nothing may have left its changes in the rows: each one starts without them. */
  #overlayOf(root: number, id: string, head: RootRow | undefined): Overlay {
    const remembered = this.#overlays.get(root)
    remembered?.backTo(0)
    const seen = remembered?.head()
    if (remembered && seen?.hash === head?.hash && seen?.generation === head?.generation) return remembered
    const [oldest] = this.#overlays.keys()
    if (this.#overlays.size >= rememberedRootsMax) this.#overlays.delete(oldest as number)
    const fresh = new Overlay(root, id, head)
    this.#overlays.set(root, fresh)
    return fresh
  }
}

/** Most groups are of one root. */
function rootsOf(group: readonly Waiting[]): number[] {
  const first = (group[0] as Waiting).call.place.root
  if (group.every(({ call }) => call.place.root === first)) return [first]
  return [...new Set(group.map(({ call }) => call.place.root))]
}

function answer({ resolve, reject }: Waiting, outcome: Outcome): void {
  if ('answer' in outcome) resolve(outcome.answer)
  else reject('refusal' in outcome ? new CairnRefusal(outcome.refusal) : outcome.bug)
}
