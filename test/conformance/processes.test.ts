import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/index.ts'
import type { Done } from '../setup/actor.ts'
import { type Actor, sharedActors, startActors } from '../setup/processes.ts'
import { lastSeq, newChild, newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

function refusals(done: readonly Done[]): Done[] {
  return done.filter((each) => 'refused' in each)
}

for (const kind of STORES) {
  describe(`children that are processes on ${kind.name}`, () => {
    const store = sharedStore(kind)
    const shared = sharedActors(() => store().options, 10)

    /** A root and so many children, each with a process of its own that has opened the store and acts as that child. */
    async function family(size: number) {
      const { cairn, session } = await newRoot(store())
      const children: string[] = []
      for (let at = 0; at < size; at++) children.push(await newChild(cairn, session, `child ${at}`))
      return { cairn, session, children, actors: children.map((child, at) => shared()[at]?.as(child) as Actor) }
    }

    it('S0-142 five children set keys of their own: all are there, and none met a conflict', async () => {
      const { cairn, children } = await family(5)
      // These know who they are from AGENT_SESSION_ID alone.
      const actors = await startActors(store().options, children)
      const set = (at: number) => ({ key: `child_${at}_result`, value: { from: at, ok: true }, version: 0 })
      const done = await Promise.all(actors.map((actor, at) => actor.call('state.set', [[set(at)]])))
      expect(refusals(done.flat(2))).toEqual([])
      const { keys, version } = await cairn.state.all({})
      expect(version).toBe(5)
      for (const [at, child] of children.entries()) {
        const value = { from: at, ok: true }
        expect(keys[`child_${at}_result`]).toMatchObject({ value, version: 1, updated_by: child })
      }
    })

    it('S0-143 U18 three children add to one key by its version and try again: it ends at 3', async () => {
      const { cairn, actors } = await family(3)
      await cairn.state.set({ key: 'counter', value: 0 })
      const done = await Promise.all(actors.map((actor) => actor.update('counter', 1, 1)))
      expect(refusals(done.flat())).toEqual([])
      expect(await cairn.state.get({ key: 'counter' })).toMatchObject({ value: 3, version: 4 })
    })

    it('S0-144 ten children increment one key: no conflict, no second try, it ends at 10', async () => {
      const { cairn, actors } = await family(10)
      const done = (
        await Promise.all(actors.map((actor) => actor.call('state.increment', [[{ key: 'counter' }]])))
      ).flat(2)
      expect(refusals(done)).toEqual([])
      const values = done.map((each) => ('answer' in each ? each.answer.value : undefined))
      expect(values.sort((a, b) => Number(a) - Number(b))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      expect(await cairn.state.all({})).toMatchObject({ state: { counter: 10 }, version: 10 })
    })

    it('S0-7 S0-5 three children patch the same key at once: one of theirs stands, and all else is as it was', async () => {
      const { cairn, children, actors } = await family(3)
      await cairn.state.init({ initial_state: { report: { title: 't', progress: 0 }, other: [1] } })
      const merge = (at: number) => ({ key: 'report', patch: { progress: (at + 1) * 10, [`by_${at}`]: true } })
      const done = await Promise.all(actors.map((actor, at) => actor.call('state.merge', [[merge(at)]])))
      expect(refusals(done.flat(2))).toEqual([])
      const { events } = await cairn.state.events({ since: 1 })
      const last = children.indexOf(String(events.at(-1)?.changed_by))
      const { state, keys } = await cairn.state.all({})
      expect(state).toEqual({
        report: { title: 't', progress: (last + 1) * 10, by_0: true, by_1: true, by_2: true },
        other: [1],
      })
      expect(keys).toMatchObject({ report: { version: 4, updated_by: children[last] }, other: { version: 1 } })
    })

    it('S0-93 three children set one key at once and at will: each write is an event, nobody tries again, the last stands', async () => {
      const { cairn, actors } = await family(3)
      const inputs = (actor: number) =>
        [0, 1, 2, 3].map((caller) => Array.from({ length: 5 }, (_, at) => ({ key: 'k', value: [actor, caller, at] })))
      const done = await Promise.all(actors.map((actor, at) => actor.call('state.set', inputs(at))))
      expect(refusals(done.flat(2))).toEqual([])
      const { events } = await cairn.state.events({ limit: 1000 })
      const values = events.map(({ value }) => value)
      expect(new Set(values.map(String)).size).toBe(60)
      expect(values).toHaveLength(60)
      expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: values.at(-1), version: 60 })
    })

    it('S0-110 S0-94 orders what comes at once: every process sees the same sequence without a gap', async () => {
      const { cairn, actors } = await family(3)
      const inputs = [0, 1, 2, 3].map((caller) =>
        Array.from({ length: 10 }, (_, at) => ({ key: 'log', items: [`${caller}.${at}`] })),
      )
      await Promise.all(actors.map((actor) => actor.call('state.append', inputs)))
      const pages = (await Promise.all(actors.map((actor) => actor.call('state.events', [[{ limit: 1000 }]])))).flat(2)
      const own = await cairn.state.events({ limit: 1000 })
      for (const page of pages) expect(page).toEqual({ answer: own })
      const listed = own.events as unknown as { seq: number; session_id: string; items: string[] }[]
      expect(listed.map(({ seq }) => seq)).toEqual(Array.from({ length: 120 }, (_, at) => at + 1))
      expect((await cairn.state.get({ key: 'log' })).value).toEqual(listed.flatMap(({ items }) => items))
      // What one caller sent in order is in order.
      for (const caller of [0, 1, 2, 3]) {
        for (const { session_id } of new Map(listed.map((event) => [event.session_id, event])).values()) {
          const mine = listed.filter(
            (event) => event.session_id === session_id && event.items[0]?.startsWith(`${caller}.`),
          )
          expect(mine.map(({ items }) => items[0])).toEqual(Array.from({ length: 10 }, (_, at) => `${caller}.${at}`))
        }
      }
    })

    it('S0-80 U16 reads the whole state as of one moment while another process moves amounts', async () => {
      const { cairn, session } = await newRoot(store())
      const keys = ['a', 'b', 'c', 'd', 'e']
      await cairn.state.init({ initial_state: { ...Object.fromEntries(keys.map((key) => [key, 100])), trail: [] } })
      const [mover] = shared() as [Actor]
      const moving = mover.as(session).transfer(keys)
      const seen = new Set<number>()
      for (let _reads = 0; seen.size < 40; _reads++) {
        const all = await cairn.state.all({})
        const values = keys.map((key) => all.state[key] as number)
        expect(values.reduce((sum, value) => sum + value, 0)).toBe(500)
        // Each transfer is three events: two amounts and one line of the trail.
        const trail = all.state.trail as Json[]
        expect(trail.length * 3).toBe(all.version - 1)
        const versions = Object.values(all.keys).map((key) => (key as { version: number }).version)
        expect(versions.reduce((sum, version) => sum + version - 1, 0)).toBe(all.version - 1)
        seen.add(all.version)
      }
      const times = await moving.stop()
      expect((await cairn.state.all({})).version).toBe(1 + times * 3)
    })

    it('two processes with eight callers each: every increment counts once, and updates by version lose nothing', async () => {
      const { cairn, session } = await newRoot(store())
      const actors = shared()
        .slice(0, 2)
        .map((actor) => actor.as(session))
      const inputs = Array.from({ length: 8 }, () => Array.from({ length: 25 }, () => ({ key: 'n' })))
      const done = (await Promise.all(actors.map((actor) => actor.call('state.increment', inputs)))).flat(2)
      expect(refusals(done)).toEqual([])
      const values = done.map((each) => ('answer' in each ? Number(each.answer.value) : 0)).sort((a, b) => a - b)
      expect(values).toEqual(Array.from({ length: 400 }, (_, at) => at + 1))
      expect(await cairn.state.get({ key: 'n' })).toMatchObject({ value: 400, version: 400 })

      const updates = (await Promise.all(actors.map((actor) => actor.update('m', 1, 8)))).flat()
      const through = updates.length
      expect(refusals(updates)).toEqual([])
      expect(await cairn.state.get({ key: 'm' })).toMatchObject({ value: through, version: through })
      expect(await lastSeq(cairn)).toBe(1 + 400 + through)
    })
  })
}
