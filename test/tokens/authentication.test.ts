import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newSecret } from '../../src/clock.ts'
import { installId, tokenText } from '../../src/domain/access/token.ts'
import { InstallTokenFile } from '../../src/home/owner-token.ts'
import type { Caller } from '../../src/log/access/caller.ts'
import { methodsOf } from '../../src/open.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { type Family, newFamily } from './family.ts'
import { type Answered, type Server, startServer } from './serving.ts'

async function started(store: TestStore, lookMs?: number) {
  const opened = await store.openLog()
  const server = await startServer(opened.log, store.home, lookMs)
  onTestFinished(() => server.close())
  return { server, opened, cairn: methodsOf(opened) }
}

const unauthorized = { status: 401, body: { error: 'unauthorized' } }
const forbidden = { status: 403, body: { error: 'forbidden' } }
const done = { status: 200 }

/** As a browser asks for data from a page of the server. */
const fromOwnPage = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'x-cairn': '1' }

async function logIn(server: Server): Promise<Answered> {
  return server.ask(server.authentication.loginLink(server.url).slice(server.url.length))
}

function cookieOf({ headers }: Answered): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

for (const kind of STORES) {
  describe(`authentication on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U1 nobody gets anything without a token', async () => {
      const { server } = await started(store())
      const { headers, ...rest } = await server.ask('/sessions')
      expect(rest).toMatchObject(unauthorized)
      expect(headers['www-authenticate']).toBe('Bearer')
      for (const authorization of ['', 'Basic YTpi', 'Bearer', 'nonsense']) {
        expect(await server.ask('/sessions', { headers: { authorization } })).toMatchObject(unauthorized)
      }
    })

    it("U1 the owner's token is the file, and reaches everything", async () => {
      const { server, opened } = await started(store())
      const family = await newFamily(opened)
      const token = server.install.text()
      expect(readFileSync(join(store().home, 'token'), 'utf8')).toBe(`${token}\n`)
      for (const session of [family.self, family.other]) {
        expect(await server.call('state.set', { session, key: 'k', value: 1 }, token)).toMatchObject(done)
      }
      expect(await server.ask('/sessions', { token })).toMatchObject(done)
    })

    it("U2 an agent's token reaches its root and its subtree", async () => {
      const { server, opened, cairn } = await started(store())
      const family: Family = await newFamily(opened)
      const { token } = await cairn.token.create({ kind: 'agent', session: family.self, name: 'fix' })
      const set = (session?: string) => server.call('state.set', { session, key: 'k', value: 1 }, token)
      expect(await set()).toMatchObject({ status: 200, body: { updated_by: family.self } })
      expect(await set(family.sibling)).toMatchObject({ status: 200, body: { updated_by: family.self } })
      expect(await set(family.other)).toMatchObject(forbidden)
      expect(await server.call('session.end', { session: family.sibling }, token)).toMatchObject(forbidden)
      expect(await server.call('token.list', {}, token)).toMatchObject(forbidden)
      const { events } = await cairn.log.list({ session: family.parent, limit: 1000 })
      expect(events.at(-1)).toMatchObject({ actor: 'agent:fix', session_id: family.self })
    })

    it('U2 U4 headers name the session that is meant, and widen nothing', async () => {
      const { server, opened, cairn } = await started(store())
      const family = await newFamily(opened)
      const agent = await cairn.token.create({ kind: 'agent', session: family.self })
      const shown = async (token: string, headers: Record<string, string>) => {
        const asked = { method: 'POST', body: {}, token, headers }
        return (await server.ask('/operations/session.show', asked)).body.session_id
      }
      const owner = server.install.text()
      expect(await shown(owner, { 'x-agent-session-id': family.sibling })).toBe(family.sibling)
      expect(await shown(owner, { 'x-agent-session-name': family.child })).toBe(family.child)
      for (const name of ['x-agent-session-id', 'x-agent-session-name']) {
        for (const session of [family.parent, family.other]) {
          expect(await shown(agent.token, { [name]: session, 'x-cairn-actor': 'owner' })).toBe(family.self)
        }
      }
    })

    it('headers that cannot be read, are too long or hold control characters are refused', async () => {
      const { server } = await started(store())
      const token = server.install.text()
      for (const name of ['x-agent-session-id', 'x-agent-session-name', 'x-cairn-project', 'x-cairn-actor']) {
        for (const said of ['%', 'a%00b', '%0a', 'x'.repeat(5000)]) {
          const answer = await server.ask('/sessions', { token, headers: { [name]: said } })
          expect(answer).toMatchObject({ status: 400, body: { error: 'bad_request', path: name } })
        }
      }
    })

    it('U2 a token that reads reads all, and writes nothing', async () => {
      const { server, opened, cairn } = await started(store())
      const { other: session } = await newFamily(opened)
      const { token } = await cairn.token.create({ kind: 'reader' })
      expect(await server.ask('/sessions', { token })).toMatchObject(done)
      expect(await server.call('state.get', { session, key: 'n' }, token)).toMatchObject(done)
      expect(await server.call('state.set', { session, key: 'n', value: 2 }, token)).toMatchObject(forbidden)
    })

    it('tokens stop counting at once when they are revoked or rotated, for those who are connected too', async () => {
      const { server, cairn } = await started(store())
      const made = await cairn.token.create({ kind: 'reader' })
      const heard: string[] = []
      const connect = async (token: string): Promise<Caller> => {
        expect(await server.ask('/sessions', { token })).toMatchObject(done)
        const caller = server.callers.at(-1) as Caller
        server.authentication.watch(caller, () => heard.push(token))
        expect(await server.authentication.refusalOf(caller)).toBeUndefined()
        return caller
      }
      let caller = await connect(made.token)
      const rotated = await cairn.token.rotate({ id: made.id })
      expect(heard).toEqual([made.token])
      expect(await server.authentication.refusalOf(caller)).toMatchObject({ code: 'unauthorized' })
      expect(await server.ask('/sessions', { token: made.token })).toMatchObject(unauthorized)
      caller = await connect(rotated.token)
      // As another process would do it: nobody is told, but it is seen.
      await (await store().open()).token.revoke({ id: made.id })
      expect(heard).toEqual([made.token])
      expect(await server.authentication.refusalOf(caller)).toMatchObject({ code: 'unauthorized' })
      expect(await server.ask('/sessions', { token: rotated.token })).toMatchObject(unauthorized)
    })

    it('a token that this process has revoked counts no more in the same turn of the event loop either', async () => {
      const { server, cairn } = await started(store())
      const { id, token } = await cairn.token.create({ kind: 'reader' })
      const request = { headers: { authorization: `Bearer ${token}` }, socket: {} } as IncomingMessage
      expect(await server.authentication.authenticate(request)).toMatchObject({ principal: id })
      await cairn.token.revoke({ id })
      expect(await server.authentication.authenticate(request)).toMatchObject({ code: 'unauthorized' })
    })

    it('those who stay connected are cut off soon when another process ends their token', async () => {
      const { server, opened, cairn } = await started(store(), 10)
      const { other: session } = await newFamily(opened)
      const wait = async (token: string) => {
        const before = server.callers.length
        const waiting = server.call('state.wait', { session, key: 'never', timeout: '1h' }, token)
        await expect.poll(() => server.callers.length).toBeGreaterThan(before)
        return { waiting }
      }
      const { id, token } = await cairn.token.create({ kind: 'reader' })
      const reader = await wait(token)
      const owner = await wait(server.install.text())
      await (await store().open()).token.revoke({ id })
      expect(await reader.waiting).toMatchObject(unauthorized)
      new InstallTokenFile(store().home).replace(tokenText(installId, newSecret()))
      expect(await owner.waiting).toMatchObject(unauthorized)
    })

    it("the owner's token stops counting at once when it is rotated, with the logins made under it", async () => {
      const { server, cairn } = await started(store())
      const old = server.install.text()
      const link = server.authentication.loginLink(server.url).slice(server.url.length)
      const cookie = cookieOf(await logIn(server))
      const headers = { ...fromOwnPage, cookie }
      expect(await server.ask('/sessions', { headers })).toMatchObject(done)
      const viaCookie = server.callers.at(-1) as Caller
      let heard = 0
      server.authentication.watch(viaCookie, () => heard++)
      const { token } = await cairn.token.rotate({ id: 'install' })
      expect(heard).toBe(1)
      expect(await server.authentication.refusalOf(viaCookie)).toMatchObject({ code: 'unauthorized' })
      expect(await server.ask('/sessions', { token: old })).toMatchObject(unauthorized)
      expect(await server.ask('/sessions', { headers })).toMatchObject(unauthorized)
      expect(await server.ask(link)).toMatchObject(unauthorized)
      expect(await server.ask('/sessions', { token })).toMatchObject(done)
    })

    it('a session that has ended leaves its token to read, but not to write', async () => {
      const { server, opened, cairn } = await started(store())
      const family = await newFamily(opened)
      const { token } = await cairn.token.create({ kind: 'agent', session: family.self })
      await cairn.session.end({ session: family.self })
      expect(await server.call('state.get', { key: 'n' }, token)).toMatchObject(done)
      // Nor under the name of a session that goes on.
      for (const session of [undefined, family.parent]) {
        const set = await server.call('state.set', { session, key: 'n', value: 2 }, token)
        expect(set).toMatchObject({ status: 409, body: { error: 'session_ended' } })
      }
    })
  })
}

const [sqlite] = STORES as [(typeof STORES)[0]]

describe('wrong tokens', () => {
  const store = sharedStore(sqlite)
  const wrong = `cairn_install_${'x'.repeat(43)}`

  it('are refused, and after a while with the time to wait; right ones and missing ones are not', async () => {
    const { server } = await started(store())
    const other = `cairn_tok_${'0'.repeat(32)}_${'x'.repeat(43)}`
    for (let count = 0; count < 20; count++) {
      const token = [wrong, other, 'nonsense'][count % 3] as string
      expect(await server.ask('/sessions', { token })).toMatchObject(unauthorized)
    }
    server.later(45_000)
    const limited = await server.ask('/sessions', { token: wrong })
    expect(limited).toMatchObject({ status: 429, body: { error: 'rate_limited', retry_after: 15 } })
    expect(limited.headers['retry-after']).toBe('15')
    expect(await server.ask('/login?code=guess')).toMatchObject({ status: 429 })
    expect(await server.ask('/sessions')).toMatchObject(unauthorized)
    expect(await server.ask('/sessions', { token: server.install.text() })).toMatchObject(done)
    server.later(15_000)
    expect(await server.ask('/sessions', { token: wrong })).toMatchObject(unauthorized)
  })

  it('with the right id and another secret are wrong', async () => {
    const { server, cairn } = await started(store())
    const { token } = await cairn.token.create({ kind: 'reader' })
    const last = token.at(-1) === 'A' ? 'E' : 'A'
    expect(await server.ask('/sessions', { token: token.slice(0, -1) + last })).toMatchObject(unauthorized)
    expect(await server.ask('/sessions', { token })).toMatchObject(done)
  })
})

describe('logging in by a link', () => {
  const store = sharedStore(sqlite)

  it('counts once and sets a cookie that scripts cannot read and other sites cannot send', async () => {
    const { server } = await started(store())
    const link = server.authentication.loginLink(server.url)
    expect(link).toMatch(new RegExp(`^${server.url}/login\\?code=[\\w-]{43}$`))
    const path = link.slice(server.url.length)
    const answer = await server.ask(path)
    expect(answer).toMatchObject({ status: 303, headers: { location: '/docs' } })
    const [cookie] = answer.headers['set-cookie'] as [string]
    expect(cookie).toMatch(/^cairn=[\w-]{43}\.\d+\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/)
    expect(cookie).not.toContain(server.install.text().slice(-43))
    expect(await server.ask(path)).toMatchObject(unauthorized)
    expect((await server.ask('/login')).status).toBe(401)
  })

  it('S0-47 may do what the dashboard offers, and no more', async () => {
    const { server, cairn } = await started(store())
    const headers = { ...fromOwnPage, cookie: cookieOf(await logIn(server)) }
    const call = (operation: string, body: object) =>
      server.ask(`/operations/${operation}`, { method: 'POST', body, headers })
    const { session_id: session } = await cairn.session.create({ topic: 'a test' })
    expect(await call('session.fork', { session })).toMatchObject(done)
    expect(await server.ask('/sessions', { headers })).toMatchObject(done)
    for (const [operation, input] of [
      ['token.create', { kind: 'reader' }],
      ['token.list', {}],
      ['session.create', { topic: 'another' }],
      ['store.doctor', { repair: true }],
      ['state.set', { session, key: 'n', value: 1 }],
      ['store.gc', {}],
    ] as const) {
      expect(await call(operation, input)).toMatchObject(forbidden)
    }
  })

  it('is possible for two minutes, and lasts for twelve hours', async () => {
    const { server } = await started(store())
    const late = server.authentication.loginLink(server.url).slice(server.url.length)
    server.later(120_000)
    expect(await server.ask(late)).toMatchObject(unauthorized)
    const headers = { ...fromOwnPage, cookie: cookieOf(await logIn(server)) }
    server.later(12 * 3_600_000 - 1)
    expect(await server.ask('/sessions', { headers })).toMatchObject(done)
    const caller = server.callers.at(-1) as Caller
    server.later(1)
    expect(await server.ask('/sessions', { headers })).toMatchObject(unauthorized)
    expect(await server.authentication.refusalOf(caller)).toMatchObject({ code: 'unauthorized' })
  })

  it('U57 can be ended before its time, and no other with it', async () => {
    const { server } = await started(store())
    const one = { ...fromOwnPage, cookie: cookieOf(await logIn(server)) }
    const other = { ...fromOwnPage, cookie: cookieOf(await logIn(server)) }
    expect(await server.ask('/logout', { method: 'POST', headers: one })).toMatchObject({ status: 204 })
    expect(await server.ask('/sessions', { headers: one })).toMatchObject(unauthorized)
    expect(await server.ask('/sessions', { headers: other })).toMatchObject(done)
    const token = server.install.text()
    expect(await server.ask('/logout', { method: 'POST', token })).toMatchObject({ status: 400 })
  })

  it('counts for requests of own pages only', async () => {
    const { server } = await started(store())
    const cookie = cookieOf(await logIn(server))
    const outcome = async (headers: Record<string, string>, method = 'GET') =>
      (
        await server.ask(method === 'POST' ? '/sessions/nobody/fork' : '/sessions', {
          method,
          headers: { cookie, ...headers },
          ...(method === 'POST' ? { body: {} } : {}),
        })
      ).status
    const page = { 'sec-fetch-mode': 'navigate' }
    expect(await outcome(fromOwnPage)).toBe(200)
    expect(await outcome({ ...page, 'sec-fetch-site': 'none' })).toBe(200)
    expect(await outcome({ 'sec-fetch-site': 'same-origin', accept: 'text/event-stream' })).toBe(200)
    expect(await outcome(fromOwnPage, 'POST')).toBe(404)
    const { 'x-cairn': _, ...withoutHeader } = fromOwnPage
    const { 'sec-fetch-site': __, ...withoutSite } = fromOwnPage
    for (const headers of [{}, withoutHeader, withoutSite, { 'x-cairn': '1' }]) expect(await outcome(headers)).toBe(403)
    for (const site of ['cross-site', 'same-site']) {
      expect(await outcome({ ...fromOwnPage, 'sec-fetch-site': site })).toBe(403)
      expect(await outcome({ ...page, 'sec-fetch-site': site })).toBe(403)
    }
    expect(await outcome({ ...page, 'sec-fetch-site': 'none' }, 'POST')).toBe(403)
    expect(await outcome({ ...fromOwnPage, cookie: `cairn=${'x'.repeat(43)}` })).toBe(401)
  })
})

describe("the file of the owner's token", () => {
  const store = sharedStore(sqlite)

  it('U1 is made for its owner only, once', async () => {
    await store().open()
    const [one, other] = [new InstallTokenFile(store().home), new InstallTokenFile(store().home)]
    expect(one.text()).toMatch(/^cairn_install_[\w-]{43}$/)
    expect(other.text()).toBe(one.text())
    expect(statSync(one.path).mode & 0o777).toBe(0o600)
  })

  it('U1 is refused while others can read it, and when it holds no token', async () => {
    const { server } = await started(store())
    const token = server.install.text()
    for (const mode of [0o640, 0o604, 0o660]) {
      chmodSync(server.install.path, mode)
      for (const asked of [server.ask('/sessions', { token }), server.ask('/login?code=guess')]) {
        const told = await asked
        expect(told).toMatchObject({ status: 507, body: { error: 'storage_error' } })
        expect(JSON.stringify(told.body)).not.toContain(server.install.path)
        expect(server.reported.pop()).toContain(`${server.install.path} can be read by others`)
      }
      expect(() => server.authentication.loginLink(server.url)).toThrow(/can be read by others/)
    }
    chmodSync(server.install.path, 0o600)
    expect(await server.ask('/sessions', { token })).toMatchObject(done)
    writeFileSync(server.install.path, 'nothing\n')
    expect(await server.ask('/sessions', { token })).toMatchObject({ status: 507 })
  })
})
