// Says whether what many clients saw could have come from one register that does one thing at a time: the search of
// Wing and Gong with the memory of Lowe. Keys are independent of each other, so each is checked alone.
import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../src/index.ts'

/** What was asked of a key. A `set` with a version is a compare-and-swap; version 0 expects that there is no key. */
export type Asked = { readonly key: string } & (
  | { readonly do: 'get' }
  | { readonly do: 'set'; readonly value: Json; readonly version?: number }
  | { readonly do: 'increment'; readonly delta: number }
  | { readonly do: 'append'; readonly items: readonly Json[] }
  | { readonly do: 'delete' }
)

/** As much of an answer as the register can be held to. `conflict` has the version that was there instead. */
export type Seen =
  | { readonly value: Json; readonly version: number }
  | { readonly length: number; readonly version: number }
  | { readonly version: number }
  | { readonly conflict: number }
  | 'absent'

/** One operation from its call to its return. Nobody knows what became of one that never returned. */
export interface Recorded {
  readonly asked: Asked
  readonly call: number
  readonly ret: number
  readonly seen?: Seen | undefined
}

/** For an operation whose answer never came. */
export const never = Number.POSITIVE_INFINITY

/** A key: its value, undefined while there is none, and how often it was written, deletions included. */
interface Register {
  readonly value: Json | undefined
  readonly version: number
}

/** What one operation does to a register, and the answer it gives. */
function apply({ value, version }: Register, asked: Asked): { next: Register; seen: Seen } {
  const next = (changed: Json | undefined) => ({ value: changed, version: version + 1 })
  switch (asked.do) {
    case 'get':
      return { next: { value, version }, seen: value === undefined ? 'absent' : { value, version } }
    case 'set': {
      if (!expectationHolds({ value, version }, asked.version)) {
        return { next: { value, version }, seen: { conflict: version } }
      }
      return { next: next(asked.value), seen: { value: asked.value, version: version + 1 } }
    }
    case 'increment': {
      const sum = Number(value ?? 0) + asked.delta
      return { next: next(sum), seen: { value: sum, version: version + 1 } }
    }
    case 'append': {
      const items = [...((value ?? []) as Json[]), ...asked.items]
      return { next: next(items), seen: { length: items.length, version: version + 1 } }
    }
    case 'delete':
      if (value === undefined) return { next: { value, version }, seen: 'absent' }
      return { next: next(undefined), seen: { version: version + 1 } }
  }
}

function expectationHolds(register: Register, expected: number | undefined): boolean {
  if (expected === undefined) return true
  return expected === 0 ? register.value === undefined : expected === register.version
}

/** The register after an operation, or undefined if it could not have answered what was seen. */
function step(register: Register, { asked, seen }: Recorded): Register | undefined {
  const did = apply(register, asked)
  return seen === undefined || isDeepStrictEqual(seen, did.seen) ? did.next : undefined
}

/** A call or a return, in a list by time from which an operation is lifted when it has been given its place. */
interface Moment {
  readonly of: number
  /** The return of a call. */
  readonly end?: Moment
  before: Moment | undefined
  after: Moment | undefined
}

function momentsOf(history: readonly Recorded[]): Moment {
  const head: Moment = { of: -1, before: undefined, after: undefined }
  const ends = history.map((_, of): Moment => ({ of, before: undefined, after: undefined }))
  const calls = ends.map((end): Moment => ({ of: end.of, end, before: undefined, after: undefined }))
  const timed = history.flatMap(({ call, ret }, of) => [
    { time: call, rank: 0, moment: calls[of] as Moment },
    { time: ret, rank: 1, moment: ends[of] as Moment },
  ])
  // What happens at the same time is taken as overlapping.
  timed.sort((a, b) => (a.time === b.time ? a.rank - b.rank : a.time - b.time))
  let last = head
  for (const { moment } of timed) {
    moment.before = last
    last.after = moment
    last = moment
  }
  return head
}

function unlink(moment: Moment): void {
  if (moment.before) moment.before.after = moment.after
  if (moment.after) moment.after.before = moment.before
}

function relink(moment: Moment): void {
  if (moment.before) moment.before.after = moment
  if (moment.after) moment.after.before = moment
}

/** True if the operations of one key can be put into one order that respects their times and explains every answer. */
export function isLinearizable(history: readonly Recorded[]): boolean {
  const head = momentsOf(history)
  const placed: { call: Moment; register: Register }[] = []
  const tried = new Set<string>()
  let register: Register = { value: undefined, version: 0 }
  let done = 0n
  let left = history.filter(({ ret }) => ret !== never).length
  const weight = (call: Moment) => (history[call.of]?.ret === never ? 0 : 1)

  let at = head.after
  while (left > 0) {
    if (at?.end !== undefined) {
      const next = step(register, history[at.of] as Recorded)
      const after = done | (1n << BigInt(at.of))
      const known = next && `${after.toString(36)} ${next.version} ${JSON.stringify(next.value)}`
      if (next === undefined || known === undefined || tried.has(known)) {
        at = at.after
        continue
      }
      tried.add(known)
      placed.push({ call: at, register })
      register = next
      done = after
      left -= weight(at)
      unlink(at)
      unlink(at.end)
      at = head.after
    } else {
      // An operation has returned before it got a place, or all calls were tried: the last placing was wrong.
      const last = placed.pop()
      if (last === undefined) return false
      register = last.register
      done ^= 1n << BigInt(last.call.of)
      left += weight(last.call)
      relink(last.call.end as Moment)
      relink(last.call)
      at = last.call.after
    }
  }
  return true
}

/** The keys whose operations no order explains. */
export function brokenKeys(history: readonly Recorded[]): string[] {
  const byKey = new Map<string, Recorded[]>()
  for (const recorded of history) {
    const { key } = recorded.asked
    const ofKey = byKey.get(key)
    if (ofKey) ofKey.push(recorded)
    else byKey.set(key, [recorded])
  }
  return [...byKey].filter(([, ofKey]) => !isLinearizable(ofKey)).map(([key]) => key)
}
