// A client of `/mcp` that sends what it is told and takes JSON or a stream, so that it can also say what no SDK would.
import type { Document } from '../cli/sandbox.ts'
import { type Called, called, revision } from './peer.ts'
import type { Address } from './place.ts'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  /** The last message of the answer; undefined without one. */
  readonly message: Document
  readonly text: string
}

export class HttpPeer {
  readonly #url: URL
  #headers: Record<string, string>
  #asked = 0

  constructor({ url, token }: Address, headers: Record<string, string> = {}, query = '') {
    this.#url = new URL(`/mcp${query}`, url)
    this.#headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream', ...headers }
  }

  /** Of the connection; undefined before `initialize`. */
  get id(): string | undefined {
    return this.#headers['mcp-session-id']
  }

  async send(method: string, body?: string | object, headers: Record<string, string> = {}): Promise<Answered> {
    const response = await fetch(this.#url, {
      method,
      headers: { 'content-type': 'application/json', ...this.#headers, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, message: messageIn(response, text), text }
  }

  async ask(method: string, params: object = {}, id: string | number = `own-${++this.#asked}`): Promise<Document> {
    return (await this.send('POST', { jsonrpc: '2.0', id, method, params })).message
  }

  async initialize(protocolVersion: string = revision): Promise<Document> {
    const clientInfo = { name: 'peer', version: '1' }
    const params = { protocolVersion, capabilities: {}, clientInfo }
    const { headers, message } = await this.send('POST', { jsonrpc: '2.0', id: 0, method: 'initialize', params })
    const session = headers.get('mcp-session-id') as string
    const agreed = { 'mcp-session-id': session, 'mcp-protocol-version': message.result.protocolVersion }
    this.#headers = { ...this.#headers, ...agreed }
    await this.send('POST', { jsonrpc: '2.0', method: 'notifications/initialized' })
    return message.result
  }

  async call(name: string, given: object = {}, id?: string | number): Promise<Called> {
    return called(await this.ask('tools/call', { name, arguments: given }, id))
  }
}

function messageIn({ headers }: Response, text: string): Document {
  if (text === '') return undefined
  if (!headers.get('content-type')?.startsWith('text/event-stream')) return JSON.parse(text)
  const data = text.split('\n').filter((line) => line.startsWith('data: '))
  return JSON.parse((data.at(-1) as string).slice('data: '.length))
}

/** One that has agreed on how to speak. */
export async function greetedHttpPeer(
  address: Address,
  headers: Record<string, string> = {},
  query = '',
): Promise<HttpPeer> {
  const peer = new HttpPeer(address, headers, query)
  await peer.initialize()
  return peer
}
