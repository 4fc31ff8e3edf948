// The commands of the model tests. A command is chosen before its run, so it names things by numbers; only when it is
// run does it become calls, from what the model then holds: versions that are fresh or stale, sessions, earlier requests.
import fc from 'fast-check'
import type { Json } from '../../src/json/value.ts'
import { runOut } from './leases.ts'
import type { Call, Model, Obj, Root } from './model.ts'
import type { Real } from './real.ts'
import { bytesOf, documentOf, stateNow } from './root.ts'
import {
  anyKey,
  changingSet,
  counting,
  delta,
  document,
  documentPatch,
  items,
  jsonPatch,
  key,
  lapse,
  longObject,
  mostly,
  patch,
  registering,
  holding as schemaHolding,
  schemaTarget,
  value,
} from './values.ts'

/** What a run knows besides the model: the calls that carried a request id. */
export interface Run {
  readonly model: Model
  readonly requests: Call[]
  /** Makes request ids that no other run has. */
  readonly name: string
}

/** Calls of one inner list are issued in one tick; the next list when all of them are answered. */
type Plan = (run: Run) => readonly (readonly Call[])[] | undefined

export interface Step {
  readonly name: string
  readonly shown: string
  readonly plan: Plan
  /** Something that is done to the store instead of asked of it; false where it cannot be done. */
  readonly act?: (run: Run, real: Real) => Promise<boolean>
}

/** Picks of a command: which root and session acts, whether it carries a request id, and a number for other choices. */
interface Picks {
  readonly root: number
  readonly session: number
  readonly request: boolean
  readonly other: number
}

const picks: fc.Arbitrary<Picks> = fc.record({
  root: fc.nat(1000),
  session: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.nat(20) }),
  request: fc.integer({ min: 0, max: 3 }).map((each) => each === 0),
  other: fc.nat(1_000_000),
})

const isOpen = (root: Root) => root.sessions[0]?.status === 'running'

/** Mostly the first root that is open, so that it grows; sometimes any. */
function rootFor({ model }: Run, { root }: Picks): Root {
  const usual = root % 8 > 0 ? model.roots.find(isOpen) : undefined
  return usual ?? (model.roots[root % model.roots.length] as Root)
}

const sessionFor = (root: Root, { session }: Picks) => root.sessions[session % root.sessions.length]?.id as string

/** Some calls carry a request id, and some may act only while a lease is held. */
function call(run: Run, chosen: Picks, op: string, input: Obj): Call {
  const root = run.model.rootOf(String(input.session))
  const lease = chosen.other % 20 === 0 ? 'turn' : 'key/count'
  const fence = root && chosen.other % 10 === 0 ? { fence: `${lease}:${tokenFor(root, lease, chosen.other / 20)}` } : {}
  const asked = { op, input: { ...input, ...fence } }
  if (!chosen.request) return asked
  const requested = { op, input: { ...asked.input, request_id: `${run.name}-${run.requests.length}` } }
  run.requests.push(requested)
  return requested
}

/** The present token in two of three cases. */
const tokenFor = (root: Root, name: string, other: number) => {
  const { epoch = 1, token } = root.leases.get(name) ?? {}
  const isWrong = token === undefined || other % 3 === 0
  return isWrong ? `${Math.max(1, epoch - (other % 2))}.${'0'.repeat(32)}` : token
}

type Input = (root: Root, chosen: Picks) => Obj

/** A command that is one call of one operation. */
function single<T>(name: string, op: string, given: fc.Arbitrary<T>, input: (given: T) => Input): fc.Arbitrary<Step> {
  return fc.tuple(picks, given).map(([chosen, asked]) => ({
    name,
    shown: `${name}(${JSON.stringify(asked)})`,
    plan: (run) => {
      const root = rootFor(run, chosen)
      return [[call(run, chosen, op, { session: sessionFor(root, chosen), ...input(asked)(root, chosen) })]]
    },
  }))
}

/** Reads carry no request id. */
function reading<T>(name: string, op: string, given: fc.Arbitrary<T>, input: (given: T) => Input): fc.Arbitrary<Step> {
  return fc.tuple(picks, given).map(([chosen, asked]) => ({
    name,
    shown: `${name}(${JSON.stringify(asked)})`,
    plan: (run) => {
      const root = rootFor(run, chosen)
      return [[{ op, input: { session: sessionFor(root, chosen), ...input(asked)(root, chosen) } }]]
    },
  }))
}

