// A model that never thinks: a server on loopback that asks for the calls of a script, one after the other, then ends the turn.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Whatever an agent sends; each dialect looks at what it knows. */
// biome-ignore lint/suspicious/noExplicitAny: answers of other programs are looked into freely.
export type Sent = any

/** A call of a tool of the MCP server, by its own name. */
export interface Call {
  readonly tool: string
  /** May be made of what the calls before gave. */
  readonly arguments: object | ((results: readonly string[]) => object)
  /** Done before the call is asked for, once; the agent waits for it as for a model that thinks. */
  readonly before?: () => Promise<unknown>
}

/** How agents of one kind speak with their model. */
export interface Dialect {
  readonly path: string
  /** The tools of the request, as the dialect names them; empty for what an agent asks besides its work. */
  tools(sent: Sent): string[]
  /** What the tools called so far gave, as text. */
  results(sent: Sent): string[]
  /** The answer as events of a stream. */
  ask(id: string, tool: string, given: object): object[]
  say(id: string, text: string): object[]
}

export interface StandIn {
  readonly url: string
  /** The tools that were offered last. */
  readonly offered: readonly string[]
  /** What the calls of the script gave. */
  readonly results: readonly string[]
  stop(): void
}

export async function standIn(dialect: Dialect, script: readonly Call[]): Promise<StandIn> {
  const seen = { offered: [] as string[], results: [] as string[] }
  let asked = 0
  const begun = new Map<Call, Promise<unknown>>()
  const answer = async (sent: Sent): Promise<object[]> => {
    const id = `${++asked}`
    const offered = dialect.tools(sent)
    if (offered.length === 0) return dialect.say(id, 'Nothing.')
    const results = dialect.results(sent)
    Object.assign(seen, { offered, results })
    const call = script[results.length]
    const tool = offered.find((name) => name.endsWith(call?.tool ?? ''))
    if (call === undefined) return dialect.say(id, 'Done.')
    if (tool === undefined) return dialect.say(id, `There is no ${call.tool}.`)
    // An agent that has lost patience asks its model again.
    if (!begun.has(call)) begun.set(call, call.before?.() ?? Promise.resolve())
    await begun.get(call)
    return dialect.ask(id, tool, typeof call.arguments === 'function' ? call.arguments(results) : call.arguments)
  }
  const server = createServer((request, response) => void serve(dialect, request, response, answer))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return Object.assign(seen, {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  })
}

async function serve(
  { path }: Dialect,
  request: IncomingMessage,
  response: ServerResponse,
  answer: (sent: Sent) => Promise<object[]>,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  if (request.method !== 'POST' || request.url?.split('?')[0] !== path) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of (await answer(JSON.parse(Buffer.concat(chunks).toString()))) as { type: string }[])
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  response.end()
}
