// What an agent might do to be taken for somebody else, or to learn of others.
import { describe, expect, it, onTestFinished } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { refused } from '../setup/roots.ts'
import { serveHere } from '../setup/serve-here.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { newFamily } from './family.ts'

const [sqlite] = STORES as [(typeof STORES)[number]]

describe('an agent', () => {
  const store = sharedStore(sqlite)

  it('U2 names no session like a part of an id, by which the owner means another', async () => {
    const { log, caller } = await store().openLog()
    const { other, self, agent } = await newFamily({ log, caller })
    const create = (name: string) => log.execute(operations.session.create, { topic: 't', parent: self, name }, agent)
    const end = other.slice(-6)
    for (const name of [end, end.toUpperCase(), other, other.slice(0, 8), other.slice(5, 15)]) {
      expect(await refused(create(name))).toMatchObject({ code: 'invalid_input', details: { path: 'name' } })
    }
    expect(await log.execute(operations.session.show, { session: end }, caller)).toMatchObject({
      session_id: other,
    })
    for (const name of ['abc', `${end}.`, 'sessions']) await create(name)
  })

  it('U2 claims in its own name, whatever name it gives', async () => {
    const { log, caller } = await store().openLog()
    const { agent, parent } = await newFamily({ log, caller })
    const claimed = { ttl: '1h', holder: 'sibling' }
    await log.execute(operations.lease.claim, { name: 'mine', ...claimed }, agent)
    await log.execute(operations.state.claim, { key: 'mine', ...claimed }, agent)
    await log.execute(operations.lease.claim, { session: parent, name: 'given', ...claimed }, caller)
    const { leases } = await log.execute(operations.lease.list, { session: parent }, caller)
    const held = (name: string, holder: string) => expect.objectContaining({ name, holder })
    expect(leases).toEqual(
      expect.arrayContaining([held('mine', 'self'), held('key/mine', 'self'), held('given', 'sibling')]),
    )
  })

  it('U2 is not told what all others do', async () => {
    const { log, caller } = await store().openLog()
    const { self } = await newFamily({ log, caller })
    const serving = await serveHere({ ...store().options, port: 0 })
    onTestFinished(() => serving.stop())
    const statusFor = async (asked: object) => {
      const { token } = await log.execute(operations.token.create, asked, caller)
      const headers = { authorization: `Bearer ${token}` }
      return (await fetch(new URL('/metrics', serving.discovered.url), { headers })).status
    }
    expect(await statusFor({ kind: 'agent', session: self })).toBe(403)
    expect(await statusFor({ kind: 'reader' })).toBe(200)
  })
})