const keyVersion = (root: Root, of: string) => root.keys.get(of)?.at(-1)?.version ?? 0
const stateVersion = (root: Root) => root.log.filter(({ stream }) => stream === 'state').length

/** The present version in two of three cases, else one that is past, to come, or that of a key that is not there. */
function expected(now: number, other: number): number {
  if (other % 3 > 0) return now
  return Math.max(0, [now - 1, now + 1, 0, 1][other % 4] as number)
}

const keyed = (given: fc.Arbitrary<Obj>, of = anyKey) =>
  fc.tuple(of, given).map(([name, rest]) => ({ key: name, ...rest }))

const atVersion =
  (given: Obj): Input =>
  (root, { other }) => ({ ...given, version: expected(keyVersion(root, String(given.key)), other) })
const plain =
  (given: Obj): Input =>
  () =>
    given

const setting = keyed(value.map((each) => ({ value: each })))
/** Set so that it stays, or goes by itself. */
const lapsing = keyed(
  fc
    .tuple(fc.oneof(value, fc.constantFrom<Json>(1, ['a', 'b'])), lapse)
    .map(([each, goes]) => ({ value: each, ...goes })),
)
const merging = keyed(
  patch.map((each) => ({ patch: each })),
  mostly('toString'),
)
const appending = keyed(
  items.map((each) => ({ items: each })),
  mostly('list'),
)
const incrementing = keyed(
  delta.map((each) => ({ delta: each })),
  mostly('count'),
)

const jsonPatching = keyed(
  jsonPatch.map((each) => ({ operations: each })),
  mostly('toString'),
)
const bounding = keyed(
  delta.map((each) => ({ value: each })),
  mostly('count'),
)

const typed = (type: string, given: fc.Arbitrary<Obj>) => given.map((each): Obj => ({ mutation: { type, ...each } }))
/** A raw mutation calls the replica its actor. */
const acted = (of: fc.Arbitrary<Obj>) =>
  of.map(({ replica, ...rest }): Obj => (replica === undefined ? rest : { ...rest, actor: replica }))
const byActor = {
  counter_add: acted(counting),
  set_add: acted(changingSet),
  set_remove: acted(changingSet),
  register_set: acted(registering),
}
const rawMutation = fc.oneof(
  typed('set', lapsing),
  typed('delete', keyed(fc.constant({}))),
  typed('increment', incrementing),
  typed('append', appending),
  typed('patch', merging),
  typed('json_patch', jsonPatching),
  ...(['counter_add', 'set_add', 'set_remove', 'register_set'] as const).map((type) => typed(type, byActor[type])),
  typed(
    'full_replace',
    document.map((payload) => ({ payload })),
  ),
  typed(
    'init',
    document.map((payload) => ({ payload })),
  ),
)

const patching = fc
  .tuple(documentPatch, fc.constantFrom<Obj>({}, { strategy: 'deep' }, { strategy: 'shallow' }))
  .map(([of, strategy]): Obj => ({ patch: of, ...strategy }))

const batchItem = fc.oneof(
  lapsing.map((each) => ({ op: 'set', ...each })),
  keyed(fc.constant({ op: 'delete' })),
  incrementing.map((each) => ({ op: 'increment', ...each })),
  appending.map((each) => ({ op: 'append', ...each })),
  merging.map((each) => ({ op: 'merge', ...each })),
  jsonPatching.map((each) => ({ op: 'json_patch', ...each })),
  bounding.map((each) => ({ op: 'max', ...each })),
  bounding.map((each) => ({ op: 'min', ...each })),
  setting.map((each) => ({ op: 'set_if_absent', ...each })),
  counting.map((each) => ({ op: 'counter_add', ...each })),
  changingSet.map((each) => ({ op: 'set_add', ...each })),
  changingSet.map((each) => ({ op: 'set_remove', ...each })),
  registering.map((each) => ({ op: 'register_set', ...each })),
)

/** Some items expect a version; now and then it is stale, or the batch meets its own changes. */
const batching =
  (given: Obj[]): Input =>
  (root, { other }) => ({
    operations: given.map((each, at) => {
      const checked = (each.op === 'set' || each.op === 'delete' || each.op === 'merge') && (other + at) % 3 === 0
      if (!checked) return each
      return { ...each, if_match: expected(keyVersion(root, String(each.key)), other % 5 === 0 ? other : 1) }
    }),
  })

