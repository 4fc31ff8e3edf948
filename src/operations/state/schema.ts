import { isoTime } from '../../domain/log/identity.ts'
import { flag, json, optional } from '../../domain/log/input-schema.ts'
import { type InputLimits, inputCeilings } from '../../domain/log/limits.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import { type Asking, ask } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { rowsAt } from '../../domain/log/row-past.ts'
import { allOf, type Ref, type Rows, rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { aboutSessions } from '../../domain/sessions/questions.ts'
import { schemaStream } from '../../domain/state/facts.ts'
import { keyRefs, presentValue } from '../../domain/state/key.ts'
import { keysFrom } from '../../domain/state/key-prefix.ts'
import { aboutState } from '../../domain/state/questions.ts'
import {
  appliesTo,
  checkSchemaCount,
  checkTarget,
  liveSchemas,
  schemaTarget,
  type Target,
  targetOf,
} from '../../domain/state/schemas.ts'
import { type SchemaRow, stateKeys, stateSchemas } from '../../domain/state/tables.ts'
import { pathText, shortPath } from '../../json/refusals.ts'
import { stepsMax } from '../../json/schema/clause.ts'
import { type Compiled, compile } from '../../json/schema/compile.ts'
import type { Json } from '../../json/value.ts'
import { isPast, past } from '../inputs.ts'
import { mayWrite } from '../may-write.ts'
import { change, read } from '../operation.ts'

/** Keys that are named when present values break a schema. */
const namedMax = 10

const target = schemaTarget
const prefix = optional(flag('Apply to all keys with this prefix; "" is all keys.'))

const schemaRefs: readonly Ref[] = [allOf(stateSchemas), rowOf(streams, schemaStream)]

function targetIn(
  { target, prefix = false }: { target: string; prefix?: boolean },
  limits: InputLimits,
): Target | Refusal {
  return checkTarget({ target, prefix }, limits) ?? { target, prefix }
}

/** The keys a schema is for, with all that makes up their values. */
function valueRefs(rows: Rows, { target, prefix }: Target): Ref[] {
  if (!prefix) return keyRefs(rows, target, 'value')
  const keys = keysFrom(target)
  if (rows.missing([keys]).length > 0) return [keys]
  return keysOf(rows, { target, prefix }).flatMap(({ key }) => keyRefs(rows, key, 'value'))
}

/** Rows stand in the order in which they were met; those that are named are the first by their names. */
function keysOf(rows: Rows, target: Target) {
  const found = rows.all(stateKeys).filter(({ key, type }) => type !== 'gone' && appliesTo(target, key))
  return found.sort((a, b) => (a.key < b.key ? -1 : 1))
}

type Broken = { key: string; path: string; message: string }

/** The present values that a schema does not fit. */
function brokenBy(rows: Rows, target: Target, check: Compiled): Broken[] | Refusal {
  const broken: Broken[] = []
  const spent = { steps: 0 }
  for (const row of keysOf(rows, target)) {
    const fault = check(presentValue(rows, row) as Json, spent)
    if (spent.steps > allStepsMax) return tooMuchToCheck()
    if (fault === undefined) continue
    const path = pathText(fault.path)
    broken.push({ key: row.key, path, message: `${shortPath(path)} ${fault.what}` })
  }
  return broken
}

/** What the values that are there may take to be checked, all of them: the root is held meanwhile. */
const allStepsMax = 2 * stepsMax

function tooMuchToCheck(): Refusal {
  const message = `Checking the existing values against this schema takes more than ${allStepsMax} steps.`
  return refuse('invalid_input', message, 'Use a simpler pattern, or a schema for fewer keys.', {
    limit: 'schemaSteps',
    limit_value: allStepsMax,
  })
}

function refuseBroken(broken: readonly Broken[]): Refusal {
  const [first] = broken as [Broken]
  const others = broken.length === 1 ? '' : `, and ${broken.length - 1} more`
  return refuse(
    'invalid_input',
    `Existing values violate this schema: ${JSON.stringify(first.key)} (${first.message})${others}.`,
    'Change them first, or use `force: true`: they stay as they are, and later writes are checked.',
    { broken: broken.slice(0, namedMax), broken_count: broken.length },
  )
}

export const schemaSet = change({
  name: 'schema.set',
  summary: 'Validate the values of a key or a prefix against a JSON Schema.',
  command: {
    words: ['state schema set'],
    positional: ['target', 'schema'],
    examples: [
      `cairn state schema set task/ '{"type": "object", "required": ["owner"]}' --prefix`,
      'cairn state schema set budget @budget.schema.json --force',
    ],
  },
  input: {
    target,
    schema: json('A JSON Schema (2020-12).'),
    prefix,
    force: optional(flag('Set it even if existing values violate it.')),
  },
  needs(input, rows) {
    const target = targetIn(input, inputCeilings)
    return target instanceof Refusal ? [] : [...schemaRefs, ...valueRefs(rows, target)]
  },
  decide(input, on) {
    const target = targetIn(input, on.limits)
    if (target instanceof Refusal) return target
    const check = compile(input.schema)
    if (check instanceof Refusal) return check
    const refusal = mayWrite(on) ?? checkSchemaCount(on.rows, target)
    if (refusal) return refusal
    const broken = brokenBy(on.rows, target, check)
    if (broken instanceof Refusal) return broken
    if (broken.length > 0 && !input.force) return refuseBroken(broken)
    const event = on.record({ type: 'schema_set', stream: schemaStream, data: { ...target, schema: input.schema } })
    return { ...target, schema: input.schema, broken: broken.slice(0, namedMax), seq: event.seq }
  },
})

export const schemaDelete = change({
  name: 'schema.delete',
  summary: 'Delete a schema; values do not change.',
  command: {
    words: ['state schema delete'],
    positional: ['target'],
    examples: ['cairn state schema delete task/ --prefix'],
  },
  input: { target, prefix },
  needs: () => [...schemaRefs],
  decide(input, on) {
    const target = targetIn(input, on.limits)
    if (target instanceof Refusal) return target
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const isMeant = (row: SchemaRow) => row.target === target.target && row.prefix === Number(target.prefix)
    if (!liveSchemas(on.rows).some(isMeant)) return notThere(target)
    const event = on.record({ type: 'schema_deleted', stream: schemaStream, data: target })
    return { ...target, deleted: true, seq: event.seq }
  },
})

function notThere({ target, prefix }: Target): Refusal {
  const what = `${prefix ? 'the prefix' : 'the key'} ${JSON.stringify(target)}`
  const hint = 'List them with `schema.list`; name that of a prefix with `prefix: true`.'
  return refuse('not_found', `There is no schema for ${what}.`, hint, { target, prefix })
}

type SchemaShown = SchemaRow & { by: string | null }

/** The schemas as they were after an event; their order is that of their places. */
function* schemasAt(root: number, at: number): Asking<SchemaShown[]> {
  const ids = new Map((yield* ask(aboutSessions.sessions_of_root, root)).map(({ no, id }) => [no, id]))
  const then = yield* rowsAt(stateSchemas, root, at)
  return then.flatMap((row) => (row.schema === null ? [] : [{ ...row, by: ids.get(row.updated_by) ?? null }]))
}

export const schemaList = read({
  name: 'schema.list',
  summary: 'List the schemas of a root, as they are now or as they were.',
  command: { words: ['state schema ls'], examples: ['cairn state schema ls'] },
  input: past,
  snapshot: isPast,
  *read(input, { root }) {
    const point = yield* pastPlace(root, input, schemaStream)
    if (point instanceof Refusal) return point
    const rows = yield* point === undefined ? ask(aboutState.schemas_shown, root) : schemasAt(root, point)
    const schemas = rows.map((row) => ({
      ...targetOf(row),
      schema: JSON.parse(row.schema ?? 'true') as Json,
      updated_at: isoTime(row.updated_at),
      updated_by: row.by,
      seq: row.seq,
    }))
    return { schemas }
  },
})
