import type { Clock } from '../clock.ts'
import type { FeedEvent } from '../domain/log/event.ts'
import type { FollowAllOptions, FollowOptions } from '../domain/log/feed-filter.ts'
import type { Limits } from '../domain/log/limits.ts'
import type { Parts, Problem } from '../domain/log/part.ts'
import { ask, askRow } from '../domain/log/questions.ts'
import { CairnRefusal, Refusal, refuse } from '../domain/log/refusal.ts'
import type { Answer } from '../domain/log/rows.ts'
import { roots } from '../domain/log/tables.ts'
import { aboutSessions } from '../domain/sessions/questions.ts'
import { sessionRemoved } from '../domain/sessions/session.ts'
import type { ProcessIdentity } from '../domain/sessions/tables.ts'
import type { AnyAnswered, AnyOperation, AnyStream, Effect, Place, Read, Wait } from '../operations/operation.ts'
import { sincePlace } from '../operations/point.ts'
import type { Tools } from '../operations/store/maintenance-port.ts'
import type { Engine } from '../store/engine.ts'
import { agentIn, asItself, checkAsking, checkBeyond, ownersOnly } from './access/authority.ts'
import type { Caller } from './access/caller.ts'
import type { Owner } from './access/owner.ts'
import { Tokens } from './access/tokens.ts'
import { Blobs } from './blobs/blobs.ts'
import { DueTimes } from './due/due-times.ts'
import { endEach } from './due/gone-processes.ts'
import { Timekeeper } from './due/timekeeper.ts'
import { type FolderKeeping, FolderRecords } from './folders/folder-records.ts'
import { checkTrees, withHost } from './folders/on-host.ts'
import { withFolder } from './folders/with-folder.ts'
import { Forks } from './forks/forks.ts'
import { verifyStore } from './proof/verify.ts'
import { Feed } from './read/feed.ts'
import { Follows } from './read/follows.ts'
import { Places } from './read/places.ts'
import { ofRootThere } from './read/root-there.ts'
import { Waits } from './read/waits.ts'
import { answered, throwRefusal, unlessRefused } from './thrown.ts'
import { toolsOf } from './upkeep/maintenance.ts'
import type { Asked } from './write/asked.ts'
import { callOf } from './write/call-of.ts'
import { type AfterCommit, Commits, type Committed } from './write/commits.ts'
import { RootNumbers } from './write/root-numbers.ts'
import { WriteGuard } from './write/write-guard.ts'
import { Writer } from './write/writer.ts'

/** The one way anything is read or written, whatever surface it came through. */
export class Log {
  readonly tokens: Tokens
  readonly blobs: Blobs
  readonly writes = new WriteGuard()
  /** What this store takes. */
  readonly limits: Limits
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #parts: Parts
  readonly #owner: Owner | undefined
  readonly #numbers: RootNumbers
  readonly #places: Places
  readonly #writer: Writer
  readonly #forks: Forks
  readonly #feed: Feed
  readonly #follows: Follows
  readonly #waits: Waits
  readonly #due: DueTimes
  readonly #commits = new Commits()
  #timekeeper: Timekeeper | undefined
  #folders: FolderKeeping | undefined
  #closed = false

