// A process with many who listen to a feed, and one who writes. Each message is one task.
import { request as ask } from 'node:http'
import type { Socket } from 'node:net'
import { Connection, type Request, wireOf } from './connection.ts'
import { payloadsOf } from './frames.ts'
import { answerTasks } from './worker.ts'

export interface Audience {
  readonly url: string
  /** Where they listen. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly listeners: number
  /** How many more do not read what they are sent. */
  readonly stalled: number
  /** Asked so many times, each when the one before was answered. */
  readonly request: Request
  readonly writes: number
  /** Messages that follow from one of them. */
  readonly each: number
}

export interface Heard {
  /** Deliveries a second, from the first write until all was heard by all who read. */
  readonly rate: number
  /** Length of a message. */
  readonly bytes: number
}

async function perform({ url, path, headers, listeners, stalled, request, writes, each }: Audience): Promise<Heard> {
  // New ones each time: none of them lives long enough for a heartbeat, which would be counted.
  const opening = Array.from({ length: listeners + stalled }, () => listen(new URL(path, url), headers))
  const sockets = await Promise.all(opening)
  const writer = await Connection.open(url)
  const wire = wireOf(url, request)
  let bytes = 0
  const hear = (length: number) => {
    bytes = length
  }
  const heard = Promise.all(sockets.slice(0, listeners).map((socket) => hearing(socket, writes * each, hear)))
  const start = performance.now()
  for (let write = 0; write < writes; write++) await writer.ask(wire)
  await heard
  const rate = (writes * each * listeners * 1000) / (performance.now() - start)
  for (const socket of sockets) socket.destroy()
  writer.close()
  return { rate, bytes }
}

function listen(url: URL, headers: Audience['headers']): Promise<Socket> {
  const opening = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  }
  return new Promise((resolve, reject) => {
    const asked = ask(url, { headers: { ...headers, ...opening }, agent: false })
    asked.once('upgrade', (_response, socket) => resolve(socket.pause() as Socket))
    asked.once('response', ({ statusCode }) => reject(new Error(`a listener was answered with ${statusCode}`)))
    asked.once('error', reject)
    asked.end()
  })
}

/** Settles when so many messages were heard. */
function hearing(socket: Socket, messages: number, hear: (bytes: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let missing = messages
    const payloads = payloadsOf((bytes) => {
      hear(bytes)
      missing -= 1
      if (missing === 0) resolve()
    })
    socket.on('data', payloads)
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`a listener was cut off, ${missing} messages before the last`)))
    socket.resume()
  })
}

answerTasks(perform)
