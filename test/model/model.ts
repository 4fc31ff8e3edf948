// What Cairn is to answer, in plain maps and lists: no rows, no differences, no groups, no store.
import { canonical, type Json } from '../../src/json/value.ts'
import { copyAt, forksOf, originOf, statusAt } from './forks.ts'
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
  /** Those that are asked. */
  readonly roots: Root[] = []
  /** Those that were ever there. */
  readonly #all: Root[] = []
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
    if (before)
      return before.asked === asked ? again(before.answer, actual) : no('idempotency_mismatch', { request_id: id })
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
    if (op === 'session.tree' && input.forks === true)
      return { ...tree(root, session), ...originOf(root, session), forks: forksOf(this.#all, root) }
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
    this.#add(root)
    return createSession(root, undefined, input, actual)
  }

  #add(root: Root): void {
    this.roots.push(root)
    this.#all.push(root)
  }

  /** What is wrong with a fork, whose sessions are shown as this tree. */
  fork(origin: Root, input: Obj, answer: Obj, tree: Obj): string | undefined {
    const last = origin.log.length
    const at = Number(input.at ?? last)
    const isThere = at >= 1 && at <= last
    const id = newId(answer)
    const made = { session_id: id, root_session_id: id, origin_session_id: origin.id, at, ...statusAt(origin, at) }
    const expected = canonical(isThere ? made : no('bad_cut', { at, first: 1, last }))
    if (canonical(answer) !== expected) return `a fork answered ${canonical(answer)}, expected ${expected}`
    if (isThere) this.#add(copyAt(origin, at, tree))
    return isThere ? this.problem({ op: 'session.tree', input: { session: id } }, tree) : undefined
  }

  /** A root is not asked any more; with `removed` it is not there any more. */
  retire(root: Root, removed: boolean): void {
    this.roots.splice(this.roots.indexOf(root), 1)
    if (removed) root.removed = this.#all.filter((each) => each.removed !== undefined).length + 1
  }

  /** Whether what was asked is about a root that is still asked, or made one. */
  isAsked({ input: { session, parent, request_id } }: Call): boolean {
    const root = session ?? parent ?? this.#answered.get(String(request_id))?.answer.root_session_id
    return root === undefined || this.rootOf(String(root)) !== undefined
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

/** Answers of this many characters and less are surely remembered whole; above the other, surely without values. */
const rememberedChars = { whole: 3000, without: 6000 }

/** A long answer is told without values when it is told again. */
function again(answer: Obj, actual: Obj): Obj {
  const chars = JSON.stringify(answer).length
  const isWhole = chars <= rememberedChars.whole || !JSON.stringify(actual).includes('"value_omitted":true')
  return isWhole && chars <= rememberedChars.without ? answer : (withoutValues(answer) as Obj)
}

function withoutValues(answer: Json): Json {
  if (Array.isArray(answer)) return answer.map(withoutValues)
  if (!isObject(answer)) return answer
  const kept = Object.entries(answer).filter(([name]) => !/^(value|state|current_value|current_state)$/.test(name))
  const shown = Object.fromEntries(kept.map(([name, member]) => [name, withoutValues(member)]))
  return kept.length < Object.keys(answer).length ? { ...shown, value_omitted: true } : shown
}

const sessions: Readonly<Record<string, Perform>> = {
  'session.end': endSession,
  'session.show': (root, session) => {
    const below = childrenOf(root, session).map(({ id }) => id)
    return { ...show(root, session, below), ...originOf(root, session) }
  },
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
