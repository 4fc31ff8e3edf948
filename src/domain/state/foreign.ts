import { type PatchOperation, readJsonPatch } from '../../json/patch-operation.ts'
import { compile } from '../../json/schema/compile.ts'
import { type Json, sameJson } from '../../json/value.ts'
import type { Event } from '../log/event.ts'
import { checkBody, checkNoKey, impossible, keyOf } from '../log/foreign-body.ts'
import type { Limits } from '../log/limits.ts'
import type { ForeignFacts } from '../log/part.ts'
import { Refusal } from '../log/refusal.ts'
import type { Rows } from '../log/rows.ts'
import { streams } from '../log/tables.ts'
import { sessions } from '../sessions/tables.ts'
import { foreignCrdt } from './crdt/foreign.ts'
import { checkKind, checkKindsIn, type Kind } from './crdt/kind.ts'
import { checkDocument } from './document/document.ts'
import { isExact } from './document/merge-operators.ts'
import { lapseOf } from './expiry.ts'
import { type StateFact, schemaStream, stateStream } from './facts.ts'
import { stateBodies } from './foreign-bodies.ts'
import { liveKey } from './key.ts'
import { checkKey } from './key-name.ts'
import { checkSchemaCount, checkTarget, liveSchemas, type Target } from './schemas.ts'
import type { KeyRow } from './tables.ts'

type StateEvent = Event & StateFact
type Of<Type extends StateFact['type']> = Event & Extract<StateFact, { type: Type }>

/** Whether a root could have recorded this of its state, and could hold what it makes. */
export const foreignState: ForeignFacts = {
  check(rows, given, limits) {
    const event = given as StateEvent
    const refusal = checkStream(event) ?? checkName(event, limits) ?? checkBody(stateBodies, event, limits)
    return refusal ?? checkFact(rows, event, limits)
  },
  checkMade(rows, given, limits) {
    const event = given as StateEvent
    const key = keyOf(event)
    if (key === null || isGoing(event)) return undefined
    return checkValue(liveKey(rows, key), event, limits) ?? checkAll(rows, limits)
  },
}

function isGoing({ type }: StateEvent): boolean {
  return type === 'delete' || type === 'lapsed'
}

const ofSchemas: ReadonlySet<string> = new Set(['schema_set', 'schema_deleted'])
const ofDocuments: ReadonlySet<string> = new Set(['init', 'full_replace'])

function checkStream({ type, stream }: StateEvent): Refusal | undefined {
  const own = ofSchemas.has(type) ? schemaStream : stateStream
  return stream === own ? undefined : impossible(`The type ${type} belongs to the stream ${own}.`)
}

function checkName(event: StateEvent, { keyBytes }: Limits): Refusal | undefined {
  if (ofSchemas.has(event.type) || ofDocuments.has(event.type)) return checkNoKey(event)
  const key = keyOf(event)
  return key === null ? impossible(`The type ${event.type} needs a key.`) : checkKey(key, keyBytes)
}

function checkFact(rows: Rows, event: StateEvent, limits: Limits): Refusal | undefined {
  switch (event.type) {
    case 'init':
      return event.version === 1
        ? checkDocument(event.data.payload, { rows, limits })
        : impossible('State already exists.')
    case 'full_replace':
      return checkDocument(event.data.payload, { rows, limits }) ?? checkKindsIn(rows, event.data.payload)
    case 'schema_set':
      return (
        checkTarget(event.data, limits) ?? checkSchemaCount(rows, event.data) ?? refusalIn(compile(event.data.schema))
      )
    case 'schema_deleted':
      return checkTarget(event.data, limits) ?? checkSchemaThere(rows, event.data)
    case 'counter_add':
    case 'set_add':
    case 'set_remove':
    case 'register_set':
      return foreignCrdt(rows, event)
    case 'delete':
      return checkThere(rows, event.key)
    case 'lapsed':
      return checkThere(rows, event.key) ?? checkLapse(rows, event)
    default:
      return checkKind(rows, event.key, plain) ?? checkPlain(rows, event, limits)
  }
}

const plain: readonly Kind[] = ['plain']

function refusalIn(made: unknown): Refusal | undefined {
  return made instanceof Refusal ? made : undefined
}

/** What a change needs to stand there, where anything does. */
const needed: { readonly [type: string]: KeyRow['type'] } = {
  increment: 'number',
  min: 'number',
  max: 'number',
  append: 'array',
  patch: 'object',
}

function checkPlain(
  rows: Rows,
  event: Of<'set' | 'increment' | 'append' | 'patch' | 'json_patch' | 'min' | 'max'>,
  limits: Limits,
): Refusal | undefined {
  const { type, key, data } = event
  const [row, wanted] = [liveKey(rows, key), needed[type]]
  if (row !== undefined && wanted !== undefined && row.type !== wanted)
    return impossible(`${JSON.stringify(key)} holds no ${wanted}, as ${type} needs.`)
  if (type === 'json_patch') return checkOperations(event.data.operations, limits)
  if (type !== 'set' || !('owner' in data) || rows.get(sessions, event.data.owner ?? 0) !== undefined) return undefined
  return impossible(`There is no session ${event.data.owner} for the key to belong to.`)
}

/** What is recorded has no members but those that are known. */
function checkOperations(operations: readonly PatchOperation[], limits: Limits): Refusal | undefined {
  const read = readJsonPatch(operations as unknown as Json[])
  if (read instanceof Refusal) return read
  if (read.length > limits.batch) return impossible(`It has more operations than the limit batch of ${limits.batch}.`)
  return sameJson(read as unknown as Json, operations as unknown as Json)
    ? undefined
    : impossible('Its operations have unknown members.')
}

function checkThere(rows: Rows, key: string): Refusal | undefined {
  return liveKey(rows, key) === undefined ? impossible(`There is no key ${JSON.stringify(key)}.`) : undefined
}

function checkLapse(rows: Rows, { key, data }: Of<'lapsed'>): Refusal | undefined {
  const lapse = lapseOf(liveKey(rows, key)?.traits ?? null)
  const isSaid =
    data.reason === 'expired' ? lapse.expires_at === Date.parse(data.expires_at) : lapse.owner !== undefined
  return isSaid ? undefined : impossible(`${JSON.stringify(key)} was not due to be removed this way.`)
}

function checkSchemaThere(rows: Rows, { target, prefix }: Target): Refusal | undefined {
  const isMeant = liveSchemas(rows).some((row) => row.target === target && row.prefix === Number(prefix))
  return isMeant ? undefined : impossible(`There is no schema for ${JSON.stringify(target)}.`)
}

function checkValue(row: KeyRow | undefined, { type }: StateEvent, limits: Limits): Refusal | undefined {
  if (row === undefined) return undefined
  const { key, bytes } = row
  if (type === 'increment' && !isExact(Number(row.value)))
    return impossible(`${JSON.stringify(key)} would become ${row.value}, which is no longer exact.`)
  if (bytes <= limits.valueBytes) return undefined
  return impossible(`The value of ${JSON.stringify(key)} has ${bytes} bytes; the limit is ${limits.valueBytes}.`)
}

function checkAll(rows: Rows, limits: Limits): Refusal | undefined {
  const { items = 0, bytes = 0 } = rows.get(streams, stateStream) ?? {}
  if (items > limits.keys) return impossible(`There would be ${items} keys; the limit keys is ${limits.keys}.`)
  if (bytes <= limits.stateBytes) return undefined
  return impossible(`The state would have ${bytes} bytes; the limit stateBytes is ${limits.stateBytes}.`)
}
