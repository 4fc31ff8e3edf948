// What upkeep does to one root of a family does nothing to the others, in whatever order it is done.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { STORES, type StoreKind, sharedStore, type TestStore } from '../setup/stores.ts'
import { outcomeOf } from '../upkeep/reading.ts'
import { eraseKey, pictureOf, removeRoot } from './pictures.ts'

/** Three generations and a brother: each shares a stretch of the one before it, and has written since. */
async function family(store: TestStore): Promise<{ cairn: Cairn; members: string[] }> {
  const { cairn, session } = await newRoot(store)
  const work = async (of: string, times: number) => {
    for (let at = 0; at < times; at++) {
      await cairn.state.append({ session: of, key: 'list', items: [`${at} ${'x'.repeat(800)}`] })
      await cairn.state.set({ session: of, key: 'secret', value: `swordfish ${of} ${at}` })
      await cairn.session.create({ topic: 'a child', parent: of })
    }
  }
  const forkOf = async (of: string, at: number) => (await cairn.session.fork({ session: of, at })).session_id
  await work(session, 4)
  const child = await forkOf(session, 8)
  await work(session, 1)
  await work(child, 3)
  const grandchild = await forkOf(child, 14)
  await work(grandchild, 2)
  const brother = await forkOf(child, 5)
  await work(brother, 1)
  await work(child, 1)
  return { cairn, members: [session, child, grandchild, brother] }
}

const kinds = ['compact', 'erase', 'rm'] as const
type Done = (typeof kinds)[number]

/** What is left to see of a root after one kind of upkeep was done to it. */
async function seen(cairn: Cairn, session: string, done: readonly Done[]): Promise<unknown> {
  if (done.includes('rm')) return outcomeOf(cairn.session.show({ session }))
  return done.length === 0 ? pictureOf(cairn, session) : (await cairn.state.get({ session, key: 'list' })).value
}

async function perform(cairn: Cairn, session: string, kind: Done): Promise<void> {
  if (kind === 'compact') await cairn.store.compact({ session, older_than: '0s' })
  if (kind === 'erase') await eraseKey(cairn, session, 'secret')
  if (kind === 'rm') await removeRoot(cairn, session)
}

/** Orders in which the members of a family come, each first once. */
const ORDERS = [
  [0, 1, 2, 3],
  [1, 0, 3, 2],
  [2, 1, 0, 3],
  [3, 2, 1, 0],
] as const

async function expectWhole(cairn: Cairn): Promise<void> {
  const { ok, checks } = await cairn.store.doctor({})
  expect(ok, JSON.stringify(checks)).toBe(true)
}

/** What is kept of removed roots. */
async function kept(store: TestStore): Promise<number> {
  return (await store.sql('SELECT root FROM roots WHERE hidden = 1')).length
}

async function rowsOfRoots(store: TestStore): Promise<number> {
  let rows = 0
  for (const table of ['roots', 'events', 'segments', 'state_versions', 'state_places', 'row_versions', 'indexing'])
    rows += (await store.sql(`SELECT root FROM ${table}`)).length
  return rows
}

