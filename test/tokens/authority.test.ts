import { describe, expect, it } from 'vitest'
import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import { reachOf } from '../../src/log/access/authority.ts'
import type { Caller } from '../../src/log/access/caller.ts'
import { methodsOf, type OpenedLog } from '../../src/open.ts'
import { operations } from '../../src/operations/index.ts'
import type { AnyAnswered, AnyOperation } from '../../src/operations/operation.ts'
import { refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { callerOf, type Family, newFamily, relatives } from './family.ts'
import { mayAgent, rows } from './reaches.ts'

const defined = Object.values(operations).flatMap((verbs) => Object.values<AnyOperation>(verbs))
const byName = Object.entries(operations).flatMap(([noun, verbs]) =>
  Object.entries<AnyOperation>(verbs).map(([verb, operation]) => [`${noun}.${verb}`, operation] as const),
)

/** The code it was refused with, or undefined for an answer. */
async function codeOf({ log }: OpenedLog, operation: AnyOperation, input: object, caller: Caller) {
  try {
    if (operation.kind !== 'stream') await log.execute(operation, input, caller)
    else await log.stream(operation, input, caller).next()
    return undefined
  } catch (error) {
    if (error instanceof CairnRefusal) return error.code
    throw error
  }
}

async function logOf(opened: OpenedLog, session: string) {
  const { events } = await methodsOf(opened).log.list({ session, limit: 1000 })
  return events
}

/** Both logs, the other root's first: nothing is to be written there. */
async function logsOf(opened: OpenedLog, { other, parent }: Family) {
  return [...(await logOf(opened, other)), ...(await logOf(opened, parent))]
}

/** Tried by an agent on each of its relatives, itself last, and then by those who reach everywhere. */
async function checkReach(
  opened: OpenedLog,
  home: string,
  read: Family,
  name: string,
  operation: AnyOperation,
): Promise<void> {
  const row = rows[name as keyof typeof rows]
  // Reads leave a family as it is.
  const family = row.writes ? await newFamily(opened) : read
  for (const relative of relatives) {
    const input = row.input(family[relative], home)
    const before = await logsOf(opened, family)
    const code = await codeOf(opened, operation, input, family.agent)
    expect([name, relative, code === 'forbidden']).toEqual([name, relative, !mayAgent(row, relative)])
    const written = (await logsOf(opened, family)).slice(before.length)
    if (code !== undefined) expect([name, relative, written]).toEqual([name, relative, []])
    for (const event of written) expect([name, event.session_id]).toEqual([name, family.self])
  }
  const input = row.input(family.other, home)
  const readers = await codeOf(opened, operation, input, callerOf('reader'))
  expect([name, readers === 'forbidden']).toEqual([name, row.writes])
  const owners = await codeOf(opened, operation, input, callerOf('owner'))
  expect([name, owners]).not.toEqual([name, 'forbidden'])
}

describe('how far operations reach', () => {
  it('U2 is said of every one of them', () => {
    expect(byName.map(([name]) => name).sort()).toEqual(Object.keys(rows).sort())
    for (const [name, operation] of byName) {
      const row = rows[name as keyof typeof rows]
      const writes = operation.kind === 'change' || (operation.kind === 'upkeep' && operation.looks !== true)
      expect([name, reachOf(operation), writes]).toEqual([name, row.reach, row.writes])
    }
  })

  it('ends at a subtree for changes only: whoever may see a root sees all of it', () => {
    const limited = defined.filter((operation) => reachOf(operation) === 'subtree')
    expect(limited.filter(({ kind }) => kind !== 'change')).toEqual([])
  })
})

for (const kind of STORES) {
  describe(`authority on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it.each(Object.keys(operations))('U2 %s operations are for those they are for', async (noun) => {
      const opened = await store().openLog()
      const ofNoun = byName.filter(([name]) => name.startsWith(`${noun}.`))
      const read = await newFamily(opened)
      await Promise.all(ofNoun.map(([name, operation]) => checkReach(opened, store().home, read, name, operation)))
    })

    it('U2 what an agent writes is its own, whatever session it names', async () => {
      const opened = await store().openLog()
      const family = await newFamily(opened)
      const agent = methodsOf({ log: opened.log, caller: family.agent })
      for (const session of [family.parent, family.sibling, family.child]) {
        expect(await agent.state.increment({ session, key: 'n' })).toBeTruthy()
        expect(await agent.state.get({ session, key: 'n' })).toMatchObject({ updated_by: family.self })
      }
      await agent.lease.claim({ session: family.sibling, name: 'build', ttl: '10s' })
      expect((await agent.lease.list({})).leases).toContainEqual(
        expect.objectContaining({ name: 'build', holder: 'self' }),
      )
      await agent.state.set({ session: family.sibling, key: 'mine', value: 1, ephemeral: true })
      await methodsOf(opened).session.end({ session: family.sibling })
      expect(await agent.state.get({ key: 'mine' })).toMatchObject({ value: 1 })
      const made = await agent.session.create({ topic: 'below', parent: family.child })
      expect(await agent.session.show({ session: made.session_id })).toMatchObject({ parent_session_id: family.child })
      expect((await logOf(opened, family.parent)).at(-1)).toMatchObject({ session_id: family.self })
    })

    it('U2 an agent sees its tree, and no forks of its root: those are other roots', async () => {
      const opened = await store().openLog()
      const family = await newFamily(opened)
      await methodsOf(opened).session.fork({ session: family.parent })
      const agent = methodsOf({ log: opened.log, caller: family.agent })
      expect(await agent.session.tree({})).not.toHaveProperty('forks')
      expect(await refused(agent.session.tree({ forks: true }))).toMatchObject({ code: 'forbidden' })
      expect((await methodsOf(opened).session.tree({ session: family.parent, forks: true })).forks).toHaveLength(1)
    })

    it('U2 an agent finds sessions of its own root by any name, and learns nothing of others', async () => {
      const opened = await store().openLog()
      const family = await newFamily(opened)
      const strangers = await newFamily(opened)
      const agent = methodsOf({ log: opened.log, caller: family.agent })
      for (const session of ['SIBLING', family.sibling, family.sibling.slice(-8)]) {
        expect(await agent.session.show({ session })).toMatchObject({ session_id: family.sibling })
      }
      expect(await agent.session.show({})).toMatchObject({ session_id: family.self })
      const { slug } = await methodsOf(opened).session.show({ session: family.other })
      const outside = [family.other, slug, 'stranger', family.other.slice(-8), strangers.child]
      const nowhere = ['sess_00000000000000000000000000000000', 'nobody', 'x']
      const told = [...outside, ...nowhere].map(
        async (session) => (await refused(agent.session.show({ session }))).refusal,
      )
      const [first, ...others] = await Promise.all(told)
      expect(first).toMatchObject({ code: 'forbidden' })
      for (const each of others) expect(each).toEqual(first)
    })

    it('U2 a reader is told which token does it: one that can write, or that of the owner', async () => {
      const opened = await store().openLog()
      const reader = callerOf('reader')
      const hintOf = async (operation: AnyAnswered, input: object) =>
        (await refused(opened.log.execute(operation, input, reader))).hint
      const family = await newFamily(opened)
      expect(await hintOf(operations.state.set as AnyAnswered, { session: family.self, key: 'k', value: 1 })).toMatch(
        /can write/,
      )
      expect(await hintOf(operations.token.list, {})).toBe("Use the owner's token.")
      expect(await hintOf(operations.store.doctor, {})).toBe("Use the owner's token.")
    })

    it('U2 an agent makes no root of its own', async () => {
      const opened = await store().openLog()
      const { agent } = await newFamily(opened)
      const methods = methodsOf({ log: opened.log, caller: agent })
      expect(await refused(methods.session.create({ topic: 'free' }))).toMatchObject({ code: 'forbidden' })
    })

    it('U2 feeds are of the own root', async () => {
      const { log, caller } = await store().openLog()
      const family: Family = await newFamily({ log, caller })
      const first = (feed: AsyncGenerator<unknown, void>) => feed.next().finally(() => feed.return())
      const { agent } = family
      expect(await first(log.follow(family.sibling, {}, agent))).toMatchObject({ value: { seq: 1 } })
      expect(await refused(first(log.follow(family.other, {}, agent)))).toMatchObject({ code: 'forbidden' })
      expect(await refused(log.head(family.other, agent))).toMatchObject({ code: 'forbidden' })
      expect(await refused(first(log.followAll({}, agent)))).toMatchObject({ code: 'forbidden' })
      expect(await first(log.followAll({}, callerOf('reader')))).toMatchObject({ value: { seq: 1 } })
    })
  })
}
