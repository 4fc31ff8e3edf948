import type { Clock } from '../../clock.ts'
import { checkHeld, leaseRefs } from '../../domain/leases/lease.ts'
import { leases } from '../../domain/leases/tables.ts'
import type { LeaseTime } from '../../domain/log/lease-time.ts'
import type { ForkPoint, Parts } from '../../domain/log/part.ts'
import type { Load } from '../../domain/log/questions.ts'
import { CairnRefusal, Refusal } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import { type RootRow, requests } from '../../domain/log/tables.ts'
import { failpoint } from '../../failpoint.ts'
import { type Engine, Lost, type Work } from '../../store/engine.ts'
import { diskBytesOf } from '../disk-space.ts'
import { asThrown } from '../thrown.ts'
import { touched } from '../upkeep/touched.ts'
import { asLoads } from '../write/as-loads.ts'
import type { ForkCall, Outcome } from '../write/call.ts'
import type { Committed } from '../write/commits.ts'
import { load } from '../write/loading.ts'
import { lossesMax, lostTooOften } from '../write/losses.ts'
import { Overlay } from '../write/overlay.ts'
import { isRequest, nothingRemembered, recall, rememberedRow } from '../write/remembered.ts'
import type { RootNumbers } from '../write/root-numbers.ts'
import { fork } from './fork.ts'

/** Makes forks. A repeated request gets the fork that it made the first time. */
export class Forks {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #parts: Parts
  readonly #numbers: RootNumbers
  readonly #moved: (moved: readonly Committed[]) => void
  readonly #making = new Set<Promise<unknown>>()

  constructor(
    engine: Engine,
    clock: Clock,
    parts: Parts,
    numbers: RootNumbers,
    moved: (moved: readonly Committed[]) => void,
  ) {
    this.#engine = engine
    this.#clock = clock
    this.#parts = parts
    this.#numbers = numbers
    this.#moved = moved
  }

  make(call: ForkCall): Promise<Answer> {
    const making = this.#make(call).finally(() => this.#making.delete(making))
    this.#making.add(making)
    return making
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#making)
  }

  async #make(call: ForkCall): Promise<Answer> {
    const to = { root: -(await this.#numbers.next()), id: `sess_${this.#clock.id()}` }
    const outcome = await this.#write(call, to)
    failpoint('answer')
    if ('refusal' in outcome) throw new CairnRefusal(outcome.refusal)
    if ('bug' in outcome) throw outcome.bug
    failpoint('announce')
    // A repeat made none.
    const { root_session_id: id, at: seq } = outcome.answer
    if (id === to.id) this.#moved([{ root: to.root, rootId: to.id, seq: Number(seq) }])
    return outcome.answer
  }

  async #write(call: ForkCall, to: ForkPoint['to'], losses = 0): Promise<Outcome> {
    const { root } = call.place
    try {
      return await this.#engine.write([root], ([head], time) => this.#work(call, head, time, to))
    } catch (error) {
      if (!(error instanceof Lost)) throw asThrown(error)
      if (losses >= lossesMax) throw new CairnRefusal(lostTooOften())
      return this.#write(call, to, losses + 1)
    }
  }

  *#work(call: ForkCall, head: RootRow | undefined, time: LeaseTime, to: ForkPoint['to']): Work<Outcome> {
    const remembered = isRequest(call) ? yield* recall([call]) : nothingRemembered
    const known = remembered.outcome(call)
    if (known !== undefined) return { changes: [], out: known }
    const refusal = yield* refuseFenced(call, head, time)
    if (refusal) return { changes: [], out: { refusal } }
    const wanted = yield* asLoads(call.forking(call.place))
    if (wanted instanceof Refusal) return { changes: [], out: { refusal: wanted } }
    const forked = yield* asLoads(fork(this.#parts, head, { ...wanted, to }))
    if (forked instanceof Refusal) return { changes: [], out: { refusal: forked } }
    const { changes, made } = forked
    const answer = wanted.answer(made)
    const row = rememberedRow(call, answer, this.#clock.now())
    if (row === undefined || head === undefined) return { changes, out: { answer } }
    const counted = touched(head, [], diskBytesOf(requests, row))
    return { changes: [...changes, { table: requests, rows: [row] }, ...counted], out: { answer } }
  }
}

/** Whoever acts under leases must hold them. */
function* refuseFenced(
  { place: { root, rootId, fences = [] } }: ForkCall,
  head: RootRow | undefined,
  time: LeaseTime,
): Generator<readonly Load[], Refusal | undefined, readonly object[][]> {
  const rows = new Overlay(root, rootId, head)
  for (const fence of fences) {
    yield* load([[rows, leaseRefs(fence.name)]])
    const held = checkHeld(rows.get(leases, fence.name), fence, time)
    if (held instanceof Refusal) return held
  }
  return undefined
}