/** Any point of the log or of the state, one past the end included. */
const atPoint =
  (given: Obj): Input =>
  (root, { other }) =>
    other % 2 === 0
      ? { ...given, at: other % (root.log.length + 2) }
      : { ...given, at_sequence: other % (stateVersion(root) + 2) }

const name = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('worker', 'Worker', 'É', 'é') },
)
const titled = (given: string | undefined): Obj => (given === undefined ? {} : { name: given })

const createRoot: fc.Arbitrary<Step> = fc.tuple(picks, fc.option(document)).map(([chosen, state]) => ({
  name: 'create root',
  shown: `create root(${JSON.stringify(state)})`,
  plan: (run) => {
    const input = state === null ? { topic: 'model' } : { topic: 'model', initial_state: state }
    return [[call(run, chosen, 'session.create', input)]]
  },
}))

const createChild: fc.Arbitrary<Step> = fc
  .tuple(picks, fc.array(name, { minLength: 1, maxLength: 3 }))
  .map(([chosen, names]) => ({
    name: 'create child',
    shown: `create child(${names})`,
    plan: (run) => {
      const parent = sessionFor(rootFor(run, chosen), chosen)
      return names.map((given) => [call(run, chosen, 'session.create', { topic: 'model', parent, ...titled(given) })])
    },
  }))

const leased = fc.constantFrom('turn', 'turn', 'constructor')
const claiming = fc
  .tuple(leased, fc.constantFrom<Obj>({}, { holder: 'me' }))
  .map(([of, by]) => ({ name: of, ttl: '24h', ...by }))
const holding =
  (given: Obj): Input =>
  (root, { other }) => ({ ...given, token: tokenFor(root, String(given.name), other) })
const named = leased.map((of): Obj => ({ name: of }))

const claimed = fc.oneof(
  { weight: 4, arbitrary: fc.constant('count') },
  { weight: 1, arbitrary: key as fc.Arbitrary<string> },
)
const claimingKey = fc
  .tuple(claimed, fc.constantFrom<Obj>({}, { holder: 'me' }))
  .map(([of, by]) => ({ key: of, ttl: '24h', ...by }))
const holdingKey =
  (given: Obj): Input =>
  (root, { other }) => ({ ...given, token: tokenFor(root, `key/${given.key}`, other) })
const claimedKey = claimed.map((of): Obj => ({ key: of }))

/** To a place of the log, far beyond its end, or to now; some keys, one that never was among them, or all. */
const restoring =
  (keys: string[] | null): Input =>
  (root, { other }) => {
    const to = other % 9 === 0 ? 'now' : other % 13 === 0 ? root.log.length + 50 : other % (root.log.length + 1)
    return keys === null ? { to } : { to, keys: [...new Set(keys)] }
  }
const restoredKeys = fc.option(
  fc.array(fc.oneof({ weight: 12, arbitrary: anyKey }, { weight: 1, arbitrary: fc.constant('never') }), {
    minLength: 1,
    maxLength: 3,
  }),
)

/** Mostly a session below the root: with its root's session a root is over. */
const end: fc.Arbitrary<Step> = fc
  .tuple(picks, fc.constantFrom(undefined, 'completed', 'failed', 'cancelled'))
  .map(([chosen, status]) => ({
    name: 'end session',
    shown: `end session(${status})`,
    plan: (run) => {
      const root = rootFor(run, chosen)
      const below = 1 + (chosen.other % Math.max(1, root.sessions.length - 1))
      const session = root.sessions[chosen.other % 6 === 0 ? 0 : below]
      if (session === undefined) return undefined
      return [[call(run, chosen, 'session.end', status ? { session: session.id, status } : { session: session.id })]]
    },
  }))

/** The same request again, also one that was refused: nobody remembers that. Some come from another session of the root. */
const repeat: fc.Arbitrary<Step> = picks.map(({ other }) => ({
  name: 'repeat',
  shown: `repeat(${other})`,
  plan: ({ requests, model }) => {
    const earlier = requests[other % Math.max(1, requests.length)]
    const { session, ...rest } = earlier?.input ?? {}
    if (earlier === undefined || session === undefined || other % 3 > 0) return earlier && [[earlier]]
    const { sessions = [] } = model.rootOf(String(session)) ?? {}
    return [[{ op: earlier.op, input: { ...rest, session: sessions[other % sessions.length]?.id ?? session } }]]
  },
}))

