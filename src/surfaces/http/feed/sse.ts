import type { ServerResponse } from 'node:http'
import type { Refusal } from '../../../domain/refusal.ts'
import type { Line } from './reader.ts'

/** One who reads nothing would keep the rest in memory for ever. */
const closeMs = 5000

/**
 * Server-sent events. The id stands at the last message of an event, so that a browser that comes back is told an event whole or
 * not at all.
 */
export function sseLine(response: ServerResponse, withIds: boolean): Line {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
  response.flushHeaders()
  return {
    stream: response,
    send(texts, seq) {
      const lastAt = withIds ? texts.length - 1 : -1
      response.write(texts.map((text, at) => `${at === lastAt ? `id: ${seq}\n` : ''}data: ${text}\n\n`).join(''))
    },
    beat: (seq) => response.write(`: heartbeat ${seq}\n\n`),
    close(refusal: Refusal | undefined) {
      if (refusal) response.write(`event: end\ndata: ${JSON.stringify(refusal)}\n\n`)
      response.end()
      setTimeout(() => response.destroy(), closeMs).unref()
    },
  }
}
