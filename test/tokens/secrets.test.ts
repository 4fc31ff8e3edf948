import { describe, expect, it } from 'vitest'
import { lastSeq, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

/** Put together here, so that nothing that looks for secrets takes this file for one. */
const secret = `${'ghp'}_abcdefghijklmnopqrstuvwxyz0123456789`

for (const kind of STORES) {
  describe(`secrets on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U3 are refused on every way in, without a trace, unless they are meant', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: { list: [], object: {} } })
      const value = { a: [secret] }
      const ways: Record<string, (allowed: { allow_secret?: boolean }) => Promise<unknown>> = {
        set: (allowed) => cairn.state.set({ key: 'k', value, ...allowed }),
        'set if absent': (allowed) => cairn.state.setIfAbsent({ key: 'new', value, ...allowed }),
        append: (allowed) => cairn.state.append({ key: 'list', items: [value], ...allowed }),
        merge: (allowed) => cairn.state.merge({ key: 'object', patch: value, ...allowed }),
        'set add': (allowed) => cairn.state.setAdd({ key: 'set', items: [secret], ...allowed }),
        'register set': (allowed) => cairn.state.registerSet({ key: 'register', value, ...allowed }),
        patch: (allowed) => cairn.state.patch({ patch: { k: value }, ...allowed }),
        'json patch': (allowed) =>
          cairn.state.jsonPatch({ key: 'object', operations: [{ op: 'add', path: '/b', value }], ...allowed }),
        replace: (allowed) => cairn.state.replace({ state: { k: value, list: [] }, ...allowed }),
        batch: (allowed) => cairn.state.batch({ operations: [{ op: 'set', key: 'b', value }], ...allowed }),
        mutate: (allowed) => cairn.state.mutate({ mutation: { type: 'set', key: 'm', value }, ...allowed }),
        'metadata of a session': (allowed) => cairn.session.create({ topic: 't', metadata: value, ...allowed }),
        'the first state': (allowed) => cairn.session.create({ topic: 't', initial_state: { value }, ...allowed }),
      }
      for (const [name, way] of Object.entries(ways)) {
        const before = await lastSeq(cairn)
        const told = await refused(way({}))
        expect([name, told.code]).toEqual([name, 'looks_like_secret'])
        expect(JSON.stringify([told.message, told.hint, told.details])).not.toContain(secret)
        expect([name, await lastSeq(cairn)]).toEqual([name, before])
        expect([name, await way({ allow_secret: true })]).toEqual([name, expect.anything()])
      }
    })

    it('U3 are refused as the name of a new key, on every way in, and can be deleted where they were meant', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.init({ initial_state: {} })
      const ways: Record<string, (key: string, allowed: { allow_secret?: boolean }) => Promise<unknown>> = {
        set: (key, allowed) => cairn.state.set({ key, value: 1, ...allowed }),
        increment: (key, allowed) => cairn.state.increment({ key, ...allowed }),
        append: (key, allowed) => cairn.state.append({ key, items: [1], ...allowed }),
        merge: (key, allowed) => cairn.state.merge({ key, patch: { a: 1 }, ...allowed }),
        'json patch': (key, allowed) =>
          cairn.state.jsonPatch({ key, operations: [{ op: 'add', path: '', value: 1 }], ...allowed }),
        max: (key, allowed) => cairn.state.max({ key, value: 1, ...allowed }),
        'counter add': (key, allowed) => cairn.state.counterAdd({ key, ...allowed }),
        'set add': (key, allowed) => cairn.state.setAdd({ key, items: [1], ...allowed }),
        'register set': (key, allowed) => cairn.state.registerSet({ key, value: 1, ...allowed }),
        patch: (key, allowed) => cairn.state.patch({ patch: { [key]: 1 }, ...allowed }),
        'patch below': (key, allowed) => cairn.state.patch({ patch: { [`${key}.a`]: 1 }, ...allowed }),
        replace: (key, allowed) => cairn.state.replace({ state: { [key]: 1 }, ...allowed }),
        batch: (key, allowed) => cairn.state.batch({ operations: [{ op: 'set', key, value: 1 }], ...allowed }),
        claim: (key, allowed) => cairn.state.claim({ key, ttl: '1s', ...allowed }),
      }
      for (const [name, way] of Object.entries(ways)) {
        const key = `logins/${secret}`
        const before = await lastSeq(cairn)
        const told = await refused(way(key, {}))
        expect([name, told.code]).toEqual([name, 'looks_like_secret'])
        expect([name, JSON.stringify([told.message, told.hint, told.details])]).toEqual([
          name,
          expect.not.stringContaining(secret),
        ])
        expect([name, await lastSeq(cairn)]).toEqual([name, before])
        await way(key, { allow_secret: true })
        if (name !== 'claim') await cairn.state.delete({ key })
      }
    })

    it('U3 a token of Cairn is one, and the path is told', async () => {
      const { cairn } = await newRoot(store())
      const { token } = await cairn.token.create({ kind: 'reader' })
      const told = await refused(cairn.state.set({ key: 'k', value: { env: { CAIRN_TOKEN: token } } }))
      expect(told).toMatchObject({ code: 'looks_like_secret', details: { key: 'k', path: '$.env.CAIRN_TOKEN' } })
      await expect(cairn.state.set({ key: 'k', value: 'sk-ant- is how they begin' })).resolves.toBeTruthy()
    })

    it('that it was meant does not become part of what is kept', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.session.create({ topic: 't', parent: session, allow_secret: true })
      const { events } = await cairn.log.list({})
      expect(JSON.stringify(events)).not.toContain('allow_secret')
    })
  })
}
