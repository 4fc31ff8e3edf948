// What Cairn is to answer, in plain maps and lists: no rows, no differences, no groups, no store.
import { canonical, type Json } from '../../src/domain/json.ts'
import { naiveJsonPatch } from '../setup/naive-json-patch.ts'
import { type Inner, kindsOf, performs } from './crdt.ts'
import { isObject, mergeInto } from './merge.ts'
import { keyChanges } from './patches.ts'

export type Obj = { [name: string]: Json }

/** One call of an operation, `noun.verb`. Sessions are always named by their id. */
export interface Call {
  readonly op: string
  readonly input: Obj
}

/** One version of a key; without a value it is a deletion. */
interface Version {
  readonly value: Json | undefined
  readonly version: number
  readonly seq: number
  readonly by: string
  /** Of a conflict-free kind. */
  readonly inner?: Inner | undefined
}

interface Session {
  readonly id: string
  readonly no: number
  readonly parent: Session | undefined
  readonly name: string
  readonly slug: string
  readonly created: number
  status: string
  reason: string | null
  updated: number
}

interface Logged {
  readonly session: Session
  readonly stream: string
  readonly type: string
  readonly key: string | null
  readonly data: Obj
  readonly request: string | null
}

/** Who has a lease; nobody after it was given back. None runs out while a test runs. */
interface Lease {
  readonly token: number
  readonly holder: string | null
  readonly session: string
}

export interface Root {
  readonly id: string
  readonly sessions: Session[]
  /** Event n is at place n - 1. */
  readonly log: Logged[]
  /** All versions of each key, oldest first. */
  readonly keys: Map<string, Version[]>
  readonly leases: Map<string, Lease>
  /** The event since which there is state; 0 while there is none. */
  started: number
}

const ended = ['completed', 'failed', 'cancelled']
const depthMax = 16

/** Stands for the time of an event, which the first answer that shows it tells. No value has such a character. */
const timeOf = (root: Root, seq: number) => `\u0001${root.id}/${seq}`
const no = (code: string, details: Obj = {}): Obj => ({ refused: code, ...details })
export const isRefused = (answer: Obj) => Object.hasOwn(answer, 'refused')

export class Model {
  readonly roots: Root[] = []
  readonly #answered = new Map<string, { asked: string; answer: Obj }>()
  readonly #times = new Map<string, string>()

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
    const { request_id: id, fence: _fence, ...rest } = call.input
    if (typeof id !== 'string') return this.#perform(call, actual)
    const asked = canonical([call.op, rest])
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
    const [, name = '', token] = /^(.*):(\d+)$/.exec(String(input.fence ?? '')) ?? []
    return (token && fenced(root, name, Number(token))) || perform(root, session, input)
  }

  #createRoot(input: Obj, actual: Obj): Obj {
    const root: Root = { id: newId(actual), sessions: [], log: [], keys: new Map(), leases: new Map(), started: 0 }
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

function newId(actual: Obj): string {
  const id = String(actual.session_id)
  return /^sess_[0-9a-f]{32}$/.test(id) ? id : 'a new id'
}

function record(
  root: Root,
  session: Session,
  fact: Pick<Logged, 'stream' | 'type' | 'data'>,
  input: Obj,
  key?: string,
) {
  const request = typeof input.request_id === 'string' ? input.request_id : null
  root.log.push({ session, key: key ?? null, request, ...fact })
  if (fact.stream === 'state' && root.started === 0) root.started = root.log.length
  return root.log.length
}

function put(root: Root, key: string, value: Json | undefined, by: Session, inner?: Inner): number {
  const versions = root.keys.get(key) ?? []
  const version = (versions.at(-1)?.version ?? 0) + 1
  versions.push({ value, version, seq: root.log.length, by: by.id, inner })
  root.keys.set(key, versions)
  return version
}

const stateVersion = (root: Root, at = root.log.length) =>
  root.log.slice(0, at).filter(({ stream }) => stream === 'state').length

/** The state as of an event: keys in any order. */
function stateAt(root: Root, at: number): Map<string, Version & { value: Json }> {
  const found = new Map<string, Version & { value: Json }>()
  for (const [key, versions] of root.keys) {
    const version = versions.findLast(({ seq }) => seq <= at)
    if (version?.value !== undefined) found.set(key, version as Version & { value: Json })
  }
  return found
}

const documentAt = (root: Root, at: number): Obj =>
  Object.fromEntries([...stateAt(root, at)].map(([key, { value }]) => [key, value]))

