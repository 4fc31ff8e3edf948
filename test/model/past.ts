// The past of the model: the history of a key, the reasons of a value, differences, and what is restored.

import type { JsonChange } from '../../src/json/diff.ts'
import { canonical, type Json } from '../../src/json/value.ts'
import { applyDiff } from '../setup/apply-diff.ts'
import {
  byCodePoints,
  bytesOf,
  hasExpired,
  type Logged,
  newest,
  no,
  type Obj,
  type Perform,
  put,
  type Root,
  record,
  type Session,
  stateAt,
  stateNow,
  stateVersion,
  timeOf,
  type Version,
} from './root.ts'
import { breaks } from './schemas.ts'
import { allKeys, changing } from './state.ts'

/** Below this no value is left out of a list, however its past is kept. */
const surelyShownBytes = 1000
/** Above this every value is. */
const surelyLeftOutBytes = 4096

const eventOf = (root: Root, { seq }: Version) => root.log[seq - 1] as Logged

/** A key that has expired and of which the log does not say so. */
function expired(root: Root, key: string): Obj {
  const version = newest(root, key)
  return version?.value !== undefined && hasExpired(root, version) ? { expired_at: 'a time' } : {}
}

/** Who made a version, and how. */
function madeBy(root: Root, version: Version): Obj {
  const { type, session, request, actor = 'library' } = eventOf(root, version)
  return {
    seq: version.seq,
    version: version.version,
    type,
    session_name: session.name,
    ...{ actor, request },
  }
}

/** How the past is kept decides whether a value of middling length is shown; if it is not, what was done may be. */
function shownValue(root: Root, version: Version, listed: Obj): Obj {
  if (version.value === undefined) return { deleted: true }
  const bytes = bytesOf(version.value)
  if (bytes <= surelyShownBytes || (bytes <= surelyLeftOutBytes && !listed.value_omitted))
    return { value: version.value }
  return { value_omitted: true, ...(listed.change === undefined ? {} : { change: eventOf(root, version).data }) }
}

function history(root: Root, _session: Session, input: Obj, actual: Obj): Obj {
  const key = String(input.key)
  const versions = root.keys.get(key)
  if (versions === undefined) return no('key_not_found', { key })
  const wanted = versions.filter(({ version }) => version < Number(input.before ?? Number.MAX_SAFE_INTEGER)).reverse()
  const limit = Number(input.limit ?? 10)
  const listed = Array.isArray(actual.versions) ? (actual.versions as Obj[]) : []
  const page = wanted.slice(0, limit).map((version, at) => {
    const who = { ...madeBy(root, version), updated_by: version.by, updated_at: timeOf(root, version.seq), cause: null }
    return { ...who, ...shownValue(root, version, listed[at] ?? {}) }
  })
  return { key, versions: page, has_more: wanted.length > limit, ...(page.length > 0 ? expired(root, key) : {}) }
}

const wholeTypes = ['init', 'full_replace', 'set']

function why(root: Root, _session: Session, input: Obj): Obj {
  const key = String(input.key)
  const { at = root.log.length } = input
  if (Number(at) > root.log.length) return no('invalid_input', { last: root.log.length })
  const past = (root.keys.get(key) ?? []).filter(({ seq }) => seq <= Number(at)).reverse()
  if (past.length === 0) return no('key_not_found', { key })
  const isStart = (version: Version) => version.value === undefined || wholeTypes.includes(eventOf(root, version).type)
  const start = past.findIndex(isStart)
  const before = past[start + 1]
  const end = start < 0 ? past.length : start + (before !== undefined && before.value === undefined ? 2 : 1)
  const limit = Number(input.limit ?? 20)
  const events = past.slice(0, Math.min(end, limit)).map((version) => {
    return { ...madeBy(root, version), session_id: version.by, at: timeOf(root, version.seq), cause: null }
  })
  return { key, events, has_more: end > limit, ...(input.at === undefined ? expired(root, key) : {}) }
}

/** What is there at a point, and its place. */
function side(root: Root, meant: Json | undefined) {
  const last = root.log.length
  return meant === 'now'
    ? { place: last, state: stateNow(root) }
    : { place: Number(meant), state: stateAt(root, Number(meant)) }
}

/** Right is a list that makes the later value of the earlier one, key by key, and says nothing of keys that are the same. */
function diff(root: Root, _session: Session, input: Obj, actual: Obj): Obj {
  const last = root.log.length
  const ahead = [input.from, input.to].find((each) => typeof each === 'number' && each > last)
  if (ahead !== undefined) return no('invalid_input', { last })
  const [from, to] = [side(root, input.from), side(root, input.to)]
  const said = Array.isArray(actual.changes) ? (actual.changes as unknown as (JsonChange & { key: string })[]) : []
  const isOnPage = (key: string) => actual.has_more !== true || byCodePoints(key, String(actual.next_after)) <= 0
  const wrong = [...new Set([...from.state.keys(), ...to.state.keys()])].filter((key) => {
    const changes = said.filter((change) => change.key === key)
    const [before, after] = [from.state.get(key)?.value, to.state.get(key)?.value]
    if (!isOnPage(key)) return changes.length > 0
    if (same(before, after)) return changes.length > 0
    return changes.length === 0 || !same(applyDiff(before, changes), after)
  })
  const known = said.every(({ key }) => from.state.has(key) || to.state.has(key))
  return { ...actual, from: from.place, to: to.place, ...(wrong.length > 0 || !known ? { wrong } : {}) }
}

const same = (a: Json | undefined, b: Json | undefined) =>
  a === undefined || b === undefined ? a === b : canonical(a) === canonical(b)

const goes = ({ owner, until }: Version) => owner !== undefined || until !== undefined

function restore(root: Root, session: Session, input: Obj): Obj {
  const last = root.log.length
  const place = input.to === 'now' ? last : Number(input.to)
  if (place > last) return no('invalid_input', { last })
  const keys = (input.keys as string[] | undefined) ?? allKeys(root)
  const unknown = keys.find((key) => !root.keys.has(key))
  if (unknown !== undefined) return no('key_not_found', { key: unknown })
  const then = stateAt(root, place)
  const changed = [...keys].sort().filter((key) => {
    const now = newest(root, key) as Version
    return now.seq > place && (!same(now.value, then.get(key)?.value) || goes(now))
  })
  for (const key of changed) {
    const now = newest(root, key) as Version
    if (then.has(key) && (now.inner !== undefined || then.get(key)?.inner !== undefined))
      return no('wrong_type', { key, current_version: now.version })
  }
  const done: Obj[] = []
  for (const key of changed.filter((each) => !then.has(each))) {
    record(root, session, { stream: 'state', type: 'delete', data: {} }, input, key)
    done.push({ key, version: put(root, key, undefined, session), deleted: true })
  }
  for (const key of changed) {
    const value = then.get(key)?.value
    if (value === undefined) continue
    const broken = breaks(root, key, value)
    if (broken) return broken
    record(root, session, { stream: 'state', type: 'set', data: { value } }, input, key)
    done.push({ key, version: put(root, key, value, session) })
  }
  return { to: place, changed: done, version: stateVersion(root), seq: root.log.length }
}

const restored = (root: Root, { keys }: Obj) => (Array.isArray(keys) ? keys.map(String) : allKeys(root))

export const past: Readonly<Record<string, Perform>> = {
  'state.history': history,
  'state.why': why,
  'state.diff': diff,
  'state.restore': changing(restored, restore),
}
