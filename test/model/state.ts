// Changes of shared state as the model makes them.
import { canonical, type Json } from '../../src/json/value.ts'
import { naiveJsonPatch } from '../setup/naive-json-patch.ts'
import { kindsOf, performs } from './crdt.ts'
import { lapseExpired } from './lapses.ts'
import { mergeInto, recordedMerge } from './merge.ts'
import { keyChanges } from './patches.ts'
import {
  closed,
  documentOf,
  isRefused,
  keyAnswer,
  type Lapse,
  newest,
  no,
  type Obj,
  type Perform,
  type Present,
  put,
  type Root,
  record,
  type Session,
  stateNow,
  stateVersion,
  timeOf,
  together,
  type Version,
} from './root.ts'
import { breaks, breaksIn } from './schemas.ts'

/** How long keys stay that go after a time; time passes by the hour. */
export const ttlsMs: Readonly<Record<string, number>> = { '30m': 1_800_000, '90m': 5_400_000 }

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

type Saying = (m: Obj, before: Json | undefined, after: Json | undefined) => { type: string; data: Obj }

const facts: Record<string, Saying> = {
  set: (m) => ({ type: 'set', data: { value: m.value as Json } }),
  delete: () => ({ type: 'delete', data: {} }),
  increment: (m) => ({ type: 'increment', data: { delta: m.delta ?? 1 } }),
  append: (m) => ({ type: 'append', data: { items: m.items as Json } }),
  merge: (m, before, after) => recordedMerge(before, m.patch as Obj, after as Json),
  json_patch: (m) => ({ type: 'json_patch', data: { operations: m.operations as Json } }),
  min: (m) => ({ type: 'min', data: { value: m.value as Json } }),
  max: (m) => ({ type: 'max', data: { value: m.value as Json } }),
  set_if_absent: (m) => ({ type: 'set', data: { value: m.value as Json } }),
}

/** What a `set` says of when its key goes: with the session that set it, or after a time. */
function lapseOf(root: Root, session: Session, { ephemeral, ttl }: Obj): { lapse: Lapse; data: Obj } {
  const ms = ttl === undefined ? undefined : ttlsMs[String(ttl)]
  const owner = ephemeral === true ? { owner: session.no } : {}
  const after = ms === undefined ? {} : { ttl_ms: ms }
  return { lapse: { ...owner, until: ms && root.clock.now + ms }, data: { ...owner, ...after } }
}

/** What is answered where a key stays as it is and nothing is recorded. */
function unchanged(op: string, root: Root, key: string, value: Json | undefined, old: Version | undefined) {
  if (old?.value === undefined) return undefined
  const stands = old as Present
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
  const old = newest(root, key)
  const made = performs[op]?.(m, `${session.no}/${m.replica ?? 'main'}`, old?.inner)
  if (made === undefined || 'refusal' in made) {
    const known = made?.refusal.refused === 'wrong_type' ? { current_version: old?.version ?? 0 } : {}
    return { key, ...known, ...made?.refusal }
  }
  const broken = breaks(root, key, made.value)
  if (broken) return broken
  const seq = record(root, session, { stream: 'state', type: op, data: made.data }, input, key)
  const version = put(root, key, made.value, session, { inner: made.inner })
  if (op === 'counter_add') return { key, value: made.value, version }
  if (op !== 'register_set') return { key, length: (made.value as Json[]).length, version }
  return keyAnswer(root, key, { value: made.value, version, seq, by: session.id })
}