function closed(root: Root, acting: Session): Obj | undefined {
  const over = [root.sessions[0] as Session, acting].find(({ status }) => ended.includes(status))
  return over && no('session_ended', { session_id: over.id, status: over.status })
}

const folded = (name: string) => name.normalize('NFC').toLowerCase()
const depthOf = (session: Session): number => (session.parent === undefined ? 0 : depthOf(session.parent) + 1)

function createChild(root: Root, parent: Session, input: Obj, actual: Obj): Obj {
  const over = closed(root, parent)
  if (over) return over
  if (depthOf(parent) + 1 >= depthMax) return no('invalid_input', { limit: 'treeDepth' })
  const { name } = input
  const taken = root.sessions.some((each) => typeof name === 'string' && folded(each.name) === folded(name))
  return taken ? no('already_exists', { name: name as Json }) : createSession(root, parent, input, actual)
}

function createSession(root: Root, parent: Session | undefined, input: Obj, actual: Obj): Obj {
  const id = newId(actual)
  const slug = String(actual.slug).endsWith(`_${id.slice(-6)}`) ? String(actual.slug) : 'a slug'
  const at = root.sessions.length
  const unnamed = at === 0 ? slug : `${slug.split('_')[1]}_${at}_${id.slice(-6)}`
  const name = String(input.name ?? unnamed)
  const created = root.log.length + 1
  const session = { id, no: at, parent, name, slug, created, updated: created, status: 'running', reason: null }
  const { parent: _parent, request_id: _request, ...given } = input
  const data = { no: at, parent: parent?.no ?? null, status: 'running', type: 'full', ...given }
  root.sessions.push(session)
  record(root, parent ?? session, { stream: `session/${at}`, type: 'session_created', data }, input)
  if (isObject(given.initial_state)) {
    root.started = 1
    for (const [key, value] of Object.entries(given.initial_state)) put(root, key, value, session)
  }
  return { session_id: id, root_session_id: root.id, session_name: name, slug, status: 'running' }
}

function endSession(root: Root, session: Session, input: Obj): Obj {
  const to = String(input.status ?? 'completed')
  const legal = session.status === 'completed' ? ['running'] : ['created', 'running']
  if (ended.includes(session.status)) return no('illegal_transition', { from: session.status, to, legal })
  const isBelow = (each: Session | undefined): boolean => each?.parent === session || (!!each && isBelow(each.parent))
  const below = root.sessions.filter((each) => isBelow(each) && !ended.includes(each.status))
  const end = (each: Session, status: string, reason: string | null) => {
    const data = { from: each.status, to: status, ...(reason === null ? {} : { reason }) }
    const updated = record(root, session, { stream: `session/${each.no}`, type: 'status_changed', data }, input)
    Object.assign(each, { status, reason, updated })
  }
  for (const each of below) end(each, 'cancelled', `${session.name} has ended`)
  end(session, to, null)
  return { session_id: session.id, root_session_id: root.id, status: to, also_ended: below.map(({ id }) => id) }
}

function show(root: Root, session: Session, children: Json): Obj {
  return {
    session_id: session.id,
    session_name: session.name,
    slug: session.slug,
    root_session_id: root.id,
    parent_session_id: session.parent?.id ?? null,
    status: session.status,
    reason: session.reason,
    session_type: 'full',
    topic: 'model',
    objective: null,
    description: null,
    strategy: null,
    metadata: {},
    project_dir: null,
    depth: depthOf(session),
    created_at: timeOf(root, session.created),
    updated_at: timeOf(root, session.updated),
    ended_at: ended.includes(session.status) ? timeOf(root, session.updated) : null,
    children,
  }
}

const childrenOf = (root: Root, session: Session) => root.sessions.filter(({ parent }) => parent === session)
const tree = (root: Root, session: Session): Obj =>
  show(
    root,
    session,
    childrenOf(root, session).map((child) => tree(root, child)),
  )

const keyAnswer = (root: Root, key: string, { value, version, seq, by }: Version & { value: Json }): Obj => ({
  key,
  value,
  version,
  updated_at: timeOf(root, seq),
  updated_by: by,
  seq,
})

/** What a write expects of its key, or the refusal. */
function unexpected(key: string, { version, create_only }: Obj, old: Version | undefined): Obj | undefined {
  const current = { key, current_version: old?.version ?? 0, current_value: old?.value ?? null }
  const live = old?.value !== undefined
  if (version === undefined) return create_only && live ? no('already_exists', current) : undefined
  const fits = version === current.current_version || (version === 0 && !live)
  return fits ? undefined : no('version_conflict', { ...current, your_version: version })
}

