import { type Json, sameJson } from '../../../json/value.ts'
import type { Event } from '../../log/event.ts'
import { type BodyShapes, impossible } from '../../log/foreign-body.ts'
import { integer, json, jsonList, jsonObject, object, oneOf, text } from '../../log/input-schema.ts'
import { Refusal } from '../../log/refusal.ts'
import type { Rows } from '../../log/rows.ts'
import { sessions } from '../../sessions/tables.ts'
import { actorNamed, partsOfActor, replicaName } from './actor.ts'
import { addTo, addition as counted, sums } from './counter.ts'
import { crdtOf } from './key.ts'
import { checkKind, type Kind } from './kind.ts'
import { addition, removal } from './or-set.ts'
import { writing } from './register.ts'
import { type CrdtFact, ofKind } from './state.ts'

const actor = text('Who acted.', { max: 128 })
const items = jsonList('The items.')
const dots = jsonObject('Additions by their actors.')
const whole = { min: -Number.MAX_SAFE_INTEGER }

export const crdtBodies: BodyShapes<CrdtFact> = {
  counter_add: object({
    kind: oneOf('Which counter.', ['g-counter', 'pn-counter']),
    value: integer('How much.', whole),
    actor,
    plus: integer('All that the actor added.'),
    minus: integer('All that the actor took away.'),
  }),
  set_add: object({ items, actor, first: integer('The first addition.', { min: 1 }), replaced: dots }),
  set_remove: object({ items, actor, removed: dots }),
  register_set: object({ value: json('Any JSON value.'), clock: jsonList('When, and who.') }),
}

const kinds: { readonly [Type in CrdtFact['type']]: readonly Kind[] } = {
  counter_add: ['g-counter', 'pn-counter'],
  set_add: ['or-set'],
  set_remove: ['or-set'],
  register_set: ['lww-register'],
}

/** What is recorded of a conflict-free value follows from how it stands, from who acts and from what is asked: so it must be the same. */
export function foreignCrdt(rows: Rows, event: Event & CrdtFact): Refusal | undefined {
  const refusal = checkKind(rows, event.key, kinds[event.type]) ?? checkActor(rows, event)
  if (refusal) return refusal
  const made = madeAgain(rows, event)
  if (made instanceof Refusal) return made
  return sameJson(made as unknown as Json, event.data as unknown as Json)
    ? undefined
    : impossible(`It is not what ${event.type} makes of the current value.`)
}

function checkActor(rows: Rows, event: CrdtFact): Refusal | undefined {
  const named: unknown = event.type === 'register_set' ? event.data.clock[2] : event.data.actor
  if (typeof named !== 'string') return impossible('It does not name an actor.')
  const { session, replica } = partsOfActor(named)
  const checked = replicaName.check(replica, 'data.actor')
  if (checked instanceof Refusal) return checked
  const isThere = actorNamed(session, replica) === named && rows.get(sessions, session) !== undefined
  return isThere ? undefined : impossible(`${JSON.stringify(named)} is not a valid actor.`)
}

function madeAgain(rows: Rows, event: Event & CrdtFact): CrdtFact['data'] | Refusal {
  const crdt = crdtOf(rows, event.key)
  switch (event.type) {
    case 'counter_add': {
      const counter = ofKind(crdt, 'g-counter', 'pn-counter')
      const { kind, value } = event.data
      const made = counted(counter, counter?.kind ?? kind, event.data.actor, value)
      const isCounting = kind === 'pn-counter' || value >= 0
      if (isCounting && sums(addTo(counter, made)).every(Number.isSafeInteger)) return made
      return impossible(`${value} cannot be added to ${JSON.stringify(event.key)}.`)
    }
    case 'set_add':
      return addition(ofKind(crdt, 'or-set'), event.data.actor, event.data.items)
    case 'set_remove':
      if (crdt === undefined) return impossible(`There is no key ${JSON.stringify(event.key)}.`)
      return removal(ofKind(crdt, 'or-set'), event.data.actor, event.data.items)
    case 'register_set':
      return writing(ofKind(crdt, 'lww-register'), event.data.clock[2], event.at, event.data.value)
  }
}
