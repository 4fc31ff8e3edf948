import type { Json } from '../../../json/value.ts'
import type { Fact } from '../../log/event.ts'
import { shapeOf, type ValueShape } from '../value-shape.ts'
import { addTo, type Counter, numberOf } from './counter.ts'
import { addItems, type KeptSet, keptSetText, listText, type OrSet, removeItems, setFrom } from './or-set.ts'
import { type Register, setIn } from './register.ts'

/** What a conflict-free value is made of: the same facts give the same, in any order and however often each arrives. */
export type Crdt = Counter | OrSet | Register
/** As it is kept beside the shown value, without what that says already. */
export type KeptCrdt = Counter | KeptSet | Omit<Register, 'value'>
export type CrdtKind = Crdt['kind']
export type CrdtFact = Extract<Fact, { type: 'counter_add' | 'set_add' | 'set_remove' | 'register_set' }>

export function apply(state: Crdt | undefined, fact: CrdtFact): Crdt {
  switch (fact.type) {
    case 'counter_add':
      return addTo(ofKind(state, 'g-counter', 'pn-counter'), fact.data)
    case 'set_add':
      return addItems(ofKind(state, 'or-set'), fact.data)
    case 'set_remove':
      return removeItems(ofKind(state, 'or-set'), fact.data)
    case 'register_set':
      return setIn(ofKind(state, 'lww-register'), fact.data)
  }
}

/** The text of the plain JSON that everybody reads. */
export function shownText(state: Crdt): string {
  switch (state.kind) {
    case 'g-counter':
    case 'pn-counter':
      return JSON.stringify(numberOf(state))
    case 'or-set':
      return listText(state)
    case 'lww-register':
      return JSON.stringify(state.value)
  }
}

/** What that is, and of how many items. */
export function shapeOfCrdt(state: Crdt): ValueShape {
  if (state.kind === 'lww-register') return shapeOf(state.value)
  return state.kind === 'or-set' ? { type: 'array', items: state.items.length } : { type: 'number', items: null }
}

export function keptText(state: Crdt): string {
  if (state.kind === 'or-set') return keptSetText(state)
  return JSON.stringify(state.kind === 'lww-register' ? { kind: state.kind, clock: state.clock } : state)
}

/** What was kept, with the value it was kept beside. */
export function restored(kept: KeptCrdt, value: Json): Crdt {
  if (kept.kind === 'or-set') return setFrom(kept, value as Json[])
  return kept.kind === 'lww-register' ? { ...kept, value } : kept
}

/** The kind was fixed by the first write and is checked before any other, so that another one here is a bug. */
export function ofKind<Kind extends CrdtKind>(
  state: Crdt | undefined,
  ...kinds: Kind[]
): Extract<Crdt, { kind: Kind }> | undefined {
  if (state === undefined) return undefined
  if (!(kinds as CrdtKind[]).includes(state.kind))
    throw new Error(`a ${state.kind} cannot be changed as ${kinds.join()}`)
  return state as Extract<Crdt, { kind: Kind }>
}
