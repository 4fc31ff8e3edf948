import type { Fence } from '../domain/leases/fence.ts'
import { checkFenced, leaseRefs } from '../domain/leases/lease.ts'
import type { Deciding } from '../domain/log/deciding.ts'
import { type Members, type ObjectSchema, object, type Shape } from '../domain/log/input-schema.ts'
import type { LeaseTime } from '../domain/log/lease-time.ts'
import type { Limits } from '../domain/log/limits.ts'
import type { Parts } from '../domain/log/part.ts'
import type { Asking } from '../domain/log/questions.ts'
import { Refusal } from '../domain/log/refusal.ts'
import { type Answer, type Ref, type RowsWithPast, rowOf } from '../domain/log/rows.ts'
import { sessionRemoved } from '../domain/sessions/session.ts'
import { sessions } from '../domain/sessions/tables.ts'
import type { CommandLine } from './command-line.ts'
import type { Host } from './host-port.ts'
import { allowSecret, fence, requestId, session, toolCall } from './inputs.ts'
import type { Meant } from './point.ts'
import type { Tools } from './store/maintenance-port.ts'

/**
 * How far an operation reaches, for callers that are no owner. `root`: what all sessions of a root share. `subtree`: it acts on
 * a session, so only one's own and those below. `owner`: the store, who may use it, and what crosses roots.
 */
export type Reach = 'root' | 'subtree' | 'owner'

/** What every operation says of itself; routes, tools, commands and help are made from it. */
interface Definition<Input> {
  /** `noun.verb`: the method of the library. */
  readonly name: string
  readonly summary: string
  readonly input: ObjectSchema<Input>
  readonly command: CommandLine
  /** Unless given: `owner` for what is about the store, `root` for what is about a session. */
  readonly reach?: Reach
  /** It may answer with all that there is: a server does one such at a time, and values may be held as texts (`src/json/json-text.ts`). */
  readonly large?: true
  /** Members of the input that show what lies beyond the root: an agent may not give them. */
  readonly beyondRoot?: readonly string[]
  /** What has fallen due below the root is recorded before: it answers with, or expects, a version that has moved by it. */
  settles?(input: Input): boolean
}

/** What has an effect below a root, once for each request id. */
interface Effective<Input> extends Definition<Input> {
  readonly kind: 'change'
  /** The session that acts: the one named by the input, the ambient one, or a root that is made by this very change. */
  acting(input: Input): { session: string | undefined } | 'new root'
  /** It asks for work trees of a repository: of that of this project, or else of that of its root. Refused where there can be none. */
  treesOf?(input: Input): { readonly project: string | undefined } | undefined
}

/** An operation that changes something below a root: pure, given its rows, and told by the events that it records. */
export interface Change<Input, Out> extends Effective<Input> {
  readonly makes: 'events'
  /** What must be loaded first; asked again after each loading until nothing is missing. */
  needs(input: Input, rows: RowsWithPast, acting: Acting): Ref[]
  decide(input: Input, on: Deciding): Out | Refusal
  /**
   * What it is to a root that is full: what makes room has a reserve of its own; what has fallen due is recorded in any case, and is
   * bounded by what there was room for before.
   */
  readonly onFullRoot?: 'frees' | 'due'
  /** It asks about events that calls before it may just be making: it is decided once those are written. */
  readonly startsGroup?: true
  /** For some inputs it makes a fork instead; those for which it says undefined are decided. */
  forks?(input: Input): Forking<Out> | undefined
}

/** An operation that makes a fork of a root and no event: it says which one, and the log makes it. Nothing is decided. */
export interface Fork<Input, Out> extends Effective<Input> {
  readonly makes: 'fork'
  forks(input: Input): Forking<Out>
}

/** Whoever asks for an effect need not know how it comes about: to all surfaces the two are the same. */
export type Effect<Input, Out> = Change<Input, Out> | Fork<Input, Out>

/** Finds out which fork is wanted of a root, on the rows as they are when it is made. */
export type Forking<Out> = (place: Place) => Asking<ForkWanted<Out> | Refusal>

/** A fork that is asked for. */
export interface ForkWanted<Out> {
  /** After which event; after the last unless given. */
  readonly at: number | undefined
  /** The session whose copy is answered: that of the root unless given. */
  readonly no?: number
  answer(made: ForkMade): Out
}

/** A fork that was made. */
export type ForkMade = {
  session_id: string
  root_session_id: string
  origin_session_id: string
  at: number
  status: string
  /** Of one that had ended by then: the event that ended it. */
  ended_seq?: number
}

