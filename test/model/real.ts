// Cairn itself, as the model tests see it: a store of the suite, opened, asked, closed and opened again.
import { expect } from 'vitest'
import { type Clock, systemClock } from '../../src/clock.ts'
import type { FeedEvent } from '../../src/domain/log/event.ts'
import { defaultLimits } from '../../src/domain/log/limits.ts'
import type { Problem } from '../../src/domain/log/part.ts'
import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import { parts } from '../../src/domain/parts.ts'
import type { Json } from '../../src/json/value.ts'
import { Log } from '../../src/log/log.ts'
import { methodsOf } from '../../src/open.ts'
import { engineOf } from '../setup/store-engine.ts'
import type { StoreKind, TestStore } from '../setup/stores.ts'
import { Verifier } from '../setup/verifying.ts'
import type { Call, Obj } from './model.ts'

export type Methods = Record<string, Record<string, (input: Obj) => Promise<Obj>>>

/** A store that can be asked, in this process or through a server of it. */
export interface Opened {
  readonly methods: Methods
  /** Whether calls of one tick are taken in their order. */
  readonly isInOrder: boolean
  /** Makes time go by, where the clock is ours. */
  readonly pass?: (ms: number) => void
  /** What is wrong with the roots that have moved since it was last asked, or with all of them. */
  verify(which: 'moved' | 'all'): Promise<Problem[]>
  close(): Promise<void>
}

export type Opening = (store: TestStore, passed: number) => Promise<Opened>

/** A feed that has not shown what it should by then never will. */
const feedMsMax = 20_000

/** After so many runs a new store is taken, and the old one verified as a whole; a new database takes longer than a file. */
const runsOfStoreMax = { SQLite: 6, Postgres: 25 }

export class Real {
  readonly #kind: StoreKind
  readonly #opening: Opening
  readonly #store: TestStore
  #opened: Opened
  #known = new Set<string>()
  #runs = 0
  /** Time that was made to go by: it does not go back when the store is opened again. */
  #passed = 0

  private constructor(kind: StoreKind, opening: Opening, store: TestStore, opened: Opened) {
    this.#kind = kind
    this.#opening = opening
    this.#store = store
    this.#opened = opened
  }

  static async open(kind: StoreKind, opening: Opening = openHere): Promise<Real> {
    const store = await kind.makeReady()
    return new Real(kind, opening, store, await opening(store, 0))
  }

  get isInOrder(): boolean {
    return this.#opened.isInOrder
  }

  /** For whoever looks at what a run has left. */
  get store(): TestStore {
    return this.#store
  }

