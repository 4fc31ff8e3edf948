// Conflict-free kinds as one would write them on a napkin: a list of all additions, of which some were taken away.
import { canonical, type Json } from '../../src/json/value.ts'
import type { Obj } from './model.ts'

/** What a value is made of. */
export interface Inner {
  readonly kind: string
  readonly counted: readonly { readonly actor: string; readonly by: number }[]
  readonly added: readonly {
    readonly actor: string
    readonly nth: number
    readonly item: string
    readonly gone: boolean
  }[]
}

interface Made {
  readonly value: Json
  readonly inner: Inner
  readonly data: Obj
}

type Perform = (m: Obj, actor: string, inner: Inner | undefined) => Made | { refusal: Obj }

export const kindsOf: Readonly<Record<string, readonly string[]>> = {
  counter_add: ['g-counter', 'pn-counter'],
  set_add: ['or-set'],
  set_remove: ['or-set'],
  register_set: ['lww-register'],
  delete: ['plain', 'g-counter', 'pn-counter', 'or-set', 'lww-register'],
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

function count(m: Obj, actor: string, inner: Inner | undefined): Made | { refusal: Obj } {
  const by = Number(m.value ?? 1)
  const wanted = m.kind === undefined ? undefined : `${m.kind}-counter`
  const kind = inner?.kind ?? wanted ?? 'pn-counter'
  if (wanted !== undefined && wanted !== kind) return { refusal: { refused: 'wrong_type', kind, type: 'number' } }
  if (kind === 'g-counter' && by < 0) return { refusal: { refused: 'invalid_input', kind, path: 'value' } }
  const counted = [...(inner?.counted ?? []), { actor, by }]
  const up = counted.filter((each) => each.by > 0)
  const down = counted.filter((each) => each.by < 0)
  const total = (of: typeof up) => Math.abs(sum(of.map((each) => each.by)))
  if (total(up) > Number.MAX_SAFE_INTEGER || total(down) > Number.MAX_SAFE_INTEGER) {
    return { refusal: { refused: 'number_out_of_range' } }
  }
  const own = (of: typeof up) => total(of.filter((each) => each.actor === actor))
  const data = { kind, value: by, actor, plus: own(up), minus: own(down) }
  return { value: total(up) - total(down), inner: { kind, counted, added: [] }, data }
}

function grouped(added: Inner['added']): Obj {
  const actors = [...new Set(added.map(({ actor }) => actor))]
  const dotsOf = (actor: string) => added.flatMap((each) => (each.actor === actor ? [each.nth] : []))
  return Object.fromEntries(actors.map((actor) => [actor, dotsOf(actor).sort((a, b) => a - b)]))
}

/** Adds to or takes from a set; what is added again takes the place of what was there. */
function change(m: Obj, actor: string, inner: Inner | undefined, adds: boolean): Made {
  const items = [...new Map((m.items as Json[]).map((item) => [canonical(item), item])).entries()]
  const before = inner?.added ?? []
  const met = before.filter(({ item, gone }) => !gone && items.some(([text]) => text === item))
  const left = before.map((each) => (met.includes(each) ? { ...each, gone: true } : each))
  const first = before.filter((each) => each.actor === actor).length + 1
  const added = adds ? items.map(([item], at) => ({ actor, nth: first + at, item, gone: false })) : []
  const all = [...left, ...added]
  const value = [...new Set(all.flatMap(({ item, gone }) => (gone ? [] : [item])))].map(
    (item) => JSON.parse(item) as Json,
  )
  const plain = { items: items.map(([, item]) => item), actor }
  const data = adds ? { ...plain, first, replaced: grouped(met) } : { ...plain, removed: grouped(met) }
  return { value: value.sort(order), inner: { kind: 'or-set', counted: [], added: all }, data }
}

function order(a: Json, b: Json): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return canonical(a) < canonical(b) ? -1 : 1
}

export const performs: Readonly<Record<string, Perform>> = {
  counter_add: count,
  set_add: (m, actor, inner) => change(m, actor, inner, true),
  set_remove: (m, actor, inner) => (inner ? change(m, actor, inner, false) : { refusal: { refused: 'key_not_found' } }),
  register_set: (m) => ({
    value: m.value as Json,
    inner: { kind: 'lww-register', counted: [], added: [] },
    data: { value: m.value as Json },
  }),
}