for (const kind of STORES) {
  describe(`upkeep of forks on ${kind.name}`, () => {
    const store = sharedStore(kind)

    for (const [which, order] of ORDERS.entries()) {
      it(`what is done to one is not seen in the others, in the order ${order.join(' ')}`, async () => {
        const before = await rowsOfRoots(store())
        const { cairn, members } = await family(store())
        const done = new Map(members.map((member): [string, Done[]] => [member, []]))
        for (const [turn, member] of order.map((at) => members[at] as string).entries()) {
          // Each member gets all kinds in the end, and another one first in each order.
          const ways = kinds.map((_, at) => kinds[(at + turn + which) % kinds.length] as Done)
          for (const way of ways.slice(0, ways.indexOf('rm') + 1)) {
            const others = members.filter((each) => each !== member)
            const pictures = await Promise.all(others.map((each) => seen(cairn, each, done.get(each) ?? [])))
            await perform(cairn, member, way)
            done.get(member)?.push(way)
            await expectWhole(cairn)
            const after = await Promise.all(others.map((each) => seen(cairn, each, done.get(each) ?? [])))
            for (const [at, each] of others.entries())
              expect(after[at], `${members.indexOf(each)} after ${way} of ${members.indexOf(member)}`).toEqual(
                pictures[at],
              )
          }
        }
        expect(await kept(store())).toBe(0)
        expect(await rowsOfRoots(store())).toBe(before)
      })
    }

    it('a removed origin is found by nobody, and what is kept of it goes with the last fork that needs it', async () => {
      const { cairn, session } = await newRoot(store())
      for (let at = 0; at < 9; at++) await cairn.state.set({ key: 'k', value: `value ${at}` })
      const forks = []
      for (const at of [3, 9, 6]) forks.push((await cairn.session.fork({ at })).session_id)
      const reader = await store().open({ session })
      await reader.state.get({ key: 'k', at: 2 })
      await removeRoot(cairn, session)
      for (const library of [cairn, reader, await store().open({ session })]) {
        const outcomes = await Promise.all(
          [
            library.session.show({ session }),
            library.state.get({ key: 'k' }),
            library.state.get({ key: 'k', at: 2 }),
            library.state.history({ key: 'k' }),
            library.session.fork({ at: 2 }),
            library.state.set({ key: 'k', value: 1 }),
          ].map((asking: Promise<object>) => outcomeOf(asking)),
        )
        for (const outcome of outcomes) expect(outcome).toHaveProperty('refused')
        expect(JSON.stringify(outcomes)).not.toContain('value ')
        expect(await outcomeOf(library.log.list({}))).not.toMatchObject({ events: [expect.anything()] })
      }
      const left = async () =>
        (await store().sql('SELECT e.seq FROM events e JOIN roots r ON r.root = e.root WHERE r.hidden = 1')).length
      expect(await left()).toBe(9)
      const [three = '', nine = '', six = ''] = forks
      await removeRoot(cairn, nine)
      expect(await left()).toBe(6)
      const { session_id: again } = await cairn.session.fork({ session: six, at: 5 })
      await removeRoot(cairn, six)
      expect(await left()).toBe(5)
      await removeRoot(cairn, three)
      expect(await left()).toBe(5)
      expect(await cairn.state.get({ session: again, key: 'k', at: 5 })).toMatchObject({ value: 'value 3' })
      await removeRoot(cairn, again)
      expect(await left()).toBe(0)
      expect(await kept(store())).toBe(0)
    })

    it('U50 erase says who else has the value, and once it was erased everywhere it is nowhere', async () => {
      const { cairn, session } = await newRoot(store())
      const secret = `swordfish of ${session}`
      await cairn.state.set({ key: 'k', value: secret })
      await cairn.state.set({ key: 'other', value: 1 })
      const { session_id: fork } = await cairn.session.fork({ at: 3 })
      const { session_id: second } = await cairn.session.fork({ session: fork, at: 2 })
      const { session_id: before } = await cairn.session.fork({ session: fork, at: 1 })
      await cairn.state.set({ session: fork, key: 'k', value: `${secret} again` })
      const holdersIn = async (of: string) =>
        (await eraseKey(cairn, of, 'k')).beyond_reach.flatMap((text) => /sess_\w+/.exec(text) ?? [])
      expect((await holdersIn(fork)).sort()).toEqual([session, second].sort())
      expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: secret })
      expect(await cairn.state.get({ session: second, key: 'k' })).toMatchObject({ value: secret })
      expect(await refused(cairn.state.get({ session: fork, key: 'k', at: 2 }))).toMatchObject({
        code: 'key_not_found',
      })
      await removeRoot(cairn, session)
      expect(await holdersIn(second)).toEqual([])
      expect(await holdersIn(before)).toEqual([])
      for (const table of ['events', 'state_versions', 'state_keys', 'requests'])
        expect(JSON.stringify(await store().sql(`SELECT * FROM ${table}`)), table).not.toContain(secret)
      await expectWhole(cairn)
      expect(await cairn.state.get({ session: fork, key: 'other' })).toMatchObject({ value: 1 })
      expect(await cairn.session.show({ session: fork })).toMatchObject({ forked_from: { session_id: null, at: 3 } })
      expect(await cairn.session.show({ session: second })).toMatchObject({ forked_from: { session_id: fork, at: 2 } })
      for (const each of [fork, second, before]) await removeRoot(cairn, each)
      expect(await kept(store())).toBe(0)
    })

    it('a fork of a fork whose past was made its own reads all of it', async () => {
      const { cairn, session } = await newRoot(store())
      for (let at = 0; at < 6; at++) await cairn.state.increment({ key: 'n' })
      const { session_id: fork } = await cairn.session.fork({ at: 4 })
      for (let at = 0; at < 4; at++) await cairn.state.increment({ session: fork, key: 'n', delta: 10 })
      await eraseKey(cairn, session, 'none')
      const { session_id: second } = await cairn.session.fork({ session: fork, at: 7 })
      await cairn.state.set({ session: second, key: 'n', value: -1 })
      const values = async (of: string) =>
        Promise.all([2, 4, 5, 6, 7].map(async (at) => (await cairn.state.get({ session: of, key: 'n', at })).value))
      expect(await values(second)).toEqual([1, 3, 13, 23, 33])
      expect(await values(fork)).toEqual([1, 3, 13, 23, 33])
    })
  })
}

/** A store that is filled from a backup of another one, on either engine. */
async function restored(from: TestStore, to: StoreKind): Promise<TestStore> {
  const file = join(from.home, '..', `backup for ${to.name}`)
  await (await from.open()).store.backup({ file })
  const store = await to.make()
  await (await store.open()).store.restore({ file })
  rmSync(file)
  return store
}

for (const from of STORES) {
  for (const to of STORES) {
    describe(`a backup of forks on ${from.name}, restored on ${to.name}`, () => {
      const store = sharedStore(from)

      it('has every fork as it was, and what is kept of removed roots', async () => {
        const { cairn, members } = await family(store())
        const [origin = '', child = '', grandchild = '', brother = ''] = members
        await removeRoot(cairn, child)
        const left = [origin, grandchild, brother]
        const pictures = await Promise.all(left.map((each) => pictureOf(cairn, each)))
        const forks = await cairn.session.tree({ session: origin, forks: true })
        const other = await restored(store(), to)
        try {
          const there = await other.open()
          expect(await Promise.all(left.map((each) => pictureOf(there, each)))).toEqual(pictures)
          expect(await there.session.tree({ session: origin, forks: true })).toEqual(forks)
          await removeRoot(there, grandchild)
          const { session_id: more } = await there.session.fork({ session: brother })
          await there.state.set({ session: more, key: 'k', value: 1 })
          await removeRoot(there, brother)
          await removeRoot(there, more)
          expect(await kept(other)).toBe(0)
          await other.verify()
        } finally {
          await other.remove()
        }
      })
    })
  }
}
