import type { ServerResponse } from 'node:http'
import type { Refusal } from '../../../domain/log/refusal.ts'
import type { Line } from './reader.ts'
import { sharedBytes } from './shared-bytes.ts'
import type { Subscription } from './subscription.ts'

/** One who reads nothing would keep the rest in memory for ever. */
const closeMs = 5000

/**
 * Server-sent events. The id stands at the last message of an event, so that a browser that comes back is told an event whole or
 * not at all.
 */
export function sseLine(response: ServerResponse, { isOfOneLog: withIds, position }: Subscription): Line {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
  // Something in between may hold the head back until it is followed by something. An id without data is no event, and yet where
  // a browser goes on that is cut off before the first one.
  response.write(withIds ? `id: ${position}\n\n` : ': open\n\n')
  return {
    stream: response,
    send(texts, seq) {
      const lastAt = withIds ? texts.length - 1 : -1
      let small = ''
      for (const [at, text] of texts.entries()) {
        small += `${at === lastAt ? `id: ${seq}\n` : ''}data: `
        const bytes = sharedBytes(text)
        if (typeof bytes === 'string') small += bytes
        else {
          response.write(small)
          response.write(bytes)
          small = ''
        }
        small += '\n\n'
      }
      response.write(small)
    },
    beat: (seq) => response.write(`: heartbeat ${seq}\n\n`),
    close(refusal: Refusal | undefined) {
      if (refusal) response.write(`event: end\ndata: ${JSON.stringify(refusal)}\n\n`)
      response.end()
      setTimeout(() => response.destroy(), closeMs).unref()
    },
  }
}