  /** For the next run: the same store, or a new one after many runs or a run that failed. */
  async next(failed: boolean): Promise<Real> {
    this.#runs += 1
    if (!failed && this.#runs < runsOfStoreMax[this.#kind.name]) return this
    if (!failed) expect(await this.verify('all')).toEqual([])
    await this.remove()
    return Real.open(this.#kind, this.#opening)
  }

  ask({ op, input }: Call): Promise<Obj> {
    const [noun, verb] = op.split('.') as [string, string]
    const asked = (this.#opened.methods[noun] as Methods[string])[verb] as Methods[string][string]
    const answer = op === 'state.watch' ? firstOf(asked as unknown as Watch, input) : asked(input)
    return answer.then((given) => known(op, given), refusalOf)
  }

  /** False where the clock is not ours. */
  pass(ms: number): boolean {
    if (this.#opened.pass === undefined) return false
    this.#opened.pass(ms)
    this.#passed += ms
    return true
  }

  /** As if no heartbeat had come for a long time. */
  async runOut(root: string): Promise<void> {
    await this.#store.sql('UPDATE leases SET expires_at = 1 WHERE root = $1 AND holder IS NOT NULL', root)
  }

  /** Sessions that were never met are looked up first, and calls for them would be late in their tick. */
  async meet(sessions: readonly string[]): Promise<void> {
    for (const session of sessions) {
      if (!this.#known.has(session)) await this.ask({ op: 'session.show', input: { session } })
      this.#known.add(session)
    }
  }

  async restart(): Promise<void> {
    await this.#opened.close()
    this.#opened = await this.#opening(this.#store, this.#passed)
    this.#known = new Set()
  }

  verify(which: 'moved' | 'all'): Promise<Problem[]> {
    return this.#opened.verify(which)
  }

  async remove(): Promise<void> {
    await this.#opened.close()
    await this.#store.remove()
  }
}

async function openHere(store: TestStore, before: number): Promise<Opened> {
  let passed = before
  const clock: Clock = { ...systemClock(), now: () => Date.now() + passed }
  const engine = await engineOf(store)
  const verifier = new Verifier(engine)
  const log = new Log(engine, clock, parts, defaultLimits)
  const methods = methodsOf({ log, caller: { principal: 'owner', actor: 'library', scope: 'owner' } })
  return {
    methods: methods as unknown as Methods,
    isInOrder: true,
    pass: (ms) => {
      passed += ms
    },
    verify: (which) => verifier[which](),
    async close() {
      await log.close()
      await store.close()
    },
  }
}

type Watch = (input: Obj, signal: AbortSignal) => AsyncGenerator<FeedEvent, void>

/** The first events that a feed shows. */
async function firstOf(watch: Watch, { take, ...input }: Obj): Promise<Obj> {
  const events: Obj[] = []
  for await (const { seq, type, key } of watch(input, AbortSignal.timeout(feedMsMax))) {
    events.push({ seq, type, key })
    if (events.length === take) break
  }
  return { events }
}

const without = (answer: Obj, ...hidden: string[]): Obj =>
  Object.fromEntries(Object.entries(answer).filter(([name]) => !hidden.includes(name)))

const each = (list: Json | undefined, show: (one: Obj) => Obj): Json => (list as Obj[]).map(show)

/** What the model cannot know: ids and hashes of events, clocks of registers, when something expires, and words for people. */
const shownOf: Readonly<Record<string, (answer: Obj) => Obj>> = {
  'state.mutate': (answer) => without(answer, 'event_id'),
  'schema.set': (answer) => ({ ...answer, broken: each(answer.broken, keyAlone) }),
  'state.history': atSomeTime,
  'state.why': (answer) => atSomeTime({ ...answer, events: each(answer.events, (event) => without(event, 'did')) }),
  'log.list': (answer) => ({ ...answer, events: each(answer.events, logged) }),
  'state.events': (answer) => ({
    ...answer,
    events: each(answer.events, (event) => without(lapsing(event, event.type, event.timestamp), 'event_id', 'clock')),
  }),
}

const keyAlone = ({ key }: Obj): Obj => ({ key: key as Json })

function known(op: string, answer: Obj): Obj {
  return withoutExpiry(shownOf[op]?.(answer) ?? answer) as Obj
}

function withoutExpiry(answer: Json): Json {
  if (Array.isArray(answer)) return answer.map(withoutExpiry)
  if (typeof answer !== 'object' || answer === null) return answer
  const shown = Object.entries(answer).filter(([name]) => name !== 'expires_at' && name !== 'ephemeral')
  return Object.fromEntries(shown.map(([name, member]) => [name, withoutExpiry(member)]))
}

function atSomeTime(answer: Obj): Obj {
  return answer.expired_at === undefined ? answer : { ...answer, expired_at: 'a time' }
}

function logged(event: Obj): Obj {
  const data = without(lapsing(event.data as Obj, event.type, event.at), 'clock')
  return { ...without(event, 'id', 'hash'), data }
}

/** A key that is set to go after a time says when: that long after it was set. */
function lapsing(data: Obj, type: Json | undefined, at: Json | undefined): Obj {
  if (data.expires_at === undefined) return data
  const ttl = type === 'set' ? { ttl_ms: Date.parse(String(data.expires_at)) - Date.parse(String(at)) } : {}
  return { ...without(data, 'expires_at'), ...ttl }
}

/** Codes and details are compared, the words for people are not. */
function refusalOf(error: unknown): Obj {
  if (!(error instanceof CairnRefusal)) throw error
  const { results, ...details } = compared(error.details)
  if (!Array.isArray(results)) return { refused: error.code, ...details }
  const items = results.map((item) => {
    const { message: _message, hint: _hint, ...rest } = compared(item as Obj)
    return rest as Json
  })
  return { refused: error.code, ...details, results: items }
}

/** Where in a patch something is wrong the model does not say, nor which rule of a schema, and how long a lease lasts nobody knows. */
function compared({
  expires_in_ms: _left,
  expires_at: _at,
  accepts: _accepts,
  operator: _operator,
  ...details
}: Obj): Obj {
  const { path, schema, broken, ...rest } = details
  const named = typeof path === 'string' && /^[a-z]/.test(path) ? { path } : {}
  const of = schema === undefined ? {} : { schema: without(schema as Obj, 'rule') }
  const those = broken === undefined ? {} : { broken: each(broken, keyAlone) }
  return { ...rest, ...named, ...of, ...those }
}
