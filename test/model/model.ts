// What Cairn is to answer, in plain maps and lists: no rows, no differences, no groups, no store.
import { canonical, type Json } from '../../src/json/value.ts'
import { claims, fenced } from './leases.ts'
import { isObject } from './merge.ts'
import { past } from './past.ts'
import { reads } from './reads.ts'
import { type Call, isRefused, no, type Obj, type Perform, type Root } from './root.ts'
import { schemas } from './schemas.ts'
import { childrenOf, createChild, createSession, endSession, newId, show, tree } from './sessions.ts'
import { changes } from './state.ts'

export { type Call, isRefused, type Obj, type Root } from './root.ts'

export class Model {
  readonly roots: Root[] = []
  readonly #answered = new Map<string, { asked: string; answer: Obj }>()
  readonly #times = new Map<string, string>()
  readonly #clock = { now: 0 }

  /** Makes time go by for all roots. */
  pass(ms: number): void {
    this.#clock.now += ms
  }

  /** What is wrong with an answer, after doing in the model what was asked of Cairn. */
  problem(call: Call, actual: Obj): string | undefined {
    const expected = canonical(this.#settled(this.#answer(call, actual), actual))
    const got = canonical(actual)
    if (got === expected) return undefined
    const from = Math.max(0, [...got].findIndex((char, at) => char !== expected[at]) - 200)
    const cut = (text: string) => (text.length > from + 600 ? `${text.slice(from, from + 600)}…` : text.slice(from))
    return `${call.op} ${canonical(call.input).slice(0, 600)}\n  answered ${cut(got)}\n  expected ${cut(expected)}`
  }

  rootOf(session: string): Root | undefined {
    return this.roots.find((root) => root.sessions.some(({ id }) => id === session))
  }

  #answer(call: Call, actual: Obj): Obj {
    const { request_id: id, fence: _fence, session = null, ...rest } = call.input
    if (typeof id !== 'string') return this.#perform(call, actual)
    // Which session asks is no matter, unless it is the one that something is done to.
    const on = call.op.startsWith('session.') ? session : (this.rootOf(String(session))?.id ?? null)
    const asked = canonical([call.op, on, rest])
    const before = this.#answered.get(id)
    if (before) return before.asked === asked ? before.answer : no('idempotency_mismatch', { request_id: id })
    const answer = this.#perform(call, actual)
    if (!isRefused(answer)) this.#answered.set(id, { asked, answer })
    return answer
  }

  #perform({ op, input }: Call, actual: Obj): Obj {
    const id = op === 'session.create' ? input.parent : input.session
    if (id === undefined) return this.#createRoot(input, actual)
    const root = this.rootOf(String(id))
    const session = root?.sessions.find((each) => each.id === id)
    if (root === undefined || session === undefined) return no('session_not_found')
    if (op === 'session.create') return createChild(root, session, input, actual)
    const perform = operations[op]
    if (perform === undefined) throw new Error(`the model does not know ${op}`)
    const [, name = '', token] = /^(.*):(\d+\.[0-9a-f]+)$/.exec(String(input.fence ?? '')) ?? []
    return (token && fenced(root, name, token)) || perform(root, session, input, actual)
  }

  #createRoot(input: Obj, actual: Obj): Obj {
    const root: Root = {
      ...{ id: newId(actual), sessions: [], log: [], keys: new Map(), leases: new Map() },
      ...{ schemas: [], started: 0, clock: this.#clock },
    }
    this.roots.push(root)
    return createSession(root, undefined, input, actual)
  }

  #settled(expected: Json, actual: Json | undefined): Json {
    if (typeof expected === 'string' && expected.startsWith('\u0001')) return this.#time(expected, actual)
    if (Array.isArray(expected)) {
      return expected.map((each, at) => this.#settled(each, Array.isArray(actual) ? actual[at] : undefined))
    }
    if (!isObject(expected)) return expected
    const below = (name: string) => (isObject(actual) && Object.hasOwn(actual, name) ? actual[name] : undefined)
    return Object.fromEntries(Object.entries(expected).map(([name, each]) => [name, this.#settled(each, below(name))]))
  }

  /** An event has one time, wherever it is shown. */
  #time(event: string, shown: Json | undefined): string {
    const known = this.#times.get(event)
    if (known !== undefined) return known
    if (typeof shown !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(shown)) return 'a time'
    this.#times.set(event, shown)
    return shown
  }
}

const sessions: Readonly<Record<string, Perform>> = {
  'session.end': endSession,
  'session.show': (root, session) =>
    show(
      root,
      session,
      childrenOf(root, session).map(({ id }) => id),
    ),
  'session.tree': tree,
}

const operations: Readonly<Record<string, Perform>> = {
  ...sessions,
  ...changes,
  ...claims,
  ...schemas,
  ...reads,
  ...past,
}