  constructor(engine: Engine, clock: Clock, parts: Parts, limits: Limits, owner?: Owner) {
    this.tokens = new Tokens(engine, clock, owner?.token)
    this.#engine = engine
    this.#clock = clock
    this.#parts = parts
    this.limits = limits
    this.#owner = owner
    this.#numbers = new RootNumbers(engine)
    this.#places = new Places(engine)
    this.#feed = new Feed(engine)
    this.#follows = new Follows(engine, this.#feed, this.eventTypes)
    this.#writer = new Writer(engine, clock, parts, limits, this.#moved)
    this.#forks = new Forks(engine, clock, parts, this.#numbers, this.#moved)
    this.#due = new DueTimes(engine, clock, parts, (operation, input) => this.#change(operation, input, itself))
    this.#waits = new Waits(engine, this.#feed, clock, limits)
    this.blobs = new Blobs(engine, clock, limits, this.writes, (session, caller) => this.#placeThere(session, caller))
  }

  /** Calls after each commit of this process with the logs that it moved; what goes wrong in that is reported. Gives the way to stop it. */
  afterCommit(tell: AfterCommit, report: (error: unknown) => void): () => void {
    return this.#commits.subscribe(tell, report)
  }

  /** From now on and until it is closed, puts into the log what is due when it is due. For a process that stays. */
  keepTime(report: (error: unknown) => void): void {
    this.#due.report = report
    this.#timekeeper ??= new Timekeeper(this.#due, this.#clock, this.#feed, report)
    this.#folders?.watch(report)
  }

  /** From now on the folders that roots have on a host are kept as their logs are. */
  keepFolders(host: string, keeping: (records: FolderRecords) => FolderKeeping): void {
    const { id, now } = this.#clock
    const ground = { engine: this.#engine, parts: this.#parts, limits: this.limits, numbers: this.#numbers, newId: id }
    this.#folders ??= keeping(new FolderRecords(ground, host, now, (roots) => this.#feed.moved(roots)))
  }

  /** Ends the sessions on this host whose process is gone, as `isGone` finds; says how many. Costs one look where there is none. */
  async endGone(host: string, isGone: (process: ProcessIdentity) => boolean): Promise<number> {
    this.#refuseClosed()
    const bound = await this.#places.found(this.#engine.read(ask(aboutSessions.processes_on_host, host), false))
    return endEach(bound.filter(isGone), (operation, input) => this.#change(operation, input, itself))
  }

  #gone(root: number): void {
    this.#places.forget(root)
    this.#engine.announce([root])
    this.#feed.moved([root])
  }

  readonly #moved = (heads: readonly Committed[]): void => {
    const roots = heads.map(({ root }) => root)
    this.#engine.announce(roots)
    this.#feed.moved(roots)
    this.#commits.moved(heads)
    this.#folders?.moved(roots)
  }

  /** Answers, or throws a `CairnRefusal`. A change that was answered is on disk. The signal ends a wait, nothing else. */
  async execute(operation: AnyAnswered, asked: unknown, caller: Caller, signal?: AbortSignal): Promise<Answer> {
    const input = this.#input(operation, asked, caller)
    if (operation.kind === 'change') this.writes.check()
    if (operation.kind === 'change') return this.#change(operation, input, caller)
    if (operation.kind === 'wait') return this.#wait(operation, input, caller, signal)
    if (operation.kind === 'read' && operation.about !== 'store')
      return this.#places.at(input.session, caller, (place) => answered(this.#read(operation, input, place)))
    if (operation.kind === 'read') return answered(this.#read(operation, input, nowhere))
    const place = operation.about === 'store' ? nowhere : await this.#placeThere(input.session, caller)
    return answered(operation.run(input, this.#tools(caller), place))
  }

  async #read(operation: Read<Asked, Answer>, input: Asked, place: Place): Promise<Answer | Refusal> {
    await operation.loads?.()
    // One moment for both: what expires between them would be gone under a version that it was still there in.
    const now = this.#clock.now()
    // A store that cannot be written to can still be read.
    if (operation.settles?.(input)) await this.#due.fallBelow(place.root, place.rootId, now).catch(unlessRefused)
    const leaseTime = operation.byLeaseTime ? await this.#engine.leaseTime() : undefined
    const { snapshot } = operation
    const reading = operation.read(input, place, now, this.#parts, leaseTime, this.limits)
    const below = place === nowhere ? reading : ofRootThere(place.root, reading)
    const answer = await this.#engine.read(below, typeof snapshot === 'boolean' ? snapshot : snapshot(input))
    return withHost(operation, answer, this.#owner?.host)
  }

  async #wait(operation: Wait<Asked, Answer>, input: Asked, caller: Caller, signal?: AbortSignal): Promise<Answer> {
    return this.#places.at(input.session, caller, async (place) => {
      const begun = operation.begin?.(input, place)
      const whole = begun === undefined ? input : await this.#engine.read(begun, false).catch(throwRefusal)
      const aim = operation.aim(whole, this.limits, this.#parts)
      if (aim instanceof Refusal) throw new CairnRefusal(aim)
      this.#refuseClosed()
      return this.#waits.wait(place, aim, caller, signal).catch(throwRefusal)
    })
  }

  /** What a stream shows, from the sequence it names or from now on, until the signal or without end. */
  async *stream(
    operation: AnyStream,
    asked: unknown,
    caller: Caller,
    signal?: AbortSignal,
  ): AsyncGenerator<FeedEvent, void> {
    const input = this.#input(operation, asked, caller)
    const { root, rootId, seq } = await this.head(input.session, caller)
    const { since: meant = seq, ...wanted } = operation.select(input)
    const since = await this.#engine.read(sincePlace(root, meant), false)
    yield* this.follow(rootId, { ...wanted, since, signal }, caller)
  }

  /** The place of a session and where the log of its root ends now. */
  async head(session: string | undefined, caller: Caller): Promise<Place & { seq: number }> {
    this.#refuseClosed()
    return this.#places.at(session, caller, async (place) => {
      const head = await this.#engine.read(askRow(roots, place.root), false).catch(throwRefusal)
      if (head === undefined) throw new CairnRefusal(sessionRemoved())
      return { ...place, seq: head.seq }
    })
  }

  /** What happens below the root of a session, from a sequence on and without end. */
  async *follow(session: string | undefined, options: FollowOptions, caller: Caller): AsyncGenerator<FeedEvent, void> {
    this.#refuseClosed()
    yield* this.#follows.below(() => this.#placeThere(session, caller), options)
  }

  /** Where the log of each root ends now: from there `followAll` can go on. */
  async heads(caller: Caller): Promise<Record<string, number>> {
    this.#refuseClosed()
    return this.#follows.heads(caller)
  }

  /** What happens below all roots: `since` has the last sequence seen of each root that is known. */
  async *followAll(options: FollowAllOptions, caller: Caller): AsyncGenerator<FeedEvent, void> {
    this.#refuseClosed()
    yield* this.#follows.all(options, caller)
  }

  /** All types that events can have. */
  get eventTypes(): readonly string[] {
    return [...this.#parts.evolve.keys()]
  }

  async #change(operation: Effect<object, Answer>, asked: Asked, caller: Caller): Promise<Answer> {
    const agent = agentIn(caller.scope)
    const input = agent ? asItself(asked) : asked
    const acting = operation.acting(input)
    const isNew = acting === 'new root'
    if (isNew && agent) throw new CairnRefusal(ownersOnly('a new root'))
    if (isNew) return this.#changeAt(await this.#newRoot(), operation, input, caller)
    return this.#places.acting(operation, acting.session, caller, (place) =>
      this.#changeAt(place, operation, input, caller),
    )
  }

