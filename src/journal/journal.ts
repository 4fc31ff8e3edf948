import { hash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { canonical, type Json } from '../domain/json.ts'
import { type LeaseTime, parseFence } from '../domain/lease.ts'
import type { Limits } from '../domain/limits.ts'
import { CairnRefusal, Refusal, refuse } from '../domain/refusal.ts'
import type { Answer } from '../domain/rows.ts'
import type { RootRow } from '../domain/tables.ts'
import { failpoint, isPlanted } from '../failpoint.ts'
import type { AnyOperation, Change, Place } from '../operations/operation.ts'
import { stateDelete } from '../operations/state-delete.ts'
import type { Tools } from '../operations/tools.ts'
import { type Engine, Lost } from '../store/engine.ts'
import type { Caller } from './caller.ts'
import { Directory } from './directory.ts'
import { Feed, type FeedEvent, type FollowAllOptions, type FollowOptions } from './feed.ts'
import { type Call, type Outcome, runGroup } from './group.ts'
import { Lane } from './lane.ts'
import { Overlay } from './overlay.ts'
import { toolsOf } from './upkeep/tools.ts'
import { type Problem, verifyStore } from './verify.ts'

/** Roots whose rows stay in memory between groups. */
const rememberedRootsMax = 256

/** Losing a race for a request id means the answer is there at the next look; more often is a bug. */
const lossesMax = 3

interface Waiting {
  readonly call: Call
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

/** The one way anything is read or written, whatever surface it came through. */
export class Journal {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #limits: Limits
  readonly #directory: Directory
  readonly #lanes = new Map<string, Lane<Waiting>>()
  readonly #overlays = new Map<string, Overlay>()
  readonly #feed: Feed
  /** Calls that do not know their root yet, and so are in no lane. */
  readonly #finding = new Set<Promise<Place>>()
  #closed = false

  constructor(engine: Engine, clock: Clock, limits: Limits) {
    this.#engine = engine
    this.#clock = clock
    this.#limits = limits
    this.#directory = new Directory(engine)
    this.#feed = new Feed(engine)
  }

  /** Answers, or throws a `CairnRefusal`. A change that was answered is on disk. */
  async execute(operation: AnyOperation, asked: unknown, caller: Caller): Promise<Answer> {
    this.#refuseClosed()
    const input = operation.input.check(asked, '')
    if (input instanceof Refusal) throw new CairnRefusal(input)
    if (operation.kind === 'change') return this.#change(operation, input, caller)
    const place = operation.about === 'store' ? nowhere : await this.#place(input.session, caller)
    const asking =
      operation.kind === 'read'
        ? this.#engine.read(operation.read(input, place), operation.snapshot)
        : operation.run(input, this.#tools(caller), place)
    const answer = await asking.catch(throwRefusal)
    if (answer instanceof Refusal) throw new CairnRefusal(answer)
    return answer as Answer
  }

  /** What happens below the root of a session, from a sequence on and without end. */
  async *follow(session: string | undefined, options: FollowOptions, caller: Caller): AsyncGenerator<FeedEvent, void> {
    this.#refuseClosed()
    try {
      const { root } = await this.#place(session, caller)
      yield* this.#feed.from(root, options)
    } catch (error) {
      throw asThrown(error)
    }
  }

  /** The same for all roots: `since` has the last sequence seen of each root that is known. */
  async *followAll({ since = {}, ...wanted }: FollowAllOptions): AsyncGenerator<FeedEvent, void> {
    this.#refuseClosed()
    try {
      yield* this.#feed.fromAll(new Map(Object.entries(since)), wanted)
    } catch (error) {
      throw asThrown(error)
    }
  }

  async #change(operation: Change<object, Answer>, input: Asked, caller: Caller): Promise<Answer> {
    const acting = operation.acting(input)
    const isNew = acting === 'new root'
    const place = isNew ? { root: `sess_${this.#clock.id()}`, no: 0 } : await this.#place(acting.session, caller)
    const fence = input.fence === undefined ? undefined : parseFence(input.fence)
    if (fence instanceof Refusal) throw new CairnRefusal(fence)
    const call: Call = {
      operation: operation as Change<unknown, Answer>,
      input: isPlanted('skip-cas') ? withoutExpectations(input) : input,
      place,
      makesRoot: isNew,
      actor: caller.actor,
      request: requestOf(operation.name, input, isNew ? nowhere : place, caller),
      cause: null,
      fence,
    }
    return new Promise((resolve, reject) => this.#lane(place.root).add({ call, resolve, reject }))
  }

  #refuseClosed(): void {
    if (this.#closed) throw new CairnRefusal(refuse('unavailable', 'This store was closed.', 'Open it again.'))
  }

  #place(named: string | undefined, caller: Caller): Place | Promise<Place> {
    const id = named ?? caller.session
    return (id === undefined ? undefined : this.#directory.known(id)) ?? this.#find(named, caller)
  }

  async #find(named: string | undefined, caller: Caller): Promise<Place> {
    const finding = this.#directory.find(named, caller)
    this.#finding.add(finding)
    return finding.catch(throwRefusal).finally(() => this.#finding.delete(finding))
  }

  #lane(root: string): Lane<Waiting> {
    const name = this.#engine.locksByRoot ? root : ''
    let lane = this.#lanes.get(name)
    if (lane === undefined) {
      lane = new Lane<Waiting>(
        (group) => this.#commit(group),
        () => this.#lanes.delete(name),
      )
      this.#lanes.set(name, lane)
    }
    return lane
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    const roots = [...new Set(group.map(({ call }) => call.place.root))]
    try {
      const outcomes = await this.#write(group, roots)
      for (const root of roots) this.#overlays.get(root)?.settle()
      failpoint('answer')
      for (const [at, waiting] of group.entries()) answer(waiting, outcomes[at] as Outcome)
    } catch (error) {
      // What the rows in memory stand for is not known any more.
      for (const root of roots) this.#overlays.delete(root)
      for (const { reject } of group) reject(asThrown(error))
      return
    }
    failpoint('announce')
    this.#engine.announce(roots)
    this.#feed.moved(roots)
  }

  async #write(group: readonly Waiting[], roots: readonly string[], losses = 0): Promise<Outcome[]> {
    const calls = group.map(({ call }) => call)
    const common = {
      limits: this.#limits,
      at: this.#clock.now(),
      newId: () => this.#clock.id(),
      prefetches: this.#engine.locksByRoot,
      overlayOf: (root: string, head: RootRow | undefined) => this.#overlayOf(root, head),
    }
    const work = (heads: RootRow[], leaseTime: LeaseTime) => runGroup(calls, heads, { ...common, leaseTime })
    try {
      return await this.#engine.write(roots, work)
    } catch (error) {
      if (!(error instanceof Lost)) throw error
      if (losses >= lossesMax) throw refuse('busy', 'Others used the same request ids at the same time.', 'Try again.')
      for (const root of roots) this.#overlays.delete(root)
      return this.#write(group, roots, losses + 1)
    }
  }

  /** An attempt that came to nothing may have left its changes in the rows: each one starts without them. */
  #overlayOf(root: string, head: RootRow | undefined): Overlay {
    const remembered = this.#overlays.get(root)
    remembered?.backTo(0)
    const seen = remembered?.head()
    if (remembered && seen?.hash === head?.hash && seen?.generation === head?.generation) return remembered
    if (this.#overlays.size >= rememberedRootsMax) this.#overlays.clear()
    const fresh = new Overlay(root, head)
    this.#overlays.set(root, fresh)
    return fresh
  }

  #tools(caller: Caller): Tools {
    const deleteKey = async (root: string, key: string) => {
      const gone = this.#change(stateDelete as Change<object, Answer>, { session: root, key }, caller)
      await gone.catch((error: unknown) => {
        if (!(error instanceof CairnRefusal && error.code === 'key_not_found')) throw error
      })
    }
    return toolsOf({ engine: this.#engine, clock: this.#clock, deleteKey })
  }

  /** What in the store is not as the log says. */
  verify(): Promise<Problem[]> {
    return this.#engine.read(verifyStore(), true).catch(throwRefusal)
  }

  /** Waits for what was asked before; whatever is asked after is refused. */
  async close(): Promise<void> {
    this.#closed = true
    this.#feed.close()
    await Promise.allSettled([...this.#finding])
    // Those that have just found their root join its lane in this turn.
    await new Promise<void>((resolve) => setImmediate(resolve))
    await Promise.all([...this.#lanes.values()].map((lane) => lane.settled()))
    await this.#engine.close()
  }
}

type Asked = { session?: string; request_id?: string; fence?: string } & { [name: string]: Json }

const nowhere: Place = { root: '', no: 0 }

function requestOf(name: string, input: Asked, place: Place, caller: Caller): Call['request'] {
  if (input.request_id === undefined) return undefined
  const { request_id: id, session: _named, fence: _fence, ...rest } = input
  const fingerprint = hash('sha256', canonical([name, place.root, place.no, rest]), 'hex')
  return { caller: caller.principal, id, fingerprint }
}

function answer({ resolve, reject }: Waiting, outcome: Outcome): void {
  if ('answer' in outcome) resolve(outcome.answer)
  else reject('refusal' in outcome ? new CairnRefusal(outcome.refusal) : outcome.bug)
}

function asThrown(error: unknown): unknown {
  return error instanceof Refusal ? new CairnRefusal(error) : error
}

function throwRefusal(error: unknown): never {
  throw asThrown(error)
}

/** The planted fault `skip-cas`. */
function withoutExpectations(input: Asked): Asked {
  const { version: _version, create_only: _createOnly, ...rest } = input
  return rest as Asked
}
