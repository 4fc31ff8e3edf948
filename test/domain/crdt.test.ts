// Conflict-free kinds: replicas that act on what they happen to have heard, held against references that know nothing of states.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLater, type Moment, momentAfter } from '../../src/domain/state/crdt/clock.ts'
import { addition as counterAddition } from '../../src/domain/state/crdt/counter.ts'
import { removal, addition as setAddition } from '../../src/domain/state/crdt/or-set.ts'
import { writing } from '../../src/domain/state/crdt/register.ts'
import { apply, type Crdt, type CrdtFact, type CrdtKind, ofKind, shownText } from '../../src/domain/state/crdt/state.ts'
import { canonical, type Json } from '../../src/json/value.ts'
import { seedOf } from '../setup/seed.ts'

const shown = (state: Crdt) => JSON.parse(shownText(state)) as Json

const replicas = 4
const key = 'k'

/** A replica does something on what it knows, or hears of what was done anywhere: in any order, some of it again, some never. */
type Step =
  | { readonly at: number; readonly hear: readonly number[] }
  | { readonly at: number; readonly does: number; readonly item: Json; readonly wall: number }

const item = fc.constantFrom<Json>('a', 'b', 10, 9, null, ['x'], { p: 1, q: 2 }, { q: 2, p: 1 })
const at = fc.nat(replicas - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ at, hear: fc.array(fc.nat(1000), { maxLength: 8 }) }),
  fc.record({ at, does: fc.integer({ min: -9, max: 9 }), item, wall: fc.integer({ min: 100, max: 104 }) }),
)
const steps = fc.array(step, { minLength: 1, maxLength: 60, size: 'max' })

type Doing = Extract<Step, { does: number }>
type Act = (state: Crdt | undefined, actor: string, doing: Doing) => CrdtFact

/** What an actor does, by kind. */
const acts: Record<CrdtKind, Act> = {
  'g-counter': (state, actor, { does }) => {
    const data = counterAddition(ofKind(state, 'g-counter'), 'g-counter', actor, Math.abs(does))
    return { type: 'counter_add', key, data }
  },
  'pn-counter': (state, actor, { does }) => {
    return { type: 'counter_add', key, data: counterAddition(ofKind(state, 'pn-counter'), 'pn-counter', actor, does) }
  },
  'or-set': (state, actor, { does, item: one }) => {
    const set = ofKind(state, 'or-set')
    if (does < 0) return { type: 'set_remove', key, data: removal(set, actor, [one, 'a']) }
    return { type: 'set_add', key, data: setAddition(set, actor, does > 6 ? [one, 'a', one] : [one]) }
  },
  'lww-register': (state, actor, { item: one, wall }) => {
    return { type: 'register_set', key, data: writing(ofKind(state, 'lww-register'), actor, wall, one) }
  },
}

type Heard = readonly CrdtFact[]

/** What was added by each actor up to the last addition heard of it: a later total includes the earlier ones. */
function countOf(heard: Heard, all: Heard): number {
  const additions = all.flatMap((fact) => (fact.type === 'counter_add' ? [fact] : []))
  return additions.reduce((sum, fact, place) => {
    const later = additions.slice(place).some((each) => each.data.actor === fact.data.actor && heard.includes(each))
    return later ? sum + fact.data.value : sum
  }, 0)
}

/** Every addition has a tag, and is there unless a fact that was heard took the tag away. */
function membersOf(heard: Heard): Json[] {
  const gone = new Set<string>()
  const tags: { tag: string; member: string }[] = []
  for (const fact of heard) {
    const taken = fact.type === 'set_add' ? fact.data.replaced : fact.type === 'set_remove' ? fact.data.removed : {}
    for (const [actor, dots] of Object.entries(taken)) for (const dot of dots) gone.add(`${actor} ${dot}`)
    if (fact.type !== 'set_add') continue
    const { items, actor, first } = fact.data
    tags.push(...items.map((one, nth) => ({ tag: `${actor} ${first + nth}`, member: canonical(one) })))
  }
  const members = new Set(tags.filter(({ tag }) => !gone.has(tag)).map(({ member }) => member))
  return [...members].sort().map((member) => JSON.parse(member))
}

function lastOf(heard: Heard): Json {
  const writes = heard.flatMap((fact) => (fact.type === 'register_set' ? [fact.data] : []))
  const digits = (n: number) => String(n).padStart(6, '0')
  const named = writes.map(({ value, clock: [time, count, actor] }) => [time + digits(count) + actor, value] as const)
  return named.sort(([a], [b]) => (a < b ? -1 : 1)).at(-1)?.[1] as Json
}

const references: Record<CrdtKind, (heard: Heard, all: Heard) => Json> = {
  'g-counter': countOf,
  'pn-counter': countOf,
  'or-set': membersOf,
  'lww-register': lastOf,
}

/** The order of a set is a matter of its own. */
const unordered = (value: Json) => (Array.isArray(value) ? value.map(canonical).sort() : canonical(value))

class Replica {
  state: Crdt | undefined
  readonly heard: CrdtFact[] = []

  hear(fact: CrdtFact): void {
    this.state = apply(this.state, fact)
    if (!this.heard.includes(fact)) this.heard.push(fact)
  }
}