function typeOf(value: Json): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

/** The value a mutation makes of the old one (`undefined` deletes), or the refusal. */
function mutated(op: string, m: Obj, old: Version | undefined): { value: Json | undefined } | { refusal: Obj } {
  const key = String(m.key)
  const before = old?.value
  const wrong = (type: string) =>
    before !== undefined && typeOf(before) !== type
      ? { refusal: no('wrong_type', { key, type: typeOf(before), current_version: old?.version ?? 0 }) }
      : undefined
  if (op === 'set') return { value: m.value as Json }
  if (op === 'delete') return before === undefined ? { refusal: no('key_not_found', { key }) } : { value: undefined }
  if (op === 'append') return wrong('array') ?? { value: [...((before ?? []) as Json[]), ...(m.items as Json[])] }
  if (op === 'merge') return wrong('object') ?? mergeInto(before, m.patch as Obj)
  if (op === 'json_patch') return jsonPatched(key, m.operations as Json[], old)
  if (op === 'set_if_absent') return { value: before ?? (m.value as Json) }
  const refusal = wrong('number')
  if (refusal) return refusal
  if (op === 'min' || op === 'max') return { value: Math[op](Number(before ?? m.value), Number(m.value)) }
  const delta = Number(m.delta ?? 1)
  const sum = ((before ?? 0) as number) + delta
  if (Number.isSafeInteger(sum) || !Number.isInteger(sum)) return { value: sum }
  return { refusal: no('number_out_of_range', { key, current_value: before ?? null, delta }) }
}

function jsonPatched(key: string, operations: Json[], old: Version | undefined): { value: Json } | { refusal: Obj } {
  const first = operations[0] as Obj | undefined
  const before = old?.value
  if (before === undefined && !(first?.op === 'add' && first.path === '')) {
    return { refusal: no('key_not_found', { key }) }
  }
  const made = naiveJsonPatch(before ?? null, operations)
  if (!('code' in made)) return made
  const { code, index } = made
  const current = { current_version: old?.version ?? 0, current_value: before ?? null }
  const shown = code === 'version_conflict' && before !== undefined ? current : {}
  return { refusal: no(code, { key, index, op: (operations[index] as Obj).op as Json, ...shown }) }
}

const facts: Record<string, (m: Obj) => { type: string; data: Obj }> = {
  set: (m) => ({ type: 'set', data: { value: m.value as Json } }),
  delete: () => ({ type: 'delete', data: {} }),
  increment: (m) => ({ type: 'increment', data: { delta: m.delta ?? 1 } }),
  append: (m) => ({ type: 'append', data: { items: m.items as Json } }),
  merge: (m) => ({ type: 'patch', data: { patch: m.patch as Json } }),
  json_patch: (m) => ({ type: 'json_patch', data: { operations: m.operations as Json } }),
  min: (m) => ({ type: 'min', data: { value: m.value as Json } }),
  max: (m) => ({ type: 'max', data: { value: m.value as Json } }),
  set_if_absent: (m) => ({ type: 'set', data: { value: m.value as Json } }),
}

/** What is answered where a key stays as it is and nothing is recorded. */
function unchanged(op: string, root: Root, key: string, value: Json | undefined, old: Version | undefined) {
  if (old?.value === undefined) return undefined
  const stands = old as Version & { value: Json }
  if (op === 'set_if_absent') return { ...keyAnswer(root, key, stands), created: false }
  if (op !== 'min' && op !== 'max') return undefined
  return value === stands.value ? { key, value, version: stands.version, changed: false } : undefined
}

/** A key is changed only by operations of its own kind. */
function ofOtherKind(op: string, key: string, old: Version | undefined): Obj | undefined {
  if (old?.value === undefined) return undefined
  const kind = old.inner?.kind ?? 'plain'
  if ((kindsOf[op] ?? ['plain']).includes(kind)) return undefined
  return no('wrong_type', { key, kind, type: typeOf(old.value), current_version: old.version })
}

