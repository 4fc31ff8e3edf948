// A request for a route, out of the input of its operation.
import type { Route } from '../../src/surfaces/http/rest/routes.ts'

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What the path has no place for is the body, or the query where there is none. */
export function requestOf(route: Route, input: object): Request {
  const left = new Map<string, unknown>(Object.entries(input))
  const path = route.path.replace(/\{(\w+)\}/g, (_, member: string) => {
    const value = left.get(member)
    left.delete(member)
    return encodeURIComponent(String(value))
  })
  const names = new Map(Object.entries(route.names ?? {}).map(([name, member]) => [member, name]))
  const members = [...left].map(([member, value]) => [names.get(member) ?? member, value] as const)
  const headers = route.guarded ? { 'if-match': '*' } : {}
  if (route.method === 'GET' || route.method === 'DELETE') {
    const query = new URLSearchParams(members.map(([name, value]): [string, string] => [name, String(value)]))
    return { method: route.method, path: query.size === 0 ? path : `${path}?${query}`, headers }
  }
  const whole = route.body === undefined ? { ...Object.fromEntries(members), ...choice(route) } : left.get(route.body)
  const type = { 'content-type': route.type ?? 'application/json' }
  return { method: route.method, path, headers: { ...headers, ...type }, body: JSON.stringify(whole) }
}

function choice({ when }: Route): object {
  return when === undefined ? {} : { operation: when }
}

/** Sends it with a token, or with none. */
export function send(url: string, { method, path, headers, body }: Request, token?: string): Promise<Response> {
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const sent = { method, headers: { ...headers, ...bearer }, redirect: 'manual' as const }
  return fetch(url + path, body === undefined ? sent : { ...sent, body })
}