/** An earlier request id with another request. */
const misuse: fc.Arbitrary<Step> = fc.tuple(picks, setting).map(([{ other }, given]) => ({
  name: 'misuse',
  shown: `misuse(${other}, ${JSON.stringify(given)})`,
  plan: ({ requests }) => {
    const { op, input } = requests[other % Math.max(1, requests.length)] ?? {}
    if (input?.session === undefined) return undefined
    const same = { session: input.session, request_id: input.request_id as Json }
    const deletes = op !== 'state.delete' && other % 2 === 0
    return [
      [
        deletes
          ? { op: 'state.delete', input: { ...same, key: 'count' } }
          : { op: 'state.set', input: { ...same, ...given } },
      ],
    ]
  },
}))

const chunks = <T>(all: readonly T[], size: number) =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

/** Past 16, or past 256: where the next level of the skip list begins. */
const appendings = fc.oneof(
  { weight: 1, arbitrary: fc.integer({ min: 17, max: 60 }) },
  { weight: 2, arbitrary: fc.integer({ min: 257, max: 300 }) },
)
const together = fc.constantFrom(4, 16, 64)

/** So many appends to one array that its past is a skip list of several levels. */
const appends: fc.Arbitrary<Step> = fc
  .tuple(picks, mostly('list'), appendings, together, fc.integer({ min: 0, max: 60 }))
  .map(([chosen, of, times, size, width]) => ({
    name: 'many appends',
    shown: `many appends(${of}, ${times} by ${size}, ${width})`,
    plan: (run) => {
      const root = rootFor(run, chosen)
      const session = sessionFor(root, chosen)
      const fresh = chosen.other % 4 > 0 ? [{ op: 'state.set', input: { session, key: of, value: [] } }] : []
      const adding = Array.from({ length: times }, (_, at) => ({
        op: 'state.append',
        input: { session, key: of, items: [`${at} ${'é'.repeat(width)}`] },
      }))
      return chunks([...fresh, ...adding], size)
    },
  }))

/** So many merges into one long object that its past starts anew. */
const merges: fc.Arbitrary<Step> = fc
  .tuple(picks, mostly('toString'), fc.integer({ min: 33, max: 80 }), together, longObject)
  .map(([chosen, of, times, size, long]) => ({
    name: 'many merges',
    shown: `many merges(${of}, ${times} by ${size})`,
    plan: (run) => {
      const session = sessionFor(rootFor(run, chosen), chosen)
      const adding = Array.from({ length: times }, (_, at) => ({
        op: 'state.merge',
        input: { session, key: of, patch: { [`m${at % 7}.of`]: at, extra: at % 3 === 0 ? null : `${at}` } },
      }))
      return chunks([{ op: 'state.set', input: { session, key: of, value: long } }, ...adding], size)
    },
  }))

const nothing = fc.constant({})
const prefix = fc.constantFrom<Obj>({}, {}, { prefix: 'co' }, { prefix: 'ключ/' })

