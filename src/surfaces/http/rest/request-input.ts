import type { Schema } from '../../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../../domain/log/refusal.ts'
import { type Json, readJson } from '../../../json/value.ts'
import { isByName, nameOf, type Route } from './routes.ts'

/** What a request says, before it is known what of it the operation takes. */
export interface Said {
  readonly members: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Json | undefined
  /** All that the method and the path of the request may mean: what any of them takes is worth naming. */
  readonly routes: readonly Route[]
}

export type Input = Record<string, unknown>

/** The input of an operation from path, query, headers and body. Nothing may be said twice. */
export function inputOf(route: Route, said: Said): Input | Refusal {
  const given = bodyMembers(route, said.body)
  if (given instanceof Refusal) return given
  // Without a prototype: a member may have any name.
  const input: Input = Object.create(null)
  for (const name of Object.keys(given)) {
    const refusal = checkName(route, name, 'field', said.routes) ?? put(input, memberOf(route, name), given[name], name)
    if (refusal) return refusal
  }
  const refusal = putTexts(input, route, said)
  if (refusal) return refusal
  for (const [member, value] of Object.entries(route.defaults ?? {})) input[member] ??= value
  return input
}

/** Said in the names of HTTP, which the operation itself does not know. */
function checkName(
  route: Route,
  name: string,
  what: 'field' | 'parameter',
  all: readonly Route[],
): Refusal | undefined {
  // Whoever calls an operation by its name is told its own names by it.
  if (isByName(route)) return undefined
  const { members, aliases } = route.does.input
  const member = memberOf(route, name)
  if (Object.hasOwn(members, own(aliases, member) ?? member)) return undefined
  const allowed = new Set(all.flatMap(namesIn))
  const shown = JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name)
  const hint = `Allowed: ${[...allowed].join(', ') || 'none'}.`
  return refuse('invalid_input', `Unknown ${what} ${shown}.`, hint, { path: name.slice(0, 64) })
}

/** What a route takes besides what stands in its path, its headers or as its whole body. */
function namesIn(route: Route): string[] {
  const elsewhere = [...Object.values(route.headers ?? {}), ...(route.body === undefined ? [] : [route.body])]
  return Object.keys(route.does.input.members)
    .filter((member) => !route.path.includes(`{${member}}`) && !elsewhere.includes(member))
    .map((member) => nameOf(route, member))
}

function put(input: Input, member: string, value: unknown, name: string): Refusal | undefined {
  if (Object.hasOwn(input, member)) return twice(name)
  input[member] = value
  return undefined
}

/** What a name over HTTP is called by the operation. */
function memberOf({ names = {} }: Route, name: string): string {
  return own(names, name) ?? name
}

function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function bodyMembers(route: Route, body: Json | undefined): Record<string, Json> | Refusal {
  if (body === undefined) return {}
  if (route.body !== undefined) return { [route.body]: body }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refuse('invalid_input', 'The body must be a JSON object.', 'Give the fields of the operation.', {
      path: '',
    })
  }
  if (route.when === undefined) return body
  const { operation: _, ...rest } = body
  return rest
}

/** What stands in the path, the query and headers: texts, whatever the operation makes of them. */
function putTexts(input: Input, route: Route, { members, query, headers, routes }: Said): Refusal | undefined {
  const putText = (name: string, text: string): Refusal | undefined => {
    const member = memberOf(route, name)
    const { members: known, aliases } = route.does.input
    const value = readText(own(known, own(aliases, member) ?? member), text)
    return value instanceof Refusal ? value : put(input, member, value, name)
  }
  for (const name of Object.keys(members)) {
    const refusal = putText(name, members[name] as string)
    if (refusal) return refusal
  }
  for (const [name, text] of query) {
    const refusal = checkName(route, name, 'parameter', routes) ?? putText(name, text)
    if (refusal) return refusal
  }
  for (const [header, name] of Object.entries(route.headers ?? {})) {
    const text = headers[header]
    const refusal = typeof text === 'string' ? putText(name, text) : undefined
    if (refusal) return refusal
  }
  const request = headers['idempotency-key']
  const isTaken = typeof request === 'string' && 'request_id' in route.does.input.members
  return isTaken ? putText('request_id', request) : undefined
}

/** What a text stands for where a member of this kind is expected; one that does not fit is refused by the schema. */
function readText(schema: Schema<unknown> | undefined, text: string): unknown {
  switch (schema?.kind) {
    case 'integer':
    case 'number':
      return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === '' || text === 'true' ? true : text === 'false' ? false : text
    case 'json':
      return readJson(text)
    case 'list':
      return text.split(',')
    default:
      return text
  }
}

export function twice(name: string): Refusal {
  return refuse(
    'bad_request',
    `${name} is given twice.`,
    'Give it once: in the path, the query, a header or the body.',
    {
      path: name,
    },
  )
}