function mutate(op: string, root: Root, session: Session, m: Obj, input: Obj): Obj {
  const key = String(m.key)
  const old = newest(root, key)
  const refusal = ofOtherKind(op, key, old) ?? unexpected(key, m, old)
  if (refusal) return refusal
  if (op in performs) return mutateCrdt(op, root, session, m, input)
  const made = mutated(op, m, old)
  if ('refusal' in made) return made.refusal
  const same = unchanged(op, root, key, made.value, old)
  if (same) return same
  const broken = made.value === undefined ? undefined : breaks(root, key, made.value)
  if (broken) return broken
  const { type, data } = (facts[op] as Saying)(m, old?.value, made.value)
  const set = op === 'set' ? lapseOf(root, session, m) : undefined
  const seq = record(root, session, { stream: 'state', type, data: { ...data, ...set?.data } }, input, key)
  // Set anew a key stays or goes as it is said now; changed it stays or goes as it was said before.
  const kept = made.value === undefined ? {} : { owner: old?.owner, until: old?.until }
  const version = put(root, key, made.value, session, set?.lapse ?? kept)
  if (op === 'delete') return { key, version, deleted: true, seq }
  if (op === 'increment') return { key, value: made.value as Json, version }
  if (op === 'min' || op === 'max') return { key, value: made.value as Json, version, changed: true }
  if (op === 'append') return { key, length: (made.value as Json[]).length, version }
  const answer = keyAnswer(root, key, { value: made.value as Json, version, seq, by: session.id })
  return op === 'set_if_absent' ? { ...answer, created: true } : answer
}

function batch(root: Root, session: Session, input: Obj): Obj {
  const results: Obj[] = []
  const refused = new Map<number, Obj>()
  const items = input.operations as Obj[]
  const before = new Map(items.map(({ key }) => [key, newest(root, String(key))] as const))
  const changed = new Set<Json | undefined>()
  for (const [index, { op, if_match: version, ...rest }] of items.entries()) {
    if ([...refused.keys()].some((before) => items[before]?.key === rest.key)) continue
    const m = version === undefined ? rest : { ...rest, version }
    const done = mutate(String(op), root, session, m, input)
    if (!isRefused(done)) {
      results.push({ ...short(done, 'value'), status: 'success' })
      changed.add(rest.key)
      continue
    }
    refused.set(index, changed.has(rest.key) ? seenOutside(done, before.get(rest.key)) : done)
  }
  const [first] = refused
  return first === undefined ? { results, applied: true } : refusedBatch(items, first, refused)
}

/** What a batch did to a key before nobody else has seen: it is told what the key is for everybody. */
function seenOutside(refusal: Obj, before: Version | undefined): Obj {
  const version = refusal.current_version === undefined ? {} : { current_version: before?.version ?? 0 }
  const value = refusal.current_value === undefined ? {} : { current_value: before?.value ?? null }
  return { ...refusal, ...version, ...value }
}

/** Values above 4 KiB are left out of the answers of a batch. */
function short(given: Obj, name: string): Obj {
  const { [name]: value, ...rest } = given
  if (value === undefined) return rest
  return Buffer.byteLength(JSON.stringify(value)) <= 4096
    ? { ...rest, [name]: value }
    : { ...rest, value_omitted: true }
}

const conflicts: readonly unknown[] = ['version_conflict', 'already_exists']

/** The first that was refused says why, and each that lost a race which version there is. */
function refusedBatch(items: readonly Obj[], [index, first]: readonly [number, Obj], refused: Map<number, Obj>): Obj {
  const results = items.map(({ key }, at) => {
    const done = refused.get(at)
    const isLost = conflicts.includes(done?.refused)
    if (done === undefined || (at !== index && !isLost)) return { key: key as Json, status: 'not_applied' }
    const { refused: code, ...details } = at === index ? done : short(done, 'current_value')
    return { key: key as Json, status: isLost ? 'conflict' : 'refused', error: code as Json, ...details }
  })
  return { ...first, index, applied: false, results }
}

function patch(root: Root, session: Session, input: Obj, version: number): Obj {
  const current = documentOf(stateNow(root))
  const lost = otherVersion(version, input, current)
  if (lost) return lost
  const changes = keyChanges(current, input.patch as Obj, input.strategy !== 'shallow')
  if ('refusal' in changes) return changes.refusal
  const keys: Obj = {}
  for (const { op, m } of changes) {
    const done = mutate(op, root, session, m, input)
    if (isRefused(done)) return done
    const { value, length, deleted, version: now } = done
    const what = [
      ['value', value],
      ['length', length],
      ['deleted', deleted],
      ['version', now],
    ] as const
    keys[m.key] = Object.fromEntries(what.filter(([, each]) => each !== undefined)) as Obj
  }
  return { root_session_id: root.id, version: stateVersion(root), seq: root.log.length, keys }
}

