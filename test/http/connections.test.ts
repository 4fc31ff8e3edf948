// Connections that end, or lose their right, at a bad moment.
import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Hub } from '../../src/surfaces/http/feed/hub.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { follow } from './followers.ts'
import { owner, type Served, serveStore } from './served.ts'

const [sqlite] = STORES as [(typeof STORES)[number]]

/** A busy machine takes its time to see who is gone. */

describe('connections', () => {
  const store = sharedStore(sqlite)

  /** A connection that never closes its own side by itself, and what came over it. */
  function open({ port }: Served, text: string): { socket: Socket; said: () => string } {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    onTestFinished(() => void socket.destroy())
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk
    })
    socket.on('error', () => undefined)
    socket.write(text.replaceAll('HOST', `127.0.0.1:${port}`))
    return { socket, said: () => heard }
  }

  function post(operation: string, token: string, body: string, headers = ''): string {
    const head = `POST /operations/${operation} HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer ${token}\r\n${headers}`
    return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  }

  /** Says when the next operation begins. */
  function beginnings({ log }: Served): EventEmitter {
    const [said, execute] = [new EventEmitter(), log.execute.bind(log)]
    log.execute = (...asked) => {
      said.emit('begun')
      return execute(...asked)
    }
    return said
  }

  /** A server that takes one wait at a time, and one that waits for an hour. */
  async function waiting(token = 'owner') {
    const served = await serveStore(store(), { limits: { waits: 1, valueBytes: 100 } })
    const session = String((await served.ask('POST', '/sessions', { body: { topic: 'a test' } })).body.session_id)
    const wait = async (more = {}) => {
      const body = { session, key: 'k', timeout: '0', ...more }
      return (await served.ask('POST', '/operations/state.wait', { body })).body
    }
    const body = JSON.stringify({ session, key: 'k', timeout: '1h' })
    const begun = once(beginnings(served), 'begun')
    const waiter = open(served, post('state.wait', token, body) + body)
    await begun
    expect(await wait()).toMatchObject({ error: 'rate_limited', limit: 'waits', limit_value: 1 })
    return { served, waiter, wait }
  }

  it('U8 a wait is forgotten with its connection, and waits are bounded in number and size', async () => {
    const { waiter, wait } = await waiting()
    waiter.socket.destroy()
    await expect.poll(wait).toMatchObject({ error: 'timeout' })
    const large = await wait({ equals: 'x'.repeat(100) })
    expect(large).toMatchObject({ error: 'value_too_large', limit: 'valueBytes', limit_value: 100 })
  })

  it('a wait ends when its token does', async () => {
    const { served, waiter, wait } = await waiting('reader-waiting')
    served.revoked.add('reader-waiting')
    served.revoke('reader-waiting')
    await expect.poll(waiter.said).toContain('HTTP/1.1 401')
    expect(await wait()).toMatchObject({ error: 'timeout' })
  })

  it('a token that was revoked while the body came has no effect', async () => {
    const served = await serveStore(store())
    const body = JSON.stringify({ topic: 'too late' })
    const asking = open(served, post('session.create', 'owner-late', body, 'expect: 100-continue\r\n'))
    await expect.poll(asking.said).toContain('100 Continue')
    served.revoked.add('owner-late')
    asking.socket.write(body)
    await expect.poll(asking.said).toContain('HTTP/1.1 401')
    expect((await served.ask('GET', '/sessions')).body.sessions).not.toContainEqual(
      expect.objectContaining({ topic: 'too late' }),
    )
  })

  it.each([
    ['an upgrade', 'GET /ws HTTP/1.1\r\nhost: HOST\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n', '401'],
    ['what is no HTTP', 'nonsense\r\n\r\n', '400'],
  ])('%s that is refused is cut, whether or not the other side closes', async (_what, text, status) => {
    const served = await serveStore(store())
    const { socket, said } = open(served, text)
    await once(socket, 'end')
    expect(said()).toContain(`HTTP/1.1 ${status}`)
    await expect.poll(served.connections).toBe(0)
  })

  /** Has something happen after a reader was let in and before it is served. */
  function meanwhile(hub: Hub, happen: () => Promise<void>): Promise<void> {
    const subscribe = hub.subscribe.bind(hub)
    return new Promise((resolve) => {
      hub.subscribe = async (wish, caller) => {
        const subscription = await subscribe(wish, caller)
        await happen()
        setImmediate(resolve)
        return subscription
      }
    })
  }

  it.each([
    ['GET /events', ''],
    ['GET /ws', 'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n'],
    ['GET /ws', 'connection: upgrade\r\nupgrade: websocket\r\n'],
  ])('a reader of %s that leaves before it is served is not kept (%j)', async (line, headers) => {
    const served = await serveStore(store())
    const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
    const subscribed = meanwhile(served.hub, async () => {
      expect(served.hub.readers).toBe(1)
      socket.resetAndDestroy()
      await served.ask('GET', '/health')
    })
    const head = `${line} HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer owner\r\n`
    const { socket } = open(served, `${head}${headers}${key}\r\n`)
    await subscribed
    await expect.poll(() => served.hub.readers).toBe(0)
  })

  it('FAULTS 56 a reader over /ws that answers no ping is cut off, and one that answers is not', async () => {
    const served = await serveStore(store(), { heartbeatMs: 50 })
    const lively = await follow(served.port, '')
    const silent = new WebSocket(`ws://127.0.0.1:${served.port}/ws`, { headers: owner, autoPong: false })
    onTestFinished(() => silent.terminate())
    let pings = 0
    silent.on('ping', () => {
      pings += 1
    })
    await once(silent, 'open')
    expect(served.hub.readers).toBe(2)
    const [code] = await once(silent, 'close')
    // Nobody says goodbye to one who is not there.
    expect(code).toBe(1006)
    expect(pings).toBeGreaterThan(0)
    await expect.poll(() => served.hub.readers).toBe(1)
    await expect.poll(() => lively.heard.length).toBeGreaterThan(5)
    lively.close()
    await expect.poll(() => served.hub.readers).toBe(0)
    await expect.poll(served.connections).toBe(0)
  })

  it.each(['/events', '/ws'])('FAULTS 56 a reader of %s whose connection is gone is not kept', async (path) => {
    const served = await serveStore(store())
    const key = 'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
    const upgrade = path === '/ws' ? `connection: upgrade\r\nupgrade: websocket\r\n${key}` : ''
    const head = `GET ${path} HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer owner\r\n${upgrade}\r\n`
    const readers = Array.from({ length: 10 }, () => open(served, head))
    const begun = path === '/ws' ? 'HTTP/1.1 101' : 'HTTP/1.1 200'
    for (const { said } of readers) await expect.poll(said).toContain(begun)
    expect(served.hub.readers).toBe(10)
    for (const [at, { socket }] of readers.entries()) at % 2 ? socket.destroy() : socket.resetAndDestroy()
    await expect.poll(() => served.hub.readers).toBe(0)
    await expect.poll(served.connections).toBe(0)
  })

  it('messages over /ws are not compressed, whoever offers it', async () => {
    const served = await serveStore(store())
    const offer = 'sec-websocket-extensions: permessage-deflate; client_max_window_bits\r\n'
    const key = 'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
    const head = 'GET /ws HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer owner\r\nconnection: upgrade\r\n'
    const { said } = open(served, `${head}upgrade: websocket\r\n${offer}${key}\r\n`)
    await expect.poll(said).toContain('\r\n\r\n')
    expect(said()).toContain('HTTP/1.1 101')
    expect(said().toLowerCase()).not.toContain('sec-websocket-extensions')
  })

  it('a reader whose token was revoked before it is served is cut at once', async () => {
    const served = await serveStore(store())
    meanwhile(served.hub, async () => void served.revoked.add('owner-late'))
    const reader = await follow(served.port, '', { authorization: 'Bearer owner-late' })
    expect(await reader.closed).toMatchObject({ code: 4401 })
  })
})
