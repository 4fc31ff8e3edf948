// A model on loopback that says what a script says, in the protocol of Anthropic or of OpenAI, and keeps what it was sent.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Said {
  readonly text?: string
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: object }[]
}

/** What to do with one request instead of answering it. */
export type Fault =
  | { readonly status: number; readonly retryAfter?: string; readonly body?: object }
  | 'garbage'
  | 'break off'
  /** Begins to answer, and never ends. */
  | 'hang'

// biome-ignore lint/suspicious/noExplicitAny: requests are looked into freely.
export type Body = any

export class StandInModel {
  /** What it says after so many answers of its own. */
  script: readonly Said[] = []
  /** What it does with the next requests, one each, before it answers again. */
  faults: Fault[] = []
  readonly requests: { body: Body; headers: IncomingMessage['headers']; path: string }[] = []
  readonly #server: Server
  #answers = 0

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  async listen(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body: Body = JSON.parse(Buffer.concat(parts).toString())
    const path = request.url ?? ''
    this.requests.push({ body, headers: request.headers, path })
    const fault = this.faults.shift()
    if (typeof fault === 'object') {
      const retry = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }
      response.writeHead(fault.status, { 'content-type': 'application/json', ...retry })
      response.end(JSON.stringify(fault.body ?? { error: { message: 'as planned' } }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (fault === 'garbage') {
      response.end('<html>no</html>\n\ndata: {nonsense\n\n')
      return
    }
    const said = this.script[body.messages.filter(({ role }: Body) => role === 'assistant').length] ?? {
      text: 'nothing',
    }
    const id = `msg_${++this.#answers}`
    const lines = path.endsWith('/messages') ? anthropicLines(said, id) : openaiLines(said, id)
    const sent = fault === 'break off' ? lines.slice(0, Math.ceil(lines.length / 2)) : lines
    if (fault === 'hang') {
      response.write(lines[0])
      return
    }
    for (const line of sent) response.write(line)
    response.end()
  }
}

function anthropicLines({ text, calls = [] }: Said, id: string): string[] {
  const event = (data: { type: string; [member: string]: unknown }) =>
    `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
  const blocks = [
    ...(text === undefined
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: halves(text).map((each) => ({ type: 'text_delta', text: each })),
          },
        ]),
    ...calls.map(({ input, ...call }) => ({
      start: { type: 'tool_use', ...call, input: {} },
      deltas: halves(JSON.stringify(input)).map((each) => ({ type: 'input_json_delta', partial_json: each })),
    })),
  ]
  return [
    event({ type: 'message_start', message: { id, usage: { input_tokens: 10, cache_read_input_tokens: 5 } } }),
    event({ type: 'ping' }),
    ...blocks.flatMap(({ start, deltas }, index) => [
      event({ type: 'content_block_start', index, content_block: start }),
      ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
      event({ type: 'content_block_stop', index }),
    ]),
    event({
      type: 'message_delta',
      delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' },
      usage: { output_tokens: 3 },
    }),
    event({ type: 'message_stop' }),
  ]
}

function openaiLines({ text, calls = [] }: Said, id: string): string[] {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id, choices: [{ index: 0, delta, finish_reason }] })}\r\n\r\n`
  return [
    chunk({ role: 'assistant', content: '' }),
    ...halves(text ?? '').map((content) => chunk({ content })),
    ...calls.flatMap(({ id, name, input }, index) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...halves(JSON.stringify(input)).map((each) => chunk({ tool_calls: [{ index, function: { arguments: each } }] })),
    ]),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    `data: ${JSON.stringify({ id, choices: [], usage: { prompt_tokens: 15, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 5 } } })}\r\n\r\n`,
    'data: [DONE]\r\n\r\n',
  ]
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter((each) => each !== '')
}
