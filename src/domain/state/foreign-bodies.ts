import { type BodyShapes, emptyBody } from '../log/foreign-body.ts'
import { isoTime } from '../log/identity.ts'
import {
  flag,
  integer,
  json,
  jsonList,
  jsonObject,
  number,
  object,
  optional,
  text,
  variants,
} from '../log/input-schema.ts'
import { type Refusal, refuse } from '../log/refusal.ts'
import { crdtBodies } from './crdt/foreign.ts'
import type { StateFact } from './facts.ts'
import { schemaTarget } from './schemas.ts'

/** A time as events show them. */
const time = text('A time.', { max: 32, check: (value) => (isShown(value) ? undefined : noTime(value)) })

function isShown(value: string): boolean {
  const ms = Date.parse(value)
  return ms >= 0 && isoTime(ms) === value
}

function noTime(value: string): Refusal {
  return refuse(
    'invalid_input',
    `${JSON.stringify(value)} is not a valid time.`,
    'Give it as 2026-01-31T09:30:00.000Z.',
  )
}

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
