// What is due is put into the log when it is due, once, however many keep the time.
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { systemClock } from '../../src/clock.ts'
import { defaultLimits } from '../../src/domain/log/limits.ts'
import { CairnRefusal, refuse } from '../../src/domain/log/refusal.ts'
import { parts } from '../../src/domain/parts.ts'
import { InstallTokenFile } from '../../src/home/owner-token.ts'
import type { Cairn } from '../../src/index.ts'
import { Log } from '../../src/log/log.ts'
import { methodsOf } from '../../src/open.ts'
import { newRoot, refused, rootNumber } from '../setup/roots.ts'
import { serveHere } from '../setup/serve-here.ts'
import { engineOf } from '../setup/store-engine.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { engineWith, ownLog } from '../together/own-log.ts'
import { startServer } from '../tokens/serving.ts'

const hourMs = 3_600_000
const ttl = '1h'

const unexpected = (error: unknown) => {
  throw error
}

for (const kind of STORES) {
  describe(`what is due on ${kind.name}`, () => {
    const store = sharedStore(kind)

    const lapses = async (cairn: Pick<Cairn, 'log'>) => {
      const { events } = await cairn.log.list({ limit: 1000 })
      return events.filter(({ type }) => type === 'lapsed').map(({ key }) => key)
    }

    it('a server records what has expired, so that the feed tells it and the version moves', async () => {
      const { cairn, pass, open } = await ownLog(store())
      const other = await newRoot(store())
      cairn.theLog.keepTime(unexpected)
      await cairn.state.set({ key: 'a', value: 1, ttl })
      await cairn.state.set({ key: 'b', value: 1, ttl: '2h' })
      const told = (await open()).follow({ since: 3 })
      pass(hourMs)
      // A clock that jumps wakes nobody; whatever is committed does.
      await other.cairn.state.set({ key: 'x', value: 1 })
      const { value: event } = await told.next()
      expect(event).toMatchObject({ type: 'lapsed', key: 'a', version: 3, data: { reason: 'expired' }, actor: 'cairn' })
      await told.return()
      expect(await cairn.state.all({})).toMatchObject({ version: 3, state: { b: 1 } })
      expect(await lapses(cairn)).toEqual(['a'])
    })

    it('several servers record it once', async () => {
      const { cairn, pass, open } = await ownLog(store())
      const keepers = [cairn, await open(), await open()]
      for (const each of keepers) each.theLog.keepTime(unexpected)
      const keys = Array.from({ length: 40 }, (_, at) => `k${String(at).padStart(2, '0')}`)
      await cairn.state.batch({ operations: keys.map((key) => ({ op: 'set' as const, key, value: 1, ttl })) })
      pass(hourMs)
      await Promise.all(keepers.map((each) => each.state.increment({ key: 'n' })))
      for (const each of keepers) await each.state.wait({ key: 'k39', condition: 'absent', timeout: '30s' })
      await cairn.log.wait({ since: 1, type: 'lapsed', timeout: '30s' })
      for (const each of keepers) await each.theLog.close()
      expect(await lapses(await open())).toEqual(keys)
    })

    it('a server that was started keeps the time, and tells it to those who poll', async () => {
      const serving = await serveHere({ ...store().options, port: 0 })
      onTestFinished(() => serving.stop())
      const { url } = serving.discovered
      const client = connect({ url, token: new InstallTokenFile(store().home).text() })
      const { session_id: session } = await client.session.create({ topic: 'served' })
      await client.state.set({ session, key: 'short', value: 1, ttl: '200ms' })
      const { events } = await client.log.wait({ session, since: 2, timeout: '20s' })
      expect(events).toMatchObject([{ type: 'lapsed', key: 'short', version: 2 }])
      await client.close()
    })

    it('is brought forward by what another process commits, without a clock that jumps', async () => {
      const { cairn, open } = await ownLog(store())
      await cairn.state.set({ key: 'far', value: 1, ttl: '24h' })
      cairn.theLog.keepTime(unexpected)
      const other = await open()
      await other.state.set({ key: 'near', value: 1, ttl: '200ms' })
      const { events } = await cairn.log.wait({ since: 3, timeout: '30s' })
      expect(events).toMatchObject([{ type: 'lapsed', key: 'near' }])
    })

    it('also below a root that has ended, and more than fits into one batch', async () => {
      const { cairn, session, pass, open } = await ownLog(store())
      const operations = Array.from({ length: 1100 }, (_, at) => ({ op: 'set' as const, key: `k${at}`, value: 1, ttl }))
      for (let at = 0; at < operations.length; at += 500)
        await cairn.state.batch({ operations: operations.slice(at, at + 500) })
      await cairn.session.end({ session })
      pass(hourMs)
      // Whoever wrote them has all of them in memory, and needs no batches.
      const fresh = await open()
      const { lapsed } = await fresh.store.gc({})
      expect(lapsed).toBeGreaterThanOrEqual(1100)
      expect(await cairn.state.all({})).toMatchObject({ version: 2200, state: {} })
      expect(await cairn.store.gc({})).toMatchObject({ lapsed: 0 })
    })

    it('is recorded below all other roots where the store refuses to write one, and that one is reported', async () => {
      const roots = [await newRoot(store()), await newRoot(store()), await newRoot(store())] as const
      for (const { cairn } of roots) await cairn.state.set({ key: 'k', value: 1, ttl })
      const barred = await rootNumber(store(), roots[1].session)
      const engine = await engineOf(store())
      const barring = engineWith(engine, {
        write(held, work) {
          if (!held.includes(barred)) return engine.write(held, work)
          throw new CairnRefusal(refuse('storage_error', 'This root cannot be written.', 'Look at the store.'))
        },
      })
      const clock = { ...systemClock(), now: () => Date.now() + hourMs }
      const log = new Log(barring, clock, parts, defaultLimits)
      onTestFinished(() => log.close())
      const caller = { principal: 'owner', actor: 'test', scope: 'owner' } as const
      const reported: unknown[] = []
      log.keepTime((error) => reported.push(error))
      const { log: events } = methodsOf({ log, caller })
      for (const { session } of [roots[0], roots[2]]) {
        const lapsed = await events.wait({ session, since: 2, timeout: '30s' })
        expect(lapsed.events).toMatchObject([{ type: 'lapsed', key: 'k' }])
      }
      await log.close()
      expect(reported).toContainEqual(expect.objectContaining({ code: 'storage_error' }))
      expect(await lapses(roots[1].cairn)).toEqual([])
    })

    it('U14 a version that was known before does not stand for what is left, though no server has recorded it', async () => {
      const { cairn, session, pass, open } = await ownLog(store())
      await cairn.state.set({ key: 'a', value: 1, ttl })
      await cairn.state.set({ key: 'b', value: 1 })
      const server = await startServer(cairn.theLog, store().home)
      onTestFinished(() => server.close())
      const path = `/sessions/${session}/state`
      const token = server.install.text()
      const get = (known?: string) =>
        server.ask(path, { token, headers: known === undefined ? {} : { 'if-none-match': known } })
      const { headers: first } = await get()
      expect(first.etag).toBe('"2"')
      expect(await get(first.etag)).toMatchObject({ status: 304 })
      pass(hourMs)
      const patch = (version: string) =>
        server.ask(path, {
          token,
          method: 'PATCH',
          body: { c: 1 },
          headers: { 'if-match': version, 'content-type': 'application/merge-patch+json' },
        })
      expect(await patch('"2"')).toMatchObject({ status: 409, body: { current_version: 3, current_state: { b: 1 } } })
      const changed = await get(first.etag)
      expect(changed).toMatchObject({ status: 200, headers: { etag: '"3"' }, body: { state: { b: 1 } } })
      expect(await get(changed.headers.etag)).toMatchObject({ status: 304 })
      expect(await patch('"3"')).toMatchObject({ status: 200, body: { version: 4 } })
      // The same for whoever opens the store itself.
      await cairn.state.set({ key: 'd', value: 1, ttl })
      const { version } = await (await open()).state.all({})
      pass(hourMs)
      const fresh = await open()
      expect(await refused(fresh.state.replace({ state: {}, version: Number(version) }))).toMatchObject({
        code: 'version_conflict',
        details: { current_version: Number(version) + 1 },
      })
    })
  })
}
