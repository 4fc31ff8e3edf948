// Cairn itself, as the model tests see it: a store of the suite, opened, asked, closed and opened again.

import type { Json } from '../../src/domain/json.ts'
import { CairnRefusal } from '../../src/domain/refusal.ts'
import type { Problem } from '../../src/journal/verify.ts'
import { methodsOf } from '../../src/open.ts'
import type { StoreKind, TestStore } from '../setup/stores.ts'
import type { Call, Obj } from './model.ts'

export type Methods = Record<string, Record<string, (input: Obj) => Promise<Obj>>>

/** A store that can be asked, in this process or through a server of it. */
export interface Opened {
  readonly methods: Methods
  /** Whether calls of one tick are taken in their order. */
  readonly isInOrder: boolean
  verify(): Promise<Problem[]>
  close(): Promise<void>
}

export type Opening = (store: TestStore) => Promise<Opened>

/** Each run verifies the whole store, so after so many runs a new one is taken; a new database takes longer than a file. */
const runsOfStoreMax = { SQLite: 6, Postgres: 25 }

export class Real {
  readonly #kind: StoreKind
  readonly #opening: Opening
  readonly #store: TestStore
  #opened: Opened
  #known = new Set<string>()
  #runs = 0

  private constructor(kind: StoreKind, opening: Opening, store: TestStore, opened: Opened) {
    this.#kind = kind
    this.#opening = opening
    this.#store = store
    this.#opened = opened
  }

  static async open(kind: StoreKind, opening: Opening = openHere): Promise<Real> {
    const store = await kind.make()
    return new Real(kind, opening, store, await opening(store))
  }

  get isInOrder(): boolean {
    return this.#opened.isInOrder
  }

  /** For the next run: the same store, or a new one after many runs or a run that failed. */
  async next(failed: boolean): Promise<Real> {
    this.#runs += 1
    if (!failed && this.#runs < runsOfStoreMax[this.#kind.name]) return this
    await this.remove()
    return Real.open(this.#kind, this.#opening)
  }

  ask({ op, input }: Call): Promise<Obj> {
    const [noun, verb] = op.split('.') as [string, string]
    const asked = (this.#opened.methods[noun] as Methods[string])[verb] as Methods[string][string]
    return asked(input).then((answer) => known(op, answer), refusalOf)
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
    this.#opened = await this.#opening(this.#store)
    this.#known = new Set()
  }

  verify(): Promise<Problem[]> {
    return this.#opened.verify()
  }

  async remove(): Promise<void> {
    await this.#opened.close()
    await this.#store.remove()
  }
}

async function openHere(store: TestStore): Promise<Opened> {
  const { journal, caller } = await store.openJournal()
  const methods = methodsOf({ journal, caller }) as unknown as Methods
  return { methods, isInOrder: true, verify: () => journal.verify(), close: () => store.close() }
}

/** What the model cannot know: the ids and hashes of events, the clocks of registers, and when a lease runs out. */
function known(op: string, answer: Obj): Obj {
  if (op === 'lease.claim') {
    const { expires_at: _expires, ...rest } = answer
    return rest
  }
  if (op === 'state.mutate') {
    const { event_id: _id, ...rest } = answer
    return rest
  }
  const hidden = { 'log.list': ['id', 'hash'], 'state.events': ['event_id', 'clock'] }[op]
  if (hidden === undefined) return answer
  const shown = (answer.events as Obj[]).map((event) => {
    const { clock: _clock, ...data } = (event.data ?? {}) as Obj
    const shownData = event.data === undefined ? {} : { data }
    return Object.fromEntries(Object.entries({ ...event, ...shownData }).filter(([name]) => !hidden.includes(name)))
  })
  return { ...answer, events: shown }
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

/** Where in a patch something is wrong the model does not say, and how long a lease lasts nobody knows. */
function compared({ expires_in_ms: _left, operator: _operator, ...details }: Obj): Obj {
  const { path, ...rest } = details
  return typeof path === 'string' && /^[a-z]/.test(path) ? details : rest
}
