import type { Server } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { elapsed } from '../../clock.ts'
import { CairnRefusal, refuse } from '../../domain/log/refusal.ts'
import { descriptorsHere } from '../wire/process-readings.ts'

/** How long a request that has begun may still take when the server is to end; a wait for a key is then cut off. */
const graceMs = 1000
/** After that, connections that nobody lets go of are cut. */
const lingerMs = 1000

/** As many as anybody needs; beyond it somebody plays with the server. */
const connectionsMax = 10_000
/** Descriptors that connections leave for the files of the store: without them even those who are connected could do nothing. */
const descriptorsKept = 64
/** Who is turned away is told of once in a while, or those who come in vain would fill the log. */
const fullMs = 60_000

/** Turns away whoever comes when there is no room, and tells that it does. */
export function limitConnections(server: Server, full: (message: string) => void): void {
  const max = Math.max(1, Math.min(connectionsMax, descriptorsHere() - descriptorsKept))
  server.maxConnections = max
  let told = Number.NEGATIVE_INFINITY
  server.on('drop', () => {
    if (elapsed() - told < fullMs) return
    told = elapsed()
    full(`There are ${max} connections, which is all there is room for: others are turned away.`)
  })
}

/** Listens at the first of these ports that is free, and says at which; what is wrong with the last one is thrown. */
export async function listenAtFirst(server: Server, host: string, ports: readonly number[]): Promise<number> {
  const [port = 0, ...others] = ports
  return listen(server, host, port).catch((error: unknown) => {
    if (others.length === 0) throw error
    return listenAtFirst(server, host, others)
  })
}

/** Listens, and says at which port. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) => reject(refusalOf(error, host, port))
    server.once('error', refused)
    server.listen(port, host, () => {
      server.off('error', refused)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function refusalOf(error: NodeJS.ErrnoException, host: string, port: number): unknown {
  switch (error.code) {
    case 'EADDRINUSE':
      return new CairnRefusal(
        refuse(
          'in_use',
          `Port ${port} of ${host} is already in use.`,
          'Choose another with --port N; 0 takes any free one.',
          {
            port,
          },
        ),
      )
    case 'EACCES':
      return new CairnRefusal(
        refuse(
          'forbidden',
          `This user cannot listen on port ${port} of ${host}.`,
          'Choose one above 1023 with --port N.',
        ),
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CairnRefusal(
        refuse('invalid_input', `This machine has no address ${host}.`, 'Give an address of this machine with --host.'),
      )
    default:
      return error
  }
}

/**
 * Knows what is on its way, so that a server can end without cutting anybody off. Node's own `close` takes a connection for idle
 * whose answer is complete but not yet taken, and cuts it in the middle.
 */
export class Traffic {
  readonly #server: Server
  /** Connections for requests, with how many of their answers are not all sent yet. */
  readonly #waiting = new Map<Socket, number>()
  #onTheirWay = 0
  #closed: Promise<void> | undefined
  #quiet: (() => void) | undefined

  constructor(server: Server) {
    this.#server = server
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#waiting.set(socket, 0)
      socket.on('close', () => this.#waiting.delete(socket))
    })
    // What it becomes is ended by whoever made it that.
    server.on('upgrade', ({ socket }) => this.#waiting.delete(socket))
    server.on('request', ({ socket }, response) => {
      this.#count(socket, 1)
      response.on('close', () => this.#left(socket))
    })
  }

  /** Takes no more connections; done when what had begun was answered, or its time is over. */
  async end(): Promise<void> {
    this.#closed = new Promise((resolve) => NetServer.prototype.close.call(this.#server, () => resolve()))
    for (const [socket, waiting] of this.#waiting) if (waiting === 0) socket.destroy()
    if (this.#onTheirWay === 0) return
    const quiet = new Promise<void>((resolve) => {
      this.#quiet = resolve
    })
    await within(graceMs, quiet)
  }

  /** Done when every connection is closed. */
  async ended(): Promise<void> {
    await within(lingerMs, this.#closed)
    this.#server.closeAllConnections()
    // What it does by a timer ends only so.
    this.#server.close(() => undefined)
  }

  #left(socket: Socket): void {
    this.#count(socket, -1)
    if (this.#closed === undefined) return
    // Somebody who keeps its connection for a next request would keep the server.
    if (this.#waiting.get(socket) === 0) socket.destroySoon()
    if (this.#onTheirWay === 0) this.#quiet?.()
  }

  #count(socket: Socket, more: number): void {
    this.#onTheirWay += more
    const waiting = this.#waiting.get(socket)
    if (waiting !== undefined) this.#waiting.set(socket, waiting + more)
  }
}

/** Waits for something, but not longer. A timer that is left behind would keep the process. */
async function within(ms: number, done: Promise<void> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([done, over])
  clearTimeout(timer)
}
