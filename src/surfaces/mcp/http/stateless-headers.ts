import type { IncomingHttpHeaders } from 'node:http'
import { codes, type Failure, type Reply, type Request } from '../protocol/json-rpc.ts'
import { metaIn } from '../protocol/stateless.ts'

/** The member of the parameters that a header repeats, for whoever stands in between and reads headers only. */
const named: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' }

/** What a request says about itself in its headers must be what it says in its body: somebody may have looked only there. */
export function checkHeaders(headers: IncomingHttpHeaders, { method, params }: Request): Failure | undefined {
  const version = metaIn(params, 'protocolVersion')
  if (version === undefined) {
    return { code: codes.params, message: 'params._meta names no io.modelcontextprotocol/protocolVersion.' }
  }
  const wanted: [string, unknown][] = [
    ['mcp-protocol-version', version],
    ['mcp-method', method],
  ]
  const member = Object.hasOwn(named, method) ? params[named[method] as string] : undefined
  if (typeof member === 'string') wanted.push(['mcp-name', member])
  const wrong = wanted.find(([name, value]) => decoded(headers[name]) !== value)
  return wrong && { code: codes.headers, message: `The header ${wrong[0]} does not say what the body does.` }
}

/** What is not plain text comes as Base64 between marks. */
function decoded(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header.trim()) ?? []
  return base64 === undefined ? header.trim() : Buffer.from(base64, 'base64').toString('utf8')
}

/** Of what is answered with an error of the protocol, some is also an error of HTTP. */
const statuses: Readonly<Record<number, number>> = {
  [codes.parse]: 400,
  [codes.request]: 400,
  [codes.method]: 404,
  [codes.revision]: 400,
}

export function statusOf(reply: Reply | undefined): number {
  return reply !== undefined && 'error' in reply ? (statuses[reply.error.code] ?? 200) : 200
}
