import { STATUS_CODES } from 'node:http'
import { isOptional, type Schema } from '../../../domain/log/input-schema.ts'
import { paths } from '../rest/paths.ts'
import { isByName, nameOf, type Route } from '../rest/routes.ts'
import { statuses } from '../rest/statuses.ts'
import { documentMembers } from '../rest/translation.ts'
import answers from './answers.json' with { type: 'json' }
import { curlSample, shellSamples } from './curl-sample.ts'

export type Part = { [name: string]: unknown }

/** Which refusals any request can meet, whatever it asks for. */
const always = [400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422, 428, 429, 431, 500, 503, 504, 507]

/** What a status means, with the codes that come with it. */
function refused(status: number): Part {
  const codes = Object.entries(statuses).flatMap(([code, of]) => (of === status ? [code] : []))
  const also = status === 412 ? ['version_conflict'] : status === 408 || status === 431 ? ['bad_request'] : []
  return {
    description: `${STATUS_CODES[status]}: ${[...codes, ...also].join(', ')}.`,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
  }
}

export function refusals(more: readonly number[] = []): Part {
  return Object.fromEntries([...always, ...more].map((status) => [status, refused(status)]))
}

/** One entry of the document: the operations that share a method and a path. */
export function operationOf(group: readonly Route[]): Part {
  const [first] = group as readonly [Route]
  const [tag = ''] = first.operation.split('.')
  const summaries = group.map(({ when, type, given, does }) => {
    const which = when ?? type ?? (given && `with ${given}`)
    return which === undefined ? does.summary : `${which}: ${does.summary}`
  })
  return {
    operationId: idOf(group),
    tags: [isByName(first) ? 'operations by name' : tag],
    summary: summaryOf(group),
    ...(group.length === 1 ? {} : { description: summaries.join('\n') }),
    ...elsewhere(first),
    ...shellSamples(...group.map(curlSample)),
    parameters: [...pathParameters(first), ...queryParameters(group), ...headerParameters(first)],
    ...(takesBody(first) ? { requestBody: bodyOf(group) } : {}),
    responses: responsesOf(group),
  }
}

function summaryOf(group: readonly Route[]): string {
  const [first, ...others] = group as [Route, ...Route[]]
  const words = group.flatMap(({ when }) => when ?? [])
  if (words.length > 0) return `Change a key without knowing its version: ${words.join(', ')}.`
  return [first.does.summary, ...others.map(({ type, given }) => `Also ${type ?? `with ${given}`}.`)].join(' ')
}

/** Of an operation by its name, where else it is found: a list of all that can be done has it there. */
function elsewhere(route: Route): Part {
  const other = isByName(route) ? paths.find((each) => each.operation === route.operation) : undefined
  return other === undefined ? {} : { 'x-also-at': `${other.method} ${other.path}` }
}

function idOf(group: readonly Route[]): string {
  const [first] = group as readonly [Route]
  const { operation, path, when } = first
  if (isByName(first)) return `call.${operation}`
  const [noun] = operation.split('.')
  if (when !== undefined) return `${noun}.${path.split('/').at(-1)}`
  return group.map((route) => route.operation).join('.or.')
}

function takesBody({ method }: Route): boolean {
  return method !== 'GET' && method !== 'DELETE'
}

export function parameter(name: string, where: string, { json, about }: Pick<Schema<unknown>, 'json' | 'about'>): Part {
  return { name, in: where, required: where === 'path', schema: textual(json), description: about }
}

/** What stands in a path or a query is text, whatever is made of it. */
function textual(schema: Schema<unknown>['json']): Part {
  const isPlain = typeof schema.type === 'string' && !['object', 'array'].includes(schema.type)
  const { description: _, ...plain } = schema
  return isPlain ? plain : { type: 'string' }
}

function namesInPath({ path }: Route): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
}

function pathParameters(route: Route): Part[] {
  return namesInPath(route).map((name) => {
    const { json, about } = route.does.input.members[name] as Schema<unknown>
    return parameter(name, 'path', { json, about: `${about} Percent-encoded: a / in it is %2F.` })
  })
}

/** Members that stand neither in the path nor in a header. */
function membersOf(route: Route): [string, Schema<unknown>][] {
  const said = [...namesInPath(route), ...Object.values(route.headers ?? {})]
  return Object.entries(route.does.input.members).filter(([name]) => !said.includes(name))
}

/** Where there is no body for them, or the whole body is one of them, members are in the query. */
function queryParameters(group: readonly Route[]): Part[] {
  const all = group.flatMap((route): Part[] =>
    membersOf(route)
      .filter(([name]) => !takesBody(route) || (route.body !== undefined && route.body !== name))
      .map(([name, schema]) => queryParameter(route, name, schema)),
  )
  return [...new Map(all.map((each) => [each.name, each])).values()]
}

