import { blobEntries } from '../blobs/blob-entries.ts'
import { subscriptionQuery } from '../feed/subscription-request.ts'
import { type Route, routes } from '../rest/routes.ts'
import { statuses } from '../rest/statuses.ts'
import answers from './answers.json' with { type: 'json' }
import { authorized, shellSamples } from './curl-sample.ts'
import { operationOf, type Part, parameter, referring, refusals } from './operation-entry.ts'

const refusal = {
  type: 'object',
  properties: {
    error: { type: 'string', enum: Object.keys(statuses).sort() },
    message: { type: 'string' },
    hint: { type: 'string' },
  },
  required: ['error', 'message', 'hint'],
  // What else a refusal tells depends on its code: current_version, path, candidates …
  additionalProperties: true,
}

/** The whole of REST as an OpenAPI 3.1 document, made from the definitions. */
export function openApi(version: string): Part {
  const paths: Record<string, Part> = {}
  for (const [path, method, group] of grouped()) paths[path] = { ...paths[path], [method]: operationOf(group) }
  for (const [path, methods] of Object.entries(blobEntries)) paths[path] = { ...paths[path], ...methods }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cairn',
      version,
      description:
        'Durable shared state for AI agents. Names in a path are percent-encoded: the key a/b is read at /sessions/{session}/state/keys/a%2Fb.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths: { ...paths, ...besides },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Refusal: refusal, ...referring(answers.$defs) },
    },
  }
}

/** Operations that share a method and a path are one entry. */
function grouped(): [string, string, Route[]][] {
  const groups = new Map<string, [string, string, Route[]]>()
  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    const known = groups.get(name) ?? [route.path, route.method.toLowerCase(), []]
    groups.set(name, known)
    known[2].push(route)
  }
  return [...groups.values()]
}

const open = { security: [] as string[] }

function page(path: string, id: string, summary: string, type: string, more: Part = {}): Record<string, Part> {
  const content = { [type]: { schema: type === 'application/json' ? { type: 'object' } : { type: 'string' } } }
  const responses = { 200: { description: summary, content }, ...refusals() }
  const sample = shellSamples(`curl ${'security' in more ? '' : `${authorized} `}"$CAIRN_URL${path}"`)
  return {
    [path]: { get: { operationId: id, tags: ['server'], summary, parameters: [], ...more, ...sample, responses } },
  }
}

const subscriptionParameters = Object.entries(subscriptionQuery.members).map(([name, schema]) =>
  parameter(name, 'query', schema),
)
const lastEventId = parameter('Last-Event-ID', 'header', {
  json: { type: 'string' },
  about: 'Sent by browsers when they reconnect; takes precedence over since.',
})

/** What is served beside the operations. */
const besides: Record<string, Part> = {
  ...page('/', 'start', 'What this server is, as JSON; browsers get a page.', 'application/json', open),
  ...page('/health', 'health', 'Whether the server is up, and what it is short of.', 'application/json', open),
  ...page('/metrics', 'metrics', 'Metrics in the Prometheus format.', 'text/plain'),
  ...page('/openapi.json', 'openapi', 'This document.', 'application/json', open),
  ...page('/docs', 'docs', 'A reader for this document.', 'text/html', open),
  ...page('/events', 'feed', 'The feed as server-sent events; over WebSocket it is at /ws.', 'text/event-stream', {
    parameters: [...subscriptionParameters, lastEventId],
  }),
}
