import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { Refusal } from '../../../domain/log/refusal.ts'
import type { Line } from './reader.ts'
import { sharedBytes } from './shared-bytes.ts'

/** Codes of our own, from the range that is free for programs. */
const closeCodes: Readonly<Record<string, number>> = { unauthorized: 4401, forbidden: 4403, rate_limited: 4429 }
const otherRefusal = 4400
const goingAway = 1001

/** One who does not close its side in that time is cut off. */
const closeMs = 5000

export function socketLine(socket: WebSocket, stream: Socket): Line {
  let answersMissing = 0
  socket.on('pong', () => {
    answersMissing = 0
  })
  return {
    stream,
    send(texts) {
      for (const text of texts) socket.send(sharedBytes(text), { binary: false })
    },
    beat(seq) {
      // Whoever is gone without a word does not answer.
      if (++answersMissing > 2) socket.terminate()
      socket.ping()
      socket.send(JSON.stringify({ type: 'heartbeat', seq }))
    },
    close(refusal: Refusal | undefined) {
      if (refusal) socket.send(JSON.stringify({ type: 'end', ...refusal.toJSON() }))
      socket.close(refusal ? (closeCodes[refusal.code] ?? otherRefusal) : goingAway)
      setTimeout(() => socket.terminate(), closeMs).unref()
    },
  }
}