function mutateCrdt(op: string, root: Root, session: Session, m: Obj, input: Obj): Obj {
  const key = String(m.key)
  const old = root.keys.get(key)?.at(-1)
  const made = performs[op]?.(m, `${session.no}/${m.replica ?? 'main'}`, old?.inner)
  if (made === undefined || 'refusal' in made) {
    const known = made?.refusal.refused === 'wrong_type' ? { current_version: old?.version ?? 0 } : {}
    return { key, ...known, ...made?.refusal }
  }
  const seq = record(root, session, { stream: 'state', type: op, data: made.data }, input, key)
  const version = put(root, key, made.value, session, made.inner)
  if (op === 'counter_add') return { key, value: made.value, version }
  if (op !== 'register_set') return { key, length: (made.value as Json[]).length, version }
  return keyAnswer(root, key, { value: made.value, version, seq, by: session.id })
}

function mutate(op: string, root: Root, session: Session, m: Obj, input: Obj): Obj {
  const key = String(m.key)
  const old = root.keys.get(key)?.at(-1)
  const refusal = ofOtherKind(op, key, old) ?? unexpected(key, m, old)
  if (refusal) return refusal
  if (op in performs) return mutateCrdt(op, root, session, m, input)
  const made = mutated(op, m, old)
  if ('refusal' in made) return made.refusal
  const same = unchanged(op, root, key, made.value, old)
  if (same) return same
  const { type, data } = (facts[op] as (m: Obj) => { type: string; data: Obj })(m)
  const seq = record(root, session, { stream: 'state', type, data }, input, key)
  const version = put(root, key, made.value, session)
  if (op === 'delete') return { key, version, deleted: true, seq }
  if (op === 'increment') return { key, value: made.value as Json, version }
  if (op === 'min' || op === 'max') return { key, value: made.value as Json, version, changed: true }
  if (op === 'append') return { key, length: (made.value as Json[]).length, version }
  const answer = keyAnswer(root, key, { value: made.value as Json, version, seq, by: session.id })
  return op === 'set_if_absent' ? { ...answer, created: true } : answer
}

/** Does several things, of which nothing is left when one of them is refused. */
function together<T extends Obj>(root: Root, work: () => T): T {
  const { log, started } = root
  const before = log.length
  const done = work()
  if (!isRefused(done)) return done
  log.length = before
  root.started = started
  for (const versions of root.keys.values()) while ((versions.at(-1)?.seq ?? 0) > before) versions.pop()
  return done
}

function batch(root: Root, session: Session, input: Obj): Obj {
  const results: Obj[] = []
  const items = input.operations as Obj[]
  for (const [index, { op, if_match: version, ...rest }] of items.entries()) {
    const m = version === undefined ? rest : { ...rest, version }
    const done = mutate(String(op), root, session, m, input)
    if (!isRefused(done)) {
      results.push({ ...done, status: 'success' })
      continue
    }
    const { refused: code, ...details } = done
    const status = code === 'version_conflict' || code === 'already_exists' ? 'conflict' : 'refused'
    const failed = { key: rest.key as Json, status, error: code as Json, ...details }
    const all = items.map(({ key }, at) => (at === index ? failed : { key: key as Json, status: 'not_applied' }))
    return { ...done, index, applied: false, results: all }
  }
  return { results, applied: true }
}

function patch(root: Root, session: Session, input: Obj): Obj {
  const current = documentAt(root, root.log.length)
  const lost = otherVersion(root, input, current)
  if (lost) return lost
  const changes = keyChanges(current, input.patch as Obj, input.strategy !== 'shallow')
  if ('refusal' in changes) return changes.refusal
  const keys: Obj = {}
  for (const { op, m } of changes) {
    const done = mutate(op, root, session, m, input)
    if (isRefused(done)) return done
    const { value, length, deleted, version } = done
    const what = [
      ['value', value],
      ['length', length],
      ['deleted', deleted],
      ['version', version],
    ] as const
    keys[m.key] = Object.fromEntries(what.filter(([, each]) => each !== undefined)) as Obj
  }
  return { root_session_id: root.id, version: stateVersion(root), seq: root.log.length, keys }
}

/** A raw mutation is answered with the place of its event. */
function mutateRaw(root: Root, session: Session, input: Obj): Obj {
  const { type, payload, ...m } = input.mutation as Obj
  const same = input.request_id === undefined ? {} : { request_id: input.request_id }
  const done =
    type === 'init'
      ? init(root, session, { ...same, initial_state: payload as Json })
      : type === 'full_replace'
        ? replace(root, session, { ...same, state: payload as Json })
        : mutate(type === 'patch' ? 'merge' : String(type), root, session, m, input)
  if (isRefused(done)) return done
  const seq = root.log.length
  return { sequence_number: stateVersion(root), timestamp: timeOf(root, seq), seq }
}

