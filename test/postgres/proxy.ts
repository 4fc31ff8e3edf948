// A wire that can be cut, slowed down or left hanging, between a program and its database.
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/**
 * What happens when something that holds `text` is on its way to the server: `lost` is cut before it arrives, `unanswered`
 * is cut when the answer comes, `hangs` arrives, and nothing comes back ever after on any connection; `waits` is held up until it is
 * let go.
 */
export interface Trap {
  readonly text: string
  readonly then: 'lost' | 'unanswered' | 'hangs' | 'waits'
}

export interface Wire {
  readonly url: string
  delayMs: number
  /** Works once. */
  trap: Trap | undefined
  /** Nothing comes through in either direction, and nobody is told. */
  hanging: boolean
  /** Lets go what waits on its way; undefined while nothing does. */
  letGo: (() => void) | undefined
  /** Ends all connections. */
  cut(): void
}

export async function startWire(url: string): Promise<Wire> {
  const target = new URL(url)
  const pairs = new Set<readonly [Socket, Socket]>()
  const listener = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port) })
    const pair = [near, far] as const
    pairs.add(pair)
    join(proxy, near, far)
    for (const socket of pair) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        // A peer behind a dead wire does not hear of it.
        if (!proxy.hanging) for (const each of pair) each.destroy()
        pairs.delete(pair)
      })
    }
  })
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    cut()
    listener.close()
  })
  const own = new URL(url)
  own.port = String((listener.address() as { port: number }).port)
  const proxy: Wire = { url: own.href, delayMs: 0, trap: undefined, hanging: false, letGo: undefined, cut }
  return proxy
}

function join(proxy: Wire, near: Socket, far: Socket): void {
  let unanswered = false
  let order = Promise.resolve()
  const pass = (to: Socket, chunk: Buffer) => {
    order = order.then(async () => {
      if (proxy.delayMs > 0) await sleep(proxy.delayMs)
      if (!proxy.hanging && to.writable) to.write(chunk)
    })
  }
  near.on('data', (chunk) => {
    const { trap } = proxy
    const caught = trap !== undefined && chunk.includes(trap.text)
    if (caught) proxy.trap = undefined
    if (caught && trap.then === 'lost') return void near.destroy()
    if (caught && trap.then === 'unanswered') unanswered = true
    if (caught && trap.then === 'waits') order = order.then(() => letGoOf(proxy))
    pass(far, chunk)
    if (caught && trap.then === 'hangs') {
      order = order.then(() => {
        proxy.hanging = true
      })
    }
  })
  far.on('data', (chunk) => (unanswered ? near.destroy() : pass(near, chunk)))
}

function letGoOf(proxy: Wire): Promise<void> {
  return new Promise((resolve) => {
    proxy.letGo = () => {
      proxy.letGo = undefined
      resolve()
    }
  })
}
