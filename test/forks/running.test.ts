// Roots are forked while others write them, in processes of their own.
import { describe, expect, it } from 'vitest'
import { sharedActors } from '../setup/processes.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { outcomeOf } from '../upkeep/reading.ts'
import { pastOf, removeRoot } from './pictures.ts'

const writers = 8
const writes = 12

for (const kind of STORES) {
  describe(`forks of roots that are being written on ${kind.name}`, () => {
    const store = sharedStore(kind)
    const actors = sharedActors(() => store().options, writers)

    it('U37 a fork is its origin at an event, while eight processes write both and forks of it', async () => {
      const { cairn, session } = await newRoot(store())
      const inputs = (of: string, who: number) =>
        Array.from({ length: writes }, (_, at) => ({ session: of, key: 'list', items: [`${who}.${at}`] }))
      const origin = actors().map((actor, who) => actor.as(session).call('state.append', [inputs(session, who)]))
      const forks: { session_id: string; at: number }[] = []
      while (forks.length < 6) {
        const last = forks.at(-1)
        forks.push(
          await cairn.session.fork({
            session: last !== undefined && forks.length % 2 === 0 ? last.session_id : session,
          }),
        )
      }
      await Promise.all(origin)
      await Promise.all(
        actors().map((actor, who) => {
          const fork = (forks[who % forks.length] as { session_id: string }).session_id
          return actor.as(fork).call('state.append', [inputs(fork, who)])
        }),
      )
      expect(((await cairn.state.get({ key: 'list' })).value as string[]).length).toBe(writers * writes)
      for (const { session_id: fork, at } of forks) {
        expect(await pastOf(cairn, fork, at), `at ${at}`).toEqual(await pastOf(cairn, session, at))
        const { last_seq: last } = await cairn.log.list({ session: fork, limit: 1 })
        expect((last - at) % writes).toBe(0)
      }
    })

    it('is whole or not there when the root is removed at the same moment', async () => {
      for (let round = 0; round < 4; round++) {
        const { cairn, session } = await newRoot(store())
        for (let at = 0; at < 3; at++) await cairn.state.increment({ key: 'n' })
        const forking = actors()
          .slice(0, 4)
          .map((actor) => actor.as(session).call('session.fork', [[{ session }, { session, at: 2 }]]))
        const removing = removeRoot(cairn, session)
        const done = (await Promise.all(forking)).flat(2)
        await removing
        for (const { answer, refused: code } of done as {
          answer?: { session_id: string; at: number }
          refused?: string
        }[]) {
          if (answer === undefined) expect(code).toBe('session_not_found')
          else
            expect(await cairn.state.get({ session: answer.session_id, key: 'n' })).toMatchObject({
              value: answer.at - 1,
            })
        }
        expect(await refused(cairn.session.show({ session }))).toMatchObject({ code: 'session_not_found' })
      }
    })

    it('a family of which all members are removed and erased at once leaves nothing', async () => {
      const rows = async () => {
        const counts: number[] = []
        for (const table of ['roots', 'segments', 'events', 'state_versions', 'state_places', 'row_versions'])
          counts.push((await store().sql(`SELECT root FROM ${table}`)).length)
        return counts
      }
      const before = await rows()
      const { cairn, session } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: 1 })
      const members = [session]
      for (let at = 0; at < 7; at++) {
        const { session_id } = await cairn.session.fork({ session: members[at >> 1] as string })
        await cairn.state.set({ session: session_id, key: 'k', value: at })
        members.push(session_id)
      }
      const confirm = await Promise.all(members.map(async (each) => (await cairn.session.show({ session: each })).slug))
      const done = await Promise.all(
        actors().map((actor, at) => {
          const input = { session: members[at] as string, confirm: confirm[at] as string }
          const again = [{ ...input, force: true }]
          return at % 2 === 0
            ? actor.call('store.remove', [again])
            : actor.call('store.erase', [[{ ...input, key: 'k' }]]).then(() => actor.call('store.remove', [again]))
        }),
      )
      expect(done.flat(2).filter((each) => 'refused' in each)).toEqual([])
      expect(await rows()).toEqual(before)
      for (const each of members)
        expect(await outcomeOf(cairn.session.show({ session: each }))).toHaveProperty('refused')
    })
  })
}
