import { pathText, shortPath } from '../../json/refusals.ts'
import type { Fault } from '../../json/schema/clause.ts'
import { type Compiled, compile } from '../../json/schema/compile.ts'
import type { Json } from '../../json/value.ts'
import type { Event } from '../log/event.ts'
import { text } from '../log/input-schema.ts'
import type { InputLimits } from '../log/limits.ts'
import { Refusal, refuse } from '../log/refusal.ts'
import { allOf, type Ref, type Rows } from '../log/rows.ts'
import { checkKey } from './key-name.ts'
import { type SchemaRow, stateSchemas } from './tables.ts'

/** What a schema is for: one key, or all keys that begin so. */
export interface Target {
  readonly target: string
  readonly prefix: boolean
}

export const schemaTarget = text('The key, or a prefix of keys.', { min: 0, max: 1_000_000 })

/** A key, or the beginning of keys; "" is all of them. */
export function checkTarget({ target, prefix }: Target, { keyBytes }: InputLimits): Refusal | undefined {
  return prefix && target === '' ? undefined : checkKey(target, keyBytes)
}

/** All schemas of a root are loaded with its first write; each is up to 32 KiB. */
const schemasMax = 64

/** Whether there is room for a schema of this target. */
export function checkSchemaCount(rows: Rows, { target, prefix }: Target): Refusal | undefined {
  const others = liveSchemas(rows).filter((row) => row.target !== target || row.prefix !== Number(prefix))
  if (others.length < schemasMax) return undefined
  const message = `This root has ${others.length} schemas; the limit is ${schemasMax}.`
  return refuse('invalid_input', message, 'Use one schema for a prefix instead of one per key.', {
    limit: 'schemas',
    limit_value: schemasMax,
  })
}

/** Compiled schemas that are kept, over all roots. */
const compiledMax = 256

/** By their text: a schema is compiled once and checks many values. */
const compiled = new Map<string, Compiled>()

/** The check of a schema that was compiled before it was recorded. */
export function checkOf(schema: string): Compiled {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const made = compile(JSON.parse(schema) as Json)
  if (made instanceof Refusal) throw new Error(`a recorded schema cannot be used: ${made.message}`)
  if (compiled.size >= compiledMax) compiled.clear()
  compiled.set(schema, made)
  return made
}

export function appliesTo({ target, prefix }: Target, key: string): boolean {
  return prefix ? key.startsWith(target) : key === target
}

export function targetOf(row: SchemaRow): Target {
  return { target: row.target, prefix: row.prefix === 1 }
}

type Live = SchemaRow & { schema: string }

/** The schemas of the root that were not deleted. */
export function liveSchemas(rows: Rows): Live[] {
  return rows.all(stateSchemas).filter((row): row is Live => row.schema !== null)
}

/** Whether a change of this key has to know its whole value. */
export function hasSchema(rows: Rows, key: string): boolean {
  return schemasOf(rows, key).length > 0
}

/** The schemas of one key. Rows stand in the order in which they were met, and which one refuses should not depend on that. */
function schemasOf(rows: Rows, key: string): Live[] {
  const found = liveSchemas(rows).filter((row) => appliesTo(targetOf(row), key))
  return found.sort((a, b) => b.target.length - a.target.length || a.prefix - b.prefix)
}

const allSchemas: readonly Ref[] = [allOf(stateSchemas)]

/** Whether a value may stand under a key, by every schema that applies to it. Where none does the value is not asked for. */
export function checkSchemas(rows: Rows, key: string, value: () => Json): Refusal | undefined {
  // A write that did not ask for them would pass unchecked; only a root that is being made can have none.
  if (rows.missing(allSchemas).length > 0 && rows.head() !== undefined)
    throw new Error(`the schemas of ${rows.root} are not loaded`)
  for (const row of schemasOf(rows, key)) {
    const fault = checkOf(row.schema)(value())
    if (fault !== undefined) return breaks(key, targetOf(row), fault)
  }
  return undefined
}

function breaks(key: string, { target, prefix }: Target, { path, what, rule }: Fault): Refusal {
  const whose = prefix ? `keys that begin with ${JSON.stringify(target)}` : 'its key'
  return refuse(
    'invalid_input',
    `The value of ${JSON.stringify(key)} would violate the schema of ${whose}: ${shortPath(pathText(path))} ${what}.`,
    'Write a value that matches it; `schema.list` shows the schemas of this root.',
    { key, path: pathText(path), schema: { target, prefix, rule } },
  )
}

/** What `schema_set` and `schema_deleted` do to the view. */
export function putSchema(rows: Rows, event: Event & { data: Target }, schema: string | null): void {
  const { target, prefix } = event.data
  const { root, seq, at, session_no: no } = event
  rows.put(stateSchemas, { root, target, prefix: Number(prefix), schema, seq, updated_at: at, updated_by: no })
}