/** The session an operation is about. */
export interface Place {
  readonly root: number
  /** The id of the root session. */
  readonly rootId: string
  readonly no: number
}

/** Who acts, and under which leases: that of the token it came with, and the one that it names. All must be held. */
export interface Acting extends Place {
  readonly fences: readonly Fence[]
}

/** An operation that only reads. */
export interface Read<Input, Out> extends Definition<Input> {
  readonly kind: 'read'
  /** `session`: within the root of the session meant. `store`: across roots. */
  readonly about: 'session' | 'store'
  /** Where several statements must see one moment: always, never, or for some inputs. */
  readonly snapshot: boolean | ((input: Input) => boolean)
  /** `now` is the present time: what has expired by then reads as gone. `parts` is what the store was opened with. Leases run by another clock. */
  read(
    input: Input,
    place: Place,
    now: number,
    parts: Parts,
    leaseTime: LeaseTime | undefined,
    limits: Limits,
  ): Asking<Out | Refusal>
  /** It says who holds what at present, and so has to know what that clock shows. */
  readonly byLeaseTime?: true
  /** Puts into the answer what only the machine knows that answers. */
  onHost?(answer: Out, host: Host): Out
  /** Awaited before it reads: what it is made of is too large to be loaded for all. */
  loads?(): Promise<void>
}

/** An operation on the store itself. It makes no event; what it needs is done by the tools it is given. */
export interface Upkeep<Input, Out> extends Definition<Input> {
  readonly kind: 'upkeep'
  /** It only looks at something: whoever may read may ask for it. */
  readonly looks?: true
  /** `session`: of the root of the session meant. `store`: of all of it. */
  readonly about: 'session' | 'store'
  run(input: Input, tools: Tools, place: Place): Promise<Out | Refusal>
}

/** What is seen at one moment. */
export interface Seen<Found> {
  readonly found: Found
  /** When it will be another by itself, if it will. */
  readonly until?: number | undefined
}

/** Which events may bring about what somebody waits for: those of a stream or of several, or of any; and of those, about a key. */
export interface Watched {
  readonly stream?: string | undefined
  /** How the names of the streams begin. */
  readonly streams?: string | undefined
  /** Only events that name this key, and those that name none. */
  readonly key?: string | undefined
}

/** What somebody waits for. */
export interface Aim<Out, Found> {
  readonly watched: Watched
  /** Those who wait for what is looked at under the same name look at it together. */
  readonly sight: string
  /** How long to wait at most. */
  readonly ms: number
  look(place: Place, now: number): Asking<Seen<Found>>
  /** The answer, once that has come about, or cannot any more. */
  answer(seen: Seen<Found>): Out | Refusal | undefined
  /** What to say when the time is over. */
  late(seen: Seen<Found>): Out | Refusal
}

// biome-ignore lint/suspicious/noExplicitAny: what is found is between the aim and itself.
export type AnyAim<Out> = Aim<Out, any>

/** An operation that is answered when something has come about. */
export interface Wait<Input, Out> extends Definition<Input> {
  readonly kind: 'wait'
  /** Asked before anything is waited for: the input with what it left open. */
  begin?(input: Input, place: Place): Asking<Input>
  /** `parts` is what the store was opened with. */
  aim(input: Input, limits: Limits, parts: Parts): AnyAim<Out> | Refusal
}

/** Which events of a root somebody wants to hear of. */
export interface Selection {
  /** After this sequence number or time; from now on without it. */
  readonly since?: Meant | undefined
  readonly stream?: string | undefined
  readonly prefix?: string | undefined
}

/** An operation that answers again and again, with each event as it happens, until nobody listens any more. */
export interface Stream<Input> extends Definition<Input> {
  readonly kind: 'stream'
  select(input: Input): Selection
}

/** An operation that is answered once. */
export type Operation<Input, Out> = Effect<Input, Out> | Read<Input, Out> | Upkeep<Input, Out> | Wait<Input, Out>

// biome-ignore lint/suspicious/noExplicitAny: a list of operations holds ones of every input and answer.
export type AnyAnswered = Operation<any, any>
// biome-ignore lint/suspicious/noExplicitAny: an operation of any input that answers this.
export type Answering<Out> = Operation<any, Out>
// biome-ignore lint/suspicious/noExplicitAny: as above.
export type AnyStream = Stream<any>
export type AnyOperation = AnyAnswered | AnyStream