const weighted = (all: readonly [number, fc.Arbitrary<Step>][]) =>
  fc.oneof(...all.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** One of several ways to ask the same. */
const either = (...ways: readonly [number, fc.Arbitrary<Step>][]) => weighted(ways)

const documentVersion =
  (given: Obj): Input =>
  (root, { other }) => ({ ...given, version: expected(stateVersion(root), other) })
const replacing = document.map((state): Obj => ({ state }))

/** Of one that is there in two of three cases. */
const deletingSchema =
  (given: Obj): Input =>
  (root, { other }) => {
    const there = root.schemas[other % Math.max(1, root.schemas.length)]
    return there === undefined || other % 3 === 0 ? given : { target: there.target, prefix: there.prefix }
  }

/** Every mutation, with its weight. */
const mutations: readonly [number, fc.Arbitrary<Step>][] = [
  [
    12,
    either(
      [1, single('set', 'state.set', lapsing, plain)],
      [1, single('set', 'state.set', lapsing, atVersion)],
      [1, single('set', 'state.set', lapsing, (given) => plain({ ...given, create_only: true }))],
    ),
  ],
  [
    9,
    either(
      [1, single('delete', 'state.delete', keyed(nothing), plain)],
      [1, single('delete', 'state.delete', keyed(nothing), atVersion)],
    ),
  ],
  [9, single('increment', 'state.increment', incrementing, plain)],
  [9, single('append', 'state.append', appending, plain)],
  [
    9,
    either(
      [1, single('merge', 'state.merge', merging, plain)],
      [1, single('merge', 'state.merge', merging, atVersion)],
    ),
  ],
  [9, single('counter add', 'state.counterAdd', counting, plain)],
  [9, single('set add', 'state.setAdd', changingSet, plain)],
  [9, single('set remove', 'state.setRemove', changingSet, plain)],
  [9, single('register set', 'state.registerSet', registering, plain)],
  [
    9,
    either(
      [1, single('patch', 'state.patch', patching, plain)],
      [1, single('patch', 'state.patch', patching, documentVersion)],
    ),
  ],
  [
    9,
    either(
      [1, single('json patch', 'state.jsonPatch', jsonPatching, plain)],
      [1, single('json patch', 'state.jsonPatch', jsonPatching, atVersion)],
    ),
  ],
  [9, single('min', 'state.min', bounding, plain)],
  [9, single('max', 'state.max', bounding, plain)],
  [9, single('set if absent', 'state.setIfAbsent', setting, plain)],
  [9, single('raw mutation', 'state.mutate', rawMutation, plain)],
  [9, single('batch', 'state.batch', fc.array(batchItem, { minLength: 1, maxLength: 6 }), batching)],
  [
    9,
    either(
      [1, single('replace', 'state.replace', replacing, plain)],
      [1, single('replace', 'state.replace', replacing, documentVersion)],
    ),
  ],
  [
    9,
    single('init', 'state.init', fc.option(document), (state) => plain(state === null ? {} : { initial_state: state })),
  ],
  [9, single('restore', 'state.restore', restoredKeys, restoring)],
  [9, single('schema set', 'schema.set', schemaHolding, plain)],
  [9, single('schema delete', 'schema.delete', schemaTarget, deletingSchema)],
  [9, createRoot],
  [9, createChild],
  [23, end],
  [9, single('lease claim', 'lease.claim', claiming, plain)],
  [9, single('lease heartbeat', 'lease.heartbeat', named, holding)],
  [9, single('lease release', 'lease.release', named, holding)],
  [9, single('claim', 'state.claim', claimingKey, plain)],
  [9, single('heartbeat', 'state.heartbeat', claimedKey, holdingKey)],
  [9, single('release', 'state.release', claimedKey, holdingKey)],
  [13, repeat],
  [12, misuse],
]

const paging =
  (given: Obj): Input =>
  (root, { other }) => {
    const before = other % 3 === 0 ? { before: 1 + (other % (keyVersion(root, String(given.key)) + 2)) } : {}
    return { ...given, ...before, ...(other % 2 === 0 ? { limit: 1 + (other % 6) } : {}) }
  }
const explaining =
  (given: Obj): Input =>
  (root, { other }) => ({
    ...given,
    ...(other % 2 === 0 ? { at: other % (root.log.length + 2) } : {}),
    ...(other % 3 === 0 ? { limit: 1 + (other % 4) } : {}),
  })
const twoPoints: Input = (root, { other }) => {
  const place = (n: number) => n % (root.log.length + (n % 11 === 0 ? 2 : 1))
  const points: [Json, Json] = [place(other), other % 3 === 0 ? 'now' : place(other >> 4)]
  const [from, to] = other % 2 === 0 ? points : [points[1], points[0]]
  return { from, to }
}
const summing = fc.constantFrom<Obj>({}, { max_keys: 2 }, { max_keys: 100, max_bytes: 65_536 }, { max_bytes: 100 })
const waiting = keyed(
  fc.oneof(
    fc.constantFrom<Obj>({}, { condition: 'exists' }, { condition: 'absent' }),
    fc.integer({ min: -3, max: 3 }).map((equals): Obj => ({ equals })),
  ),
).map((given): Obj => ({ ...given, timeout: '1ms' }))

/** A feed from some place on, as far as there is anything to be seen. */
const watching: fc.Arbitrary<Step> = fc.tuple(picks, prefix).map(([chosen, of]) => ({
  name: 'watch',
  shown: `watch(${JSON.stringify(of)})`,
  plan: (run) => {
    const root = rootFor(run, chosen)
    const since = chosen.other % (root.log.length + 1)
    const isShown = (key: string | null) => key === null || key.startsWith(String(of.prefix ?? ''))
    const there = root.log.filter(({ stream, key }, place) => stream === 'state' && place >= since && isShown(key))
    if (there.length === 0) return undefined
    return [[{ op: 'state.watch', input: { session: root.id, since, ...of, take: Math.min(20, there.length) } }]]
  },
}))

const reads: readonly [number, fc.Arbitrary<Step>][] = [
  [2, reading('read', 'state.all', prefix, plain)],
  [2, reading('read at', 'state.all', prefix, atPoint)],
  [2, reading('read key', 'state.get', keyed(nothing), plain)],
  [2, reading('read key at', 'state.get', keyed(nothing), atPoint)],
  [
    1,
    reading('events', 'state.events', nothing, () => (root, { other }) => ({
      since: other % (stateVersion(root) + 2),
      limit: 1 + (other % 50),
    })),
  ],
  [1, reading('leases', 'lease.list', nothing, plain)],
  [1, reading('schemas', 'schema.list', nothing, plain)],
  [3, reading('history', 'state.history', keyed(nothing), paging)],
  [2, reading('why', 'state.why', keyed(nothing), explaining)],
  [2, reading('diff', 'state.diff', nothing, () => twoPoints)],
  [1, reading('summary', 'state.summary', summing, plain)],
  [2, reading('wait', 'state.wait', waiting, plain)],
  [2, watching],
  [1, reading('tree', 'session.tree', nothing, plain)],
  [1, reading('show', 'session.show', nothing, plain)],
]

const nothingAsked: Plan = () => undefined

const restart: fc.Arbitrary<Step> = fc.constant({
  name: 'restart',
  shown: 'restart',
  plan: nothingAsked,
  act: (_run, real) => real.restart().then(() => true),
})

export const hourMs = 3_600_000

/** Keys that go after a time have gone, and nobody has noticed. */
const pass: fc.Arbitrary<Step> = fc.constant({
  name: 'an hour',
  shown: 'an hour',
  plan: nothingAsked,
  async act({ model }, real) {
    if (!real.pass(hourMs)) return false
    model.pass(hourMs)
    return true
  },
})

/** Whoever holds leases of a root has not been heard of for too long. */
const silence: fc.Arbitrary<Step> = picks.map((chosen) => ({
  name: 'silence',
  shown: `silence(${chosen.root})`,
  plan: nothingAsked,
  async act(run, real) {
    const root = rootFor(run, chosen)
    await real.runOut(root.id)
    runOut(root)
    return true
  },
}))

const series = fc.oneof(appends, merges)
/** The same in every run, each in a root of its own, so that all lengths are surely reached. */
export const someSeries: readonly Step[] = fc.sample(series, { numRuns: 8, seed: 8 })

export const anyStep = weighted([...mutations, ...reads, [9, restart], [9, pass], [9, silence], [1, series]])

/** Several calls in one tick, each chosen from what was there before any of them. */
export const burst: fc.Arbitrary<Step> = fc
  .array(weighted(mutations), { minLength: 2, maxLength: 12, size: 'max' })
  .map((steps) => ({
    name: 'burst',
    shown: `burst(${steps.map(({ shown }) => shown).join(', ')})`,
    plan: (run) => [steps.flatMap(({ plan }) => plan(run)?.flat() ?? [])],
  }))

export const anyBurst = weighted([
  [10, burst],
  [1, restart],
  [1, pass],
])

/** What is done when a run is over: each key is made what it was at first, and then at its second version. */
export function lastRestores(root: Root): Call[] {
  return [...root.keys].flatMap(([of, versions]) =>
    versions.slice(0, 2).map(({ seq }) => ({ op: 'state.restore', input: { session: root.id, to: seq, keys: [of] } })),
  )
}

/** What is looked at when a run is over, besides the log: all that can be told of a root and of each of its keys. */
export function lastLook(root: Root): Call[] {
  const session = root.id
  const middle = root.log.length >> 1
  const ofKeys = [...root.keys].flatMap(([of, versions]) => [
    { op: 'state.history', input: { session, key: of, limit: Math.min(100, versions.length) } },
    { op: 'state.why', input: { session, key: of } },
    { op: 'state.get', input: { session, key: of } },
  ])
  const whole = Math.min(65_536, Math.max(100, bytesOf(documentOf(stateNow(root)))))
  return [
    ...ofKeys,
    { op: 'state.all', input: { session } },
    { op: 'state.diff', input: { session, from: middle, to: 'now' } },
    { op: 'state.diff', input: { session, from: root.log.length, to: middle } },
    { op: 'state.summary', input: { session, max_keys: 100, max_bytes: whole } },
    { op: 'state.summary', input: { session, max_keys: 100, max_bytes: Math.max(100, whole - 1) } },
    { op: 'state.wait', input: { session, key: 'count', equals: 1, timeout: '1ms' } },
    { op: 'schema.list', input: { session } },
    { op: 'lease.list', input: { session } },
  ]
}