/** The refusal of a change of a document that is at another version. */
function otherVersion(root: Root, input: Obj, current: Obj): Obj | undefined {
  const version = stateVersion(root)
  if (input.version === undefined || input.version === version) return undefined
  return no('version_conflict', { current_version: version, your_version: input.version, current_state: current })
}

function replace(root: Root, session: Session, input: Obj): Obj {
  const state = input.state as Obj
  const current = documentAt(root, root.log.length)
  const version = stateVersion(root)
  const lost = otherVersion(root, input, current)
  if (lost) return lost
  for (const [key, value] of Object.entries(state)) {
    const old = root.keys.get(key)?.at(-1)
    const refusal = old?.inner && canonical(old.value ?? null) !== canonical(value) && ofOtherKind('set', key, old)
    if (refusal) return refusal
  }
  const seq = record(root, session, { stream: 'state', type: 'full_replace', data: { payload: state } }, input)
  for (const key of Object.keys(current)) if (!Object.hasOwn(state, key)) put(root, key, undefined, session)
  for (const [key, value] of Object.entries(state)) {
    const same = Object.hasOwn(current, key) && canonical(current[key] as Json) === canonical(value)
    if (!same) put(root, key, value, session)
  }
  return { root_session_id: root.id, state, version: version + 1, updated_at: timeOf(root, seq), seq }
}

function init(root: Root, session: Session, input: Obj): Obj {
  if (root.started > 0) return no('already_exists', { current_version: stateVersion(root) })
  const state = (input.initial_state ?? {}) as Obj
  const seq = record(root, session, { stream: 'state', type: 'init', data: { payload: state } }, input)
  for (const [key, value] of Object.entries(state)) put(root, key, value, session)
  return { root_session_id: root.id, state, version: 1, created_at: timeOf(root, seq), seq }
}

export const ttlMs = 24 * 3_600_000

function claim(root: Root, session: Session, input: Obj): Obj {
  const name = String(input.name)
  const before = root.leases.get(name)
  if (before !== undefined && before.holder !== null) {
    return no('held_by_other', { name, holder: before.holder, holder_session_id: before.session })
  }
  const token = (before?.token ?? 0) + 1
  const holder = String(input.holder ?? session.name)
  const data = { name, token, holder, ttl_ms: ttlMs }
  record(root, session, { stream: 'lease', type: 'lease_claimed', data }, input)
  root.leases.set(name, { token, holder, session: session.id })
  return { name, token, ttl_ms: ttlMs }
}

/** The refusal of whoever does not hold a lease with this token. */
function fenced(root: Root, name: string, token: number): Obj | undefined {
  const lease = root.leases.get(name)
  if (lease?.token === token && lease.holder !== null) return undefined
  return no('fenced', { name, your_token: token, current_token: lease?.token ?? 0 })
}

function heartbeat(root: Root, _session: Session, { name, token }: Obj): Obj {
  return fenced(root, String(name), Number(token)) ?? { name: String(name), token: Number(token), ttl_ms: ttlMs }
}

function release(root: Root, session: Session, input: Obj): Obj {
  const name = String(input.name)
  const token = Number(input.token)
  const refusal = fenced(root, name, token)
  if (refusal) return refusal
  record(root, session, { stream: 'lease', type: 'lease_released', data: { name, token } }, input)
  root.leases.set(name, { token, holder: null, session: session.id })
  return { name, token, released: true }
}

function leases(root: Root): Obj {
  const sorted = [...root.leases].sort(([a], [b]) => (a < b ? -1 : 1))
  return { leases: sorted.map(([name, { token, holder }]) => ({ name, token, holder, ttl_ms: ttlMs })) }
}

/** The event a read is about, or the refusal of one that is still to come. */
function pointOf(root: Root, { at, at_sequence }: Obj): number | Obj {
  const last = root.log.length
  if (typeof at === 'number') return at <= last ? at : no('invalid_input', { last })
  if (typeof at_sequence !== 'number') return last
  const places = root.log.flatMap(({ stream }, place) => (stream === 'state' ? [place + 1] : []))
  if (at_sequence === 0) return places[0] === undefined ? 1 : places[0] - 1
  return places[at_sequence - 1] ?? no('invalid_input', { last: places.length })
}