  async #changeAt(place: Place, operation: Effect<object, Answer>, input: Asked, caller: Caller): Promise<Answer> {
    const trees = operation.treesOf?.(input)
    if (trees !== undefined) await checkTrees(this.#engine, this.#owner?.host, trees, place.root)
    const call = callOf(operation, input, place, caller)
    const answer = await ('forking' in call ? this.#forks.make(call) : this.#writer.write(call))
    return this.#folders === undefined || caller.keepsFolder ? answer : withFolder(this.#folders, call, answer)
  }

  /** What is asked, of whoever may ask it. */
  #input(operation: AnyOperation, asked: unknown, caller: Caller): Asked {
    this.#refuseClosed()
    const input = checkAsking(operation, caller) ?? operation.input.check(asked, '', this.limits)
    const refusal = input instanceof Refusal ? input : checkBeyond(operation, input as object, caller.scope)
    if (refusal) throw new CairnRefusal(refusal)
    return input as Asked
  }

  #refuseClosed(): void {
    if (this.#closed) throw new CairnRefusal(refuse('unavailable', 'This store was closed.', 'Open it again.'))
  }

  async #placeThere(named: string | undefined, caller: Caller): Promise<Place> {
    const { seq: _, ...place } = await this.head(named, caller)
    return place
  }

  async #newRoot(): Promise<Place> {
    return { root: await this.#places.found(this.#numbers.next()), rootId: `sess_${this.#clock.id()}`, no: 0 }
  }

  #tools(caller: Caller): Tools {
    const placeOf = (named: string | undefined) => this.#placeThere(named, caller)
    return toolsOf({
      engine: this.#engine,
      parts: this.#parts,
      clock: this.#clock,
      limits: this.limits,
      numbers: this.#numbers,
      moved: (roots) => this.#feed.moved(roots),
      gone: (root) => this.#gone(root),
      tokens: this.tokens,
      files: this.#owner?.files,
      blobs: this.blobs,
      folders: this.#folders,
      placeOf,
      change: (operation, input) => this.#change(operation, input, caller),
      fallDue: () => this.#due.fall(),
    })
  }

  /** What in the store is not as the log says. */
  verify(): Promise<Problem[]> {
    return this.#engine.read(verifyStore(this.#parts), true).catch(throwRefusal)
  }

  /** Waits for what was asked before; whatever is asked after is refused. */
  async close(): Promise<void> {
    await this.#folders?.finish().catch(() => undefined)
    this.#closed = true
    this.#feed.close()
    await this.#places.settled()
    await this.#waits.settled()
    await this.blobs.close()
    await this.#timekeeper?.ended
    // Those that have just found their root join its lane in this turn.
    await new Promise<void>((resolve) => setImmediate(resolve))
    await this.#writer.settled()
    await this.#forks.settled()
    await this.#commits.settled()
    await this.#folders?.close()
    await this.#engine.close()
  }
}

/** In whose name the log records what happens by itself. */
const itself: Caller = { principal: 'owner', actor: 'cairn', scope: 'owner' }

const nowhere: Place = { root: 0, rootId: '', no: 0 }