/** All that was done in a history, and who heard what of it. */
function play(kind: CrdtKind, history: readonly Step[], check: (replica: Replica, all: Heard) => void) {
  const all: CrdtFact[] = []
  const everyone = Array.from({ length: replicas }, () => new Replica())
  for (const each of history) {
    const replica = everyone[each.at] as Replica
    if ('hear' in each) {
      for (const pick of all.length === 0 ? [] : each.hear) replica.hear(all[pick % all.length] as CrdtFact)
    } else {
      const fact = acts[kind](replica.state, `${each.at}/main`, each)
      all.push(fact)
      replica.hear(fact)
    }
    if (replica.state !== undefined) check(replica, all)
  }
  return { all, everyone }
}

const kinds = Object.keys(acts) as CrdtKind[]
const runs = { numRuns: process.env.CAIRN_LONG === undefined ? 300 : 20_000, seed: seedOf(21) }

describe.each(kinds)('S0-95 S0-92 a %s', (kind) => {
  it('is what a naive reference says of the facts heard, in any order, some twice and some not at all', () => {
    const property = fc.property(steps, (history) => {
      play(kind, history, ({ state, heard }, all) => {
        expect(unordered(shown(state as Crdt))).toEqual(unordered(references[kind](heard, all)))
      })
    })
    fc.assert(property, runs)
  })

  it('is the same inside and outside wherever all facts have arrived', () => {
    const orders = fc.array(fc.nat(1_000_000), { minLength: 60, maxLength: 60 })
    const property = fc.property(steps, orders, (history, order) => {
      const { all, everyone } = play(kind, history, () => undefined)
      fc.pre(all.length > 0)
      const shuffled = all.map((fact, place) => [order[place] ?? 0, fact] as const).sort(([a], [b]) => a - b)
      for (const { 1: fact } of shuffled) for (const replica of everyone) replica.hear(fact)
      const fresh = new Replica()
      for (const { 1: fact } of [...shuffled, ...shuffled].reverse()) fresh.hear(fact)
      const inOrder = new Replica()
      for (const fact of all) inOrder.hear(fact)
      for (const { state } of [fresh, ...everyone]) {
        expect(state).toEqual(inOrder.state)
        expect(JSON.stringify(shown(state as Crdt))).toBe(JSON.stringify(shown(inOrder.state as Crdt)))
      }
    })
    fc.assert(property, runs)
  })

  it('is not changed in place', () => {
    const property = fc.property(steps, (history) => {
      const texts = new Map<Crdt, string>()
      play(kind, history, ({ state }) => state && texts.set(state, texts.get(state) ?? JSON.stringify(state)))
      for (const [state, text] of texts) expect(JSON.stringify(state)).toBe(text)
    })
    fc.assert(property, { ...runs, numRuns: 50 })
  })
})

describe('an OR-set', () => {
  const of = (...facts: CrdtFact[]) => facts.reduce<Crdt | undefined>(apply, undefined)
  const added = (state: Crdt | undefined, actor: string, ...items: Json[]): CrdtFact => {
    return { type: 'set_add', key, data: setAddition(ofKind(state, 'or-set'), actor, items) }
  }

  it('S0-95 keeps what was added while another removed it', () => {
    const first = added(undefined, '1/main', 'x')
    const again = added(of(first), '2/main', 'x')
    const gone: CrdtFact = { type: 'set_remove', key, data: removal(ofKind(of(first), 'or-set'), '1/main', ['x']) }
    expect(shown(of(first, gone) as Crdt)).toEqual([])
    expect(shown(of(first, gone, again) as Crdt)).toEqual(['x'])
    expect(shown(of(again, gone, first) as Crdt)).toEqual(['x'])
  })

  it('shows numbers by size and all else by its text, with members in one order', () => {
    const state = of(added(undefined, '1/main', 10, 9, -1, 'b', 'a', true, null, { z: 1, a: 2 }, [2], 1.5))
    expect(JSON.stringify(shown(state as Crdt))).toBe('["a","b",-1,1.5,9,10,[2],null,true,{"a":2,"z":1}]')
  })

  it('does not grow with what was added and removed again', () => {
    let state: Crdt | undefined
    const sizes = new Set<number>()
    for (let round = 0; round < 1000; round++) {
      state = apply(state, added(state, '1/main', `item ${round % 7}`))
      state = apply(state, added(state, '2/main', `item ${round % 7}`))
      const data = removal(ofKind(state, 'or-set'), '3/main', [`item ${round % 7}`])
      state = apply(state, { type: 'set_remove', key, data })
      sizes.add(JSON.stringify(state).length)
    }
    expect(Math.max(...sizes)).toBeLessThan(100)
  })
})

describe('a hybrid logical clock', () => {
  it('U22 never goes back, and two moments are never equal', () => {
    const ticks = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.constantFrom('1/a', '1/b', '2/a')))
    const property = fc.property(ticks, (walls) => {
      let last: Moment | undefined
      for (const [wall, actor] of walls) {
        const next = momentAfter(last, wall, actor)
        if (last !== undefined) expect(isLater(next, last)).toBe(true)
        expect(next[0]).toBeGreaterThanOrEqual(wall)
        last = next
      }
    })
    fc.assert(property, runs)
  })

  it('U22 decides ties by the actor', () => {
    expect(isLater([5, 1, '2/a'], [5, 1, '1/a'])).toBe(true)
    expect(isLater([5, 1, '1/a'], [5, 1, '2/a'])).toBe(false)
    expect(isLater([5, 1, '1/a'], [5, 1, '1/a'])).toBe(false)
    expect(isLater([5, 2, '1/a'], [5, 1, '2/a'])).toBe(true)
    expect(isLater([6, 0, '1/a'], [5, 9, '2/a'])).toBe(true)
  })
})