const inSession = { session }
const changing = { session, request_id: requestId, fence, call: toolCall, allow_secret: allowSecret }

type Common<M, Added> = Shape<M & Added>
/** The input of a change: its own members and those of every change. */
export type Changing<M> = Common<M, typeof changing>
type Given<D, M> = Omit<D, 'kind' | 'makes' | 'input' | 'acting'> & { input: M }

/** Defines a change; the session it acts in, the request id, the fence and whether secrets are meant are members of every one. */
export function change<const M extends Members, Out extends Answer>(
  given: Given<Change<Changing<M>, Out>, M>,
): Change<Changing<M>, Out> {
  return {
    ...given,
    ...effective(given),
    makes: 'events',
    needs: (asked, rows, place) => [...actingRefs(rows, place), ...given.needs(asked, rows, place)],
    decide(asked, on) {
      on.session = on.rows.get(sessions, on.no)
      return checkActing(on) ?? given.decide(asked, on)
    },
  }
}

/** Defines an operation that always makes a fork; it has the same members of its own as every change. */
export function fork<const M extends Members, Out extends Answer>(
  given: Given<Fork<Changing<M>, Out>, M>,
): Fork<Changing<M>, Out> {
  return { ...given, ...effective(given), makes: 'fork' }
}

function effective<M extends Members>({ input, summary }: { input: M; summary: string }) {
  const acting = ({ session }: { session?: string }) => ({ session })
  return {
    kind: 'change',
    input: object({ ...input, ...changing }, summary) as never,
    acting: acting as never,
  } as const
}

/** Whoever acts must be there, and its root; where it acts under a lease, it must hold that. */
function actingRefs(rows: RowsWithPast, { no, fences }: Acting): Ref[] {
  const refs = rows.head() === undefined ? [] : [theRoot, ...(no === 0 ? [] : [rowOf(sessions, no)])]
  return fences.length === 0 ? refs : [...refs, ...fences.flatMap(({ name }) => leaseRefs(name))]
}

const theRoot = rowOf(sessions, 0)

/** The session was found before the root was held; another process may have removed it since. */
function checkActing(on: Deciding): Refusal | undefined {
  if (on.session === undefined && !on.makesRoot) return sessionRemoved()
  for (const fence of on.fences) {
    const held = checkFenced(on, fence)
    if (held instanceof Refusal) return held
  }
  return undefined
}

/** Defines a read of what is below the root of a session. */
export function read<const M extends Members, Out extends Answer>(
  given: Given<Omit<Read<Common<M, typeof inSession>, Out>, 'about'>, M>,
): Read<Common<M, typeof inSession>, Out> {
  const input = object({ ...given.input, ...inSession }, given.summary)
  return { ...given, kind: 'read', about: 'session', input: input as never }
}

/** Defines a wait for something below the root of a session. */
export function wait<const M extends Members, Out extends Answer>(
  given: Given<Wait<Common<M, typeof inSession>, Out>, M>,
): Wait<Common<M, typeof inSession>, Out> {
  return { ...given, kind: 'wait', input: object({ ...given.input, ...inSession }, given.summary) as never }
}

/** Defines a stream of what happens below the root of a session. */
export function stream<const M extends Members>(
  given: Given<Stream<Common<M, typeof inSession>>, M>,
): Stream<Common<M, typeof inSession>> {
  return { ...given, kind: 'stream', input: object({ ...given.input, ...inSession }, given.summary) as never }
}

/** Defines upkeep of the whole store. */
export function upkeep<const M extends Members, Out extends Answer>(
  given: Given<Omit<Upkeep<Shape<M>, Out>, 'about'>, M>,
): Upkeep<Shape<M>, Out> {
  return { ...given, kind: 'upkeep', about: 'store', input: object(given.input, given.summary) }
}

/** Defines upkeep of one root. */
export function upkeepOfRoot<const M extends Members, Out extends Answer>(
  given: Given<Omit<Upkeep<Common<M, typeof inSession>, Out>, 'about'>, M>,
): Upkeep<Common<M, typeof inSession>, Out> {
  const input = object({ ...given.input, ...inSession }, given.summary)
  return { ...given, kind: 'upkeep', about: 'session', input: input as never }
}

/** Defines a read that crosses roots. */
export function readStore<const M extends Members, Out extends Answer>(
  given: Given<Omit<Read<Shape<M>, Out>, 'about'>, M>,
): Read<Shape<M>, Out> {
  return { ...given, kind: 'read', about: 'store', input: object(given.input, given.summary) }
}
