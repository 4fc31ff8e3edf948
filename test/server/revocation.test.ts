// Tokens that end while somebody follows a whole server with them.
import { describe, expect, it, onTestFinished } from 'vitest'
import { InstallTokenFile } from '../../src/home/owner-token.ts'
import { methodsOf } from '../../src/open.ts'
import { type Follower, follow, type Listening, listen } from '../http/followers.ts'
import { serveHere } from '../setup/serve-here.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { send } from './asking.ts'

/** Many times what the server needs to send what it has to say, and far less than it takes until it looks by itself. */
const laterAnswers = 20

interface Reader {
  readonly socket: Follower
  readonly events: Listening
}

async function served(store: TestStore) {
  const { discovered, stop } = await serveHere({ ...store.options, port: 0 })
  onTestFinished(() => stop())
  const { url } = discovered
  const port = Number(new URL(url).port)
  const ownerToken = () => new InstallTokenFile(store.home).text()
  const call = async (operation: string, input: object, token = ownerToken()) => {
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', path: `/operations/${operation}`, headers, body: JSON.stringify(input) }
    const response = await send(url, request, token)
    expect([operation, response.status]).toEqual([operation, 200])
    return (await response.json()) as Record<string, string>
  }
  /** Follows in both ways. */
  const read = async (token: string, root: string): Promise<Reader> => {
    const headers = { authorization: `Bearer ${token}` }
    const both = [follow(port, `?root=${root}`, headers), listen(port, `?root=${root}`, headers)] as const
    const [socket, events] = await Promise.all(both)
    onTestFinished(() => {
      socket.close()
      events.close()
    })
    return { socket, events }
  }
  return { url, call, read, ownerToken }
}

/** Both were told why, and are closed. */
async function expectEnded({ socket, events }: Reader): Promise<void> {
  expect(await socket.closed).toMatchObject({ code: 4401, end: { error: 'unauthorized' } })
  await events.ended
  expect(events.text()).toMatch(/event: end\ndata: \{"error":"unauthorized"/)
}

function endsOf({ socket, events }: Reader): boolean[] {
  return [socket.heard.some(({ type }) => type === 'end'), events.text().includes('event: end\n')]
}

describe.each(STORES)('a server on $name', (kind) => {
  const store = sharedStore(kind)

  it.each(['token.revoke', 'token.rotate'])(
    '%s ends those who follow with that token at once, and nobody else',
    async (how) => {
      const { url, call, read, ownerToken } = await served(store())
      const root = await store().createRoot()
      const agent = await call('token.create', { kind: 'agent', session: root })
      const reader = await call('token.create', { kind: 'reader' })
      const other = await call('token.create', { kind: 'reader' })
      const doomed = [await read(String(agent.token), root), await read(String(reader.token), root)]
      const lasting = [await read(String(other.token), root), await read(ownerToken(), root)]
      for (const { id } of [agent, reader]) await call(how, { id })
      for (let at = 0; at < laterAnswers; at++) await (await fetch(`${url}/health`)).arrayBuffer()
      expect(doomed.map(endsOf)).toEqual([
        [true, true],
        [true, true],
      ])
      for (const each of doomed) await expectEnded(each)
      await call('state.set', { session: root, key: 'k', value: 1 })
      for (const { socket, events } of lasting) {
        await socket.until(({ type }) => type === 'event')
        await events.until(({ type }) => type === 'event')
      }
      expect(lasting.flatMap(endsOf)).not.toContain(true)
    },
  )

  it("ends those who follow with the owner's token when that is rotated", async () => {
    const { call, read, ownerToken } = await served(store())
    const root = await store().createRoot()
    const owner = await read(ownerToken(), root)
    await call('token.rotate', { id: 'install' })
    await expectEnded(owner)
    await call('state.set', { session: root, key: 'k', value: 1 })
  })

  it('ends those who follow with a token that another process has revoked', async () => {
    const { call, read } = await served(store())
    const root = await store().createRoot()
    const { id = '', token = '' } = await call('token.create', { kind: 'reader' })
    const reader = await read(token, root)
    await methodsOf(await store().openLog()).token.revoke({ id })
    await expectEnded(reader)
  })
})