/** A raw mutation is answered with the place of its event. */
function mutateRaw(root: Root, session: Session, input: Obj): Obj {
  const { type, payload, actor, ...m } = input.mutation as Obj
  const asked = actor === undefined ? m : { ...m, replica: actor }
  const same = input.request_id === undefined ? {} : { request_id: input.request_id }
  const done =
    type === 'init'
      ? init(root, session, { ...same, initial_state: payload as Json })
      : type === 'full_replace'
        ? replace(root, session, { ...same, state: payload as Json }, stateVersion(root))
        : mutate(type === 'patch' ? 'merge' : String(type), root, session, asked, input)
  if (isRefused(done)) return done
  const seq = root.log.length
  return { sequence_number: stateVersion(root), timestamp: timeOf(root, seq), seq }
}

/** The refusal of a change of a document that is at another version. */
function otherVersion(version: number, input: Obj, current: Obj): Obj | undefined {
  if (input.version === undefined || input.version === version) return undefined
  return no('version_conflict', { current_version: version, your_version: input.version, current_state: current })
}

function replace(root: Root, session: Session, input: Obj, version: number): Obj {
  const state = input.state as Obj
  const current = stateNow(root)
  const refusal = breaksIn(root, state) ?? otherVersion(version, input, documentOf(current))
  if (refusal) return refusal
  for (const [key, value] of Object.entries(state)) {
    const old = newest(root, key)
    const other = old?.inner && canonical(old.value ?? null) !== canonical(value) && ofOtherKind('set', key, old)
    if (other) return other
  }
  const seq = record(root, session, { stream: 'state', type: 'full_replace', data: { payload: state } }, input)
  for (const key of current.keys()) if (!Object.hasOwn(state, key)) put(root, key, undefined, session)
  for (const [key, value] of Object.entries(state)) {
    const old = current.get(key)
    const goes = old?.owner !== undefined || old?.until !== undefined
    if (old === undefined || goes || canonical(old.value) !== canonical(value)) put(root, key, value, session)
  }
  return { root_session_id: root.id, state, version: stateVersion(root), updated_at: timeOf(root, seq), seq }
}

function init(root: Root, session: Session, input: Obj): Obj {
  const state = (input.initial_state ?? {}) as Obj
  const broken = breaksIn(root, state)
  if (broken) return broken
  if (root.started > 0) return no('already_exists', { current_version: stateVersion(root) })
  const seq = record(root, session, { stream: 'state', type: 'init', data: { payload: state } }, input)
  for (const [key, value] of Object.entries(state)) put(root, key, value, session)
  return { root_session_id: root.id, state, version: 1, created_at: timeOf(root, seq), seq }
}

type Mutate = (root: Root, session: Session, input: Obj, version: number) => Obj

/** A change of the state: whatever it looks at is found gone if its time is over, and the log says so first. */
export function changing(looksAt: (root: Root, input: Obj) => readonly string[], perform: Mutate): Perform {
  return (root, session, input) =>
    together(root, () => {
      lapseExpired(root, session, looksAt(root, input), input)
      return closed(root, session) ?? perform(root, session, input, stateVersion(root))
    })
}

export const allKeys = (root: Root) => [...root.keys.keys()].sort()
const own = (_root: Root, { key }: Obj) => [String(key)]
const nothing = () => []

const mutation = (op: string) => changing(own, (root, session, input) => mutate(op, root, session, input, input))

/** Whoever expects a version expects one that has moved by all that has expired. */
const named = (root: Root, { patch: of, version }: Obj) =>
  version !== undefined ? allKeys(root) : Object.keys(of as Obj).flatMap((name) => [name, name.split('.')[0] as string])

const raw = (root: Root, { mutation: of }: Obj) => {
  const { type, key } = of as Obj
  return type === 'full_replace' ? allKeys(root) : type === 'init' ? [] : [String(key)]
}

export const changes: Readonly<Record<string, Perform>> = {
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
  'state.mutate': changing(raw, mutateRaw),
  'state.patch': changing(named, patch),
  'state.batch': changing((_root, { operations }) => (operations as Obj[]).map(({ key }) => String(key)), batch),
  'state.replace': changing(allKeys, replace),
  'state.init': changing(nothing, init),
}
