import type { HintWords } from '../../../operations/hint-words.ts'
import { type Path, paths } from './paths.ts'
import { nameOf, type Route } from './routes.ts'

/** What the environment of a command says, a header says to a server. */
const headers: Readonly<Record<string, string>> = {
  request_id: 'Idempotency-Key',
  AGENT_SESSION_ID: 'X-Agent-Session-Id',
  AGENT_ROOT_SESSION_ID: 'X-Agent-Root-Session-Id',
}

const firstOf = new Map<string, Path>([...paths].reverse().map((path) => [path.operation, path]))

/** Where there is no body, what an operation takes stands in the query. */
function hasQuery(method: string | undefined): boolean {
  return method === 'GET' || method === 'DELETE'
}

/**
 * How REST says what a hint names, to whoever asked for this route; without one, what can be said of all of them. `isInHeader` says
 * that a request id is to be given in the header, and not in the body as it was.
 */
export function restWords(route: Route | undefined, isInHeader = true): HintWords {
  return {
    operation(name, given) {
      const found = firstOf.get(name)
      const { method, path, when } = found ?? { method: 'POST', path: `/operations/${name}` }
      if (given !== undefined && hasQuery(method)) return `${method} ${path}?${given.name}=${given.value}`
      const body = [
        ...(when === undefined ? [] : [`"operation": "${when}"`]),
        ...(given === undefined ? [] : [`"${given.name}": ${given.value}`]),
      ]
      return `${method} ${path}${body.length === 0 ? '' : ` {${body.join(', ')}}`}`
    },
    given(name, value) {
      const condition = route?.etag ? conditionOf(name, value) : undefined
      if (condition !== undefined) return condition
      if (route?.path.includes(`{${name}}`)) return name === 'session' ? '/sessions/{session}' : `{${name}}`
      if (name === 'request_id' && route !== undefined && !isInHeader) return 'request_id'
      const header = Object.entries(route?.headers ?? {}).find(([, member]) => member === name)?.[0] ?? headers[name]
      const said = header ?? (route && nameOf(route, name))
      if (said === undefined || value === undefined) return said
      return header === undefined && hasQuery(route?.method) ? `?${said}=${value}` : `${said}: ${value}`
    },
  }
}

/** Where there are ETags, what is expected of a version is said by the headers for it. */
function conditionOf(name: string, value: string | undefined): string | undefined {
  if (name === 'create_only' || (name === 'version' && value === '0')) return 'If-None-Match: *'
  if (name !== 'version') return undefined
  return value === undefined ? 'If-Match' : `If-Match: "${value}"`
}
