import { type BodyShapes, emptyBody } from '../log/foreign-body.ts'
import { flag, integer, json, jsonList, jsonObject, number, object, optional, variants } from '../log/input-schema.ts'
import { crdtBodies } from './crdt/foreign.ts'
import type { StateFact } from './facts.ts'
import { schemaTarget } from './schemas.ts'

/** Milliseconds since 1970 that can be shown: a later one is no date. */
const time = integer('A time.', { max: 8_640_000_000_000_000 })

const payload = object({ payload: jsonObject('The document.') })
const bound = object({ value: number('The number.') })
const target = { target: schemaTarget, prefix: flag('For all keys that begin so.') }

/** What the body of each fact about the state holds. */
export const stateBodies: BodyShapes<StateFact> = {
  init: payload,
  full_replace: payload,
  set: object({
    value: json('Any JSON value.'),
    owner: optional(integer('The session it goes with.')),
    expires_at: optional(time),
  }),
  lapsed: variants('Why it went.', 'reason', { expired: { expires_at: time }, session_ended: {} }),
  delete: emptyBody,
  increment: object({ delta: number('How much.') }),
  append: object({ items: jsonList('What is appended.') }),
  patch: object({ patch: jsonObject('What changes.') }),
  json_patch: object({ operations: jsonList('The operations.') }),
  min: bound,
  max: bound,
  ...crdtBodies,
  schema_set: object({ ...target, schema: json('A JSON Schema.') }),
  schema_deleted: object(target),
}