function get(root: Root, _session: Session, input: Obj): Obj {
  const key = String(input.key)
  const point = pointOf(root, input)
  if (typeof point !== 'number') return point
  const found = stateAt(root, point).get(key)
  return found === undefined ? no('key_not_found', { key }) : keyAnswer(root, key, found)
}

function all(root: Root, _session: Session, input: Obj): Obj {
  const point = pointOf(root, input)
  if (typeof point !== 'number') return point
  if (root.started === 0 || root.started > point) return no('state_not_found')
  const chosen = [...stateAt(root, point)].filter(([key]) => key.startsWith(String(input.prefix ?? '')))
  const keys = chosen.map(([key, found]) => {
    const { key: _key, seq: _seq, ...shown } = keyAnswer(root, key, found)
    return [key, shown]
  })
  const version = stateVersion(root, point)
  const changed = root.log.findLastIndex(({ stream }, place) => stream === 'state' && place < point) + 1
  const time = timeOf(root, changed || 1)
  const numbers = { version, global_version: version, last_sequence: version, sequence: version, seq: point }
  const state = Object.fromEntries(chosen.map(([key, { value }]) => [key, value]))
  const times = { updated_at: time, materialized_at: time }
  return { root_session_id: root.id, state, keys: Object.fromEntries(keys), ...numbers, ...times }
}

/** The log as `log.list` shows it, without the ids and hashes of events. */
function list(root: Root, _session: Session, input: Obj): Obj {
  const since = Number(input.since ?? 0)
  const versions = new Map<string, number>()
  const events = root.log.map(({ session, stream, key, type, data, request }, place) => {
    versions.set(stream, (versions.get(stream) ?? 0) + 1)
    const who = { session_no: session.no, session_id: session.id, actor: 'library', request, cause: null }
    const what = { stream, version: versions.get(stream) as number, key, type, data }
    return { seq: place + 1, ...who, ...what, at: timeOf(root, place + 1) }
  })
  const limit = Number(input.limit ?? 100)
  const page = events.slice(since, since + limit)
  return { root_session_id: root.id, events: page, has_more: events.length > since + limit, last_seq: events.length }
}

/** The mutations of the state as `state.events` shows them, without the ids of events. */
function stateEvents(root: Root, _session: Session, input: Obj): Obj {
  const of = root.log.flatMap((logged, place) => (logged.stream === 'state' ? [{ ...logged, seq: place + 1 }] : []))
  const since = Number(input.since ?? 0)
  if (since > of.length) return no('history_lost', { since, last_seq: of.length })
  const limit = Number(input.limit ?? 100)
  const events = of.map(({ type, key, data, session, seq }, place) => {
    const who = { session_id: session.id, changed_by: session.id, timestamp: timeOf(root, seq) }
    return { type, key, ...data, ...who, seq: place + 1, sequence_number: place + 1, root_seq: seq }
  })
  return { events: events.slice(since, since + limit), has_more: events.length > since + limit }
}

type Perform = (root: Root, session: Session, input: Obj) => Obj

const writing =
  (perform: Perform): Perform =>
  (root, session, input) =>
    closed(root, session) ?? perform(root, session, input)

const mutation = (op: string) => writing((root, session, input) => mutate(op, root, session, input, input))

const operations: Readonly<Record<string, Perform>> = {
  'session.end': endSession,
  'lease.claim': writing(claim),
  'lease.heartbeat': writing(heartbeat),
  'lease.release': writing(release),
  'lease.list': leases,
  'session.show': (root, session) =>
    show(
      root,
      session,
      childrenOf(root, session).map(({ id }) => id),
    ),
  'session.tree': tree,
  'state.set': mutation('set'),
  'state.delete': mutation('delete'),
  'state.increment': mutation('increment'),
  'state.append': mutation('append'),
  'state.merge': mutation('merge'),
  'state.counterAdd': mutation('counter_add'),
  'state.setAdd': mutation('set_add'),
  'state.setRemove': mutation('set_remove'),
  'state.registerSet': mutation('register_set'),
  'state.jsonPatch': mutation('json_patch'),
  'state.min': mutation('min'),
  'state.max': mutation('max'),
  'state.setIfAbsent': mutation('set_if_absent'),
  'state.mutate': writing(mutateRaw),
  'state.patch': writing((root, session, input) => together(root, () => patch(root, session, input))),
  'state.batch': writing((root, session, input) => together(root, () => batch(root, session, input))),
  'state.replace': writing(replace),
  'state.init': writing(init),
  'state.get': get,
  'state.all': all,
  'state.events': stateEvents,
  'log.list': list,
}
