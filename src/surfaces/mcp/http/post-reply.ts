import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Refusal } from '../../../domain/log/refusal.ts'
import type { Reply } from '../protocol/json-rpc.ts'
import { MessageStream } from './message-stream.ts'

/** What is not answered by then is answered over a stream, so that nobody takes the silence for the end. */
const slowMs = 1000

/** Why an answer of so many bytes cannot be sent now, if so. */
export type Room = (bytes: number) => Refusal | undefined

/** The answer to one POST: one JSON document or, where it takes its time or has more to say, a stream of messages. */
export class PostReply {
  readonly #response: ServerResponse
  readonly #room: Room
  readonly #canStream: boolean
  readonly #timer: NodeJS.Timeout | undefined
  #stream: MessageStream | undefined

  constructor(request: IncomingMessage, response: ServerResponse, room: Room) {
    this.#response = response
    this.#room = room
    this.#canStream = accepts(request, 'text/event-stream')
    this.#timer = this.#canStream ? setTimeout(() => this.#opened(), slowMs) : undefined
    response.once('close', () => clearTimeout(this.#timer))
  }

  /** Whether the client has been told already that its request is on its way. */
  get isOpen(): boolean {
    return this.#stream !== undefined
  }

  /** A message that belongs to the request; one who only takes JSON has no place for it. */
  notify(message: object): void {
    if (this.#canStream && !this.#response.destroyed) this.#opened().send(message)
  }

  /** Done: with the replies, or with none where none are wanted. */
  end(status: number, replies: Reply | readonly Reply[] | undefined, headers: Record<string, string> = {}): void {
    clearTimeout(this.#timer)
    if (this.#response.writableEnded || this.#response.destroyed) return
    const texts = [replies ?? []].flat().map((reply) => JSON.stringify(reply))
    const refusal = this.#room(texts.reduce((sum, { length }) => sum + length, 0))
    if (this.#stream !== undefined) {
      if (refusal) this.drop()
      else this.#stream.sendAll(texts)
      return
    }
    if (this.#response.headersSent) return
    if (refusal) this.#answer(503, JSON.stringify(refusal), { 'retry-after': '1' })
    else if (replies === undefined) this.#response.writeHead(202, { 'content-length': '0', ...headers }).end()
    else this.#answer(status, Array.isArray(replies) ? `[${texts.join()}]` : (texts[0] as string), headers)
  }

  #answer(status: number, text: string, headers: Record<string, string>): void {
    const length = String(Buffer.byteLength(text))
    this.#response.writeHead(status, { 'content-type': 'application/json', 'content-length': length, ...headers })
    this.#response.end(text)
  }

  /** Says nothing more to somebody who may not hear it any more. */
  drop(): void {
    this.#response.destroy()
  }

  #opened(): MessageStream {
    this.#stream ??= new MessageStream(this.#response)
    return this.#stream
  }
}

/** Whether a client says that it takes a kind of answer; one that says nothing takes JSON. */
export function accepts({ headers: { accept } }: IncomingMessage, type: string): boolean {
  const kinds = (accept ?? 'application/json').split(',').map((kind) => kind.split(';')[0]?.trim().toLowerCase())
  return kinds.some((kind) => kind === type || kind === '*/*' || kind === `${type.split('/')[0]}/*`)
}
