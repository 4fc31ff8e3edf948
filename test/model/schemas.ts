// Schemas as the model checks them: a few words of JSON Schema, and no compiling.
import type { Json } from '../../src/json/value.ts'
import { lapseExpired } from './lapses.ts'
import { isObject } from './merge.ts'
import {
  byCodePoints,
  closed,
  type Held,
  no,
  type Obj,
  type Perform,
  type Root,
  record,
  type Session,
  stateNow,
  timeOf,
  together,
} from './root.ts'

const types: Readonly<Record<string, (value: Json) => boolean>> = {
  number: (value) => typeof value === 'number',
  array: Array.isArray,
  object: isObject,
  string: (value) => typeof value === 'string',
}

/** Whether a value fits a schema of those words that the commands use. */
function fits(schema: Json, value: Json): boolean {
  if (!isObject(schema)) return schema === true
  const { type, maximum, required, maxItems } = schema
  const wanted = type === undefined ? [] : Array.isArray(type) ? type : [type]
  if (wanted.length > 0 && !wanted.some((each) => types[String(each)]?.(value))) return false
  if (typeof maximum === 'number' && typeof value === 'number' && value > maximum) return false
  if (typeof maxItems === 'number' && Array.isArray(value) && value.length > maxItems) return false
  return !Array.isArray(required) || !isObject(value) || required.every((name) => Object.hasOwn(value, String(name)))
}

const isFor = ({ target, prefix }: Pick<Held, 'target' | 'prefix'>, key: string) =>
  prefix ? key.startsWith(target) : key === target

/** The refusal of a value that breaks a schema of its key: of the longest name, and of the key rather than of a prefix. */
export function breaks(root: Root, key: string, value: Json): Obj | undefined {
  const nearest = [...root.schemas].sort(
    (a, b) => b.target.length - a.target.length || Number(a.prefix) - Number(b.prefix),
  )
  const broken = nearest.find((each) => isFor(each, key) && !fits(each.schema, value))
  return broken && no('invalid_input', { key, schema: { target: broken.target, prefix: broken.prefix } })
}

export function breaksIn(root: Root, document: Obj): Obj | undefined {
  for (const [key, value] of Object.entries(document)) {
    const refusal = breaks(root, key, value)
    if (refusal) return refusal
  }
  return undefined
}

function set(root: Root, session: Session, input: Obj): Obj {
  const target = { target: String(input.target), prefix: input.prefix === true }
  const { schema = null } = input
  lapseExpired(root, session, [...root.keys.keys()].filter((key) => isFor(target, key)).sort(), input)
  if (isObject(schema) && schema.type === 'nonsense') return no('invalid_input', { rule: '#/type' })
  const over = closed(root, session)
  if (over) return over
  const held = [...stateNow(root)].filter(([key, { value }]) => isFor(target, key) && !fits(schema, value))
  const broken = held.map(([key]) => ({ key })).sort((a, b) => (a.key < b.key ? -1 : 1))
  if (broken.length > 0 && input.force !== true) return no('invalid_input', { broken, broken_count: broken.length })
  const seq = record(root, session, { stream: 'schema', type: 'schema_set', data: { ...target, schema } }, input)
  root.schemas = [...others(root, target), { ...target, schema, by: session.id, seq }]
  return { ...target, schema, broken, seq }
}

const others = (root: Root, { target, prefix }: Pick<Held, 'target' | 'prefix'>) =>
  root.schemas.filter((each) => each.target !== target || each.prefix !== prefix)

function remove(root: Root, session: Session, input: Obj): Obj {
  const target = { target: String(input.target), prefix: input.prefix === true }
  const over = closed(root, session)
  if (over) return over
  const left = others(root, target)
  if (left.length === root.schemas.length) return no('not_found', target)
  const seq = record(root, session, { stream: 'schema', type: 'schema_deleted', data: target }, input)
  root.schemas = left
  return { ...target, deleted: true, seq }
}

function list(root: Root): Obj {
  const sorted = [...root.schemas].sort(
    (a, b) => byCodePoints(a.target, b.target) || Number(a.prefix) - Number(b.prefix),
  )
  const shown = sorted.map(({ target, prefix, schema, by, seq }) => {
    return { target, prefix, schema, updated_at: timeOf(root, seq), updated_by: by, seq }
  })
  return { schemas: shown }
}

export const schemas: Readonly<Record<string, Perform>> = {
  'schema.set': (root, session, input) => together(root, () => set(root, session, input)),
  'schema.delete': remove,
  'schema.list': list,
}
