import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Context } from './scenario.ts'
import { startTool } from './tool.ts'

/** Starts a Redis that syncs before it answers, and opens so many connections to it. */
export async function startRedis(context: Context, connections: number): Promise<RedisConnection[]> {
  const folder = context.folder()
  const path = join(folder, 'redis.sock')
  const kept = ['--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always']
  const open = async () => {
    const socket = connect(path)
    await once(socket, 'connect')
    return socket
  }
  await startTool(context, 'redis-server', ['--port', '0', '--unixsocket', path, ...kept], async () => {
    ;(await open()).destroy()
  })
  const sockets = await Promise.all(Array.from({ length: connections }, open))
  context.atEnd(() => sockets.map((socket) => socket.destroy()))
  return sockets.map((socket) => new RedisConnection(socket))
}

/** One connection that one or many make use of. */
export class RedisConnection {
  readonly #socket: Socket
  readonly #waiting: { resolve(): void; reject(error: Error): void }[] = []
  #unread = ''
  #unsent: string[] = []

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setEncoding('latin1')
    socket.on('data', (part: string) => this.#hear(part))
    socket.on('close', () => {
      for (const { reject } of this.#waiting) reject(new Error('redis-server closed the connection'))
    })
  }

  /** What is asked in one turn goes out in one piece. */
  increment(key: string): Promise<void> {
    if (this.#unsent.length === 0) queueMicrotask(() => this.#send())
    this.#unsent.push(`*2\r\n$4\r\nINCR\r\n$${key.length}\r\n${key}\r\n`)
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  #send(): void {
    this.#socket.write(this.#unsent.join(''), 'latin1')
    this.#unsent = []
  }

  /** Each answer to an increment is one line. */
  #hear(part: string): void {
    const lines = (this.#unread + part).split('\r\n')
    this.#unread = lines.pop() ?? ''
    for (const line of lines) {
      const waiting = this.#waiting.shift()
      if (line.startsWith(':')) waiting?.resolve()
      else waiting?.reject(new Error(`redis-server says ${line}`))
    }
  }
}