function queryParameter(route: Route, name: string, schema: Schema<unknown>): Part {
  const value = route.defaults?.[name]
  const json = value === undefined ? schema.json : { ...schema.json, default: value }
  const called = nameOf(route, name)
  const about = called === route.given ? `Long poll: ${route.does.summary} ${schema.about}` : schema.about
  return { ...parameter(called, 'query', { json, about }), required: !isOptional(schema) }
}

function headerParameters(route: Route): Part[] {
  const header = (name: string, about: string, json: Schema<unknown>['json'] = { type: 'string' }): Part =>
    parameter(name, 'header', { json, about })
  const { members } = route.does.input
  const own = Object.entries(route.headers ?? {}).map(([name, member]) =>
    header(name, members[member]?.about ?? '', members[member]?.json),
  )
  if (route.method === 'GET')
    return route.etag ? [header('If-None-Match', 'An ETag you already have; 304 while it is current.')] : []
  const match = route.etag
    ? [
        header('If-Match', 'The ETag you have read, a list of them, or * for any version.'),
        header('If-None-Match', '* writes only if it does not exist yet.', { type: 'string', const: '*' }),
        header('X-If-Match', 'skip writes over any version, like If-Match: *.', { type: 'string', const: 'skip' }),
        header('Prefer', 'status=412 to get 412 instead of 409 for a version conflict.'),
      ]
    : []
  const repeat = 'request_id' in members ? [header('Idempotency-Key', members.request_id?.about ?? '')] : []
  return [...own, ...match, ...repeat]
}

function bodyOf(group: readonly Route[]): Part {
  const content: Record<string, Part> = {}
  for (const type of new Set(group.map((route) => route.type ?? 'application/json'))) {
    const schemas = group.filter((route) => (route.type ?? 'application/json') === type).map(bodySchema)
    content[type] = { schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas } }
  }
  return { required: group.every(needsBody), content }
}

function needsBody(route: Route): boolean {
  return route.body !== undefined || membersOf(route).some(([, schema]) => !isOptional(schema))
}

function bodySchema(route: Route): Part {
  if (route.body !== undefined) return route.does.input.members[route.body]?.json as Part
  const members = membersOf(route)
  const chosen = route.when === undefined ? {} : { operation: { const: route.when } }
  const properties = Object.fromEntries(members.map(([name, { json }]) => [nameOf(route, name), json]))
  const required = members.filter(([, schema]) => !isOptional(schema)).map(([name]) => nameOf(route, name))
  return {
    type: 'object',
    properties: { ...chosen, ...properties },
    required: [...Object.keys(chosen), ...required],
    additionalProperties: false,
  }
}

function responsesOf(group: readonly Route[]): Part {
  const [{ method, status = 200, etag, does }] = group as readonly [Route]
  const schemas = group.map((route) =>
    route.shows === 'document' ? withDocument(route) : answerSchema(route.operation),
  )
  const done: Part = { description: status === 204 ? 'Done; there is no body.' : `The answer of ${does.name}.` }
  if (status !== 204)
    done.content = { 'application/json': { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } } }
  if (etag)
    done.headers = { ETag: { schema: { type: 'string' }, description: 'The version, to send back as If-Match.' } }
  const unchanged =
    method === 'GET' && etag ? { 304: { description: 'Not modified: If-None-Match names the current version.' } } : {}
  return { [status]: done, ...unchanged, ...refusals(etag && method !== 'GET' ? [412] : []) }
}

/** The schema of what an operation answers. */
function answerSchema(operation: string): Part {
  const schema = (answers.answers as Record<string, Part>)[operation]
  if (schema === undefined) throw new Error(`scripts/generate/answers.mjs knows no answer of ${operation}`)
  return referring(schema)
}

function withDocument({ operation }: Route): Part {
  const [answer, whole] = [answerSchema(operation), answerSchema('state.all')] as {
    properties: Part
    required: string[]
  }[]
  const added = Object.fromEntries(documentMembers.map((name) => [name, whole?.properties[name]]))
  // Where there was no state, and a patch changed nothing, there was no change either.
  const properties = { ...answer?.properties, ...added, updated_at: { anyOf: [added.updated_at, { type: 'null' }] } }
  return { ...answer, properties, required: [...(answer?.required ?? []), ...documentMembers] }
}

/** Definitions stand elsewhere in the document. */
export function referring(schema: Part): Part {
  return JSON.parse(JSON.stringify(schema).replaceAll('#/$defs/', '#/components/schemas/')) as Part
}
