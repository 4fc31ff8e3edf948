import { describe, expect, it } from 'vitest'
import { STORES, sharedStore } from '../setup/stores.ts'

for (const kind of STORES) {
  describe(`the log of the contract on ${kind.name}`, () => {
    const store = sharedStore(kind)

    /** The example of the contract, with another session's creation where a message stands: any event moves `seq`. */
    async function written() {
      const cairn = await store().open()
      const root = await cairn.session.create({ topic: 'example' })
      const child = await cairn.session.create({ topic: 'child', parent: root.session_id as string })
      const session = root.session_id as string
      const own = child.session_id as string
      const init = await cairn.state.init({ session, initial_state: { done: 0, findings: [] } })
      const set = await cairn.state.set({ session: own, key: 'done', value: 1, version: 1 })
      const batch = await cairn.state.batch({
        session,
        operations: [
          { op: 'set', key: 'a', value: true },
          { op: 'increment', key: 'done', delta: 1 },
        ],
      })
      await cairn.session.create({ topic: 'another', parent: own })
      const append = await cairn.state.append({ session, key: 'findings', items: ['x'] })
      return { cairn, session, own, init, set, batch, append }
    }

    it('C30 C7 S0-27 S0-55 shows every number of the example, to root and child alike', async () => {
      const { cairn, session, own, init, set, batch, append } = await written()
      expect(init).toMatchObject({ version: 1, seq: 3, state: { done: 0, findings: [] } })
      expect(set).toMatchObject({ key: 'done', value: 1, version: 2, seq: 4, updated_by: own })
      expect(batch).toMatchObject({ applied: true, results: [{ version: 1 }, { value: 2, version: 3 }] })
      expect(append).toEqual({ key: 'findings', length: 1, version: 2 })
      for (const asked of [session, own]) {
        const all = await cairn.state.all({ session: asked })
        expect(all).toMatchObject({
          root_session_id: session,
          version: 5,
          global_version: 5,
          last_sequence: 5,
          sequence: 5,
          seq: 8,
        })
        expect(all.state).toEqual({ done: 2, findings: ['x'], a: true })
        expect(all.keys).toMatchObject({
          done: { value: 2, version: 3, updated_by: session },
          findings: { value: ['x'], version: 2, updated_by: session },
          a: { value: true, version: 1, updated_by: session },
        })
      }
    })

    it('C30 lists the log with the place, the stream and the version of each event', async () => {
      const { cairn, session, own } = await written()
      const { events, last_seq, has_more } = await cairn.log.list({ session })
      const shown = (events as { seq: number; stream: string; version: number; session_id: string }[]).map((event) => [
        event.seq,
        event.stream,
        event.version,
        event.session_id,
      ])
      expect(shown).toEqual([
        [1, 'session/0', 1, session],
        [2, 'session/1', 1, session],
        [3, 'state', 1, session],
        [4, 'state', 2, own],
        [5, 'state', 3, session],
        [6, 'state', 4, session],
        [7, 'session/2', 1, own],
        [8, 'state', 5, session],
      ])
      expect({ last_seq, has_more }).toEqual({ last_seq: 8, has_more: false })
      const tail = await cairn.log.list({ session, since: 6 })
      expect((tail.events as { seq: number }[]).map(({ seq }) => seq)).toEqual([7, 8])
    })

    it('C30 S0-99 reads the same past by place in the log and by version of the state', async () => {
      const { cairn, session } = await written()
      const past = { state: { done: 1, findings: [] }, version: 2, last_sequence: 2, sequence: 2 }
      expect(await cairn.state.all({ session, at: 4 })).toMatchObject({ ...past, seq: 4 })
      expect(await cairn.state.all({ session, at_sequence: 2 })).toMatchObject({ ...past, seq: 4 })
      expect((await cairn.state.all({ session, at: 4 })).state).toEqual(past.state)
      expect(await cairn.state.get({ session, key: 'done', at: 5 })).toMatchObject({ value: 1, version: 2 })
    })

    it('C30 S0-98 pages through the events of the state by its version', async () => {
      const { cairn, session } = await written()
      const page = await cairn.state.events({ session, since: 2, limit: 2 })
      expect(page).toMatchObject({
        has_more: true,
        events: [
          { type: 'set', key: 'a', value: true, seq: 3, sequence_number: 3, root_seq: 5, session_id: session },
          { type: 'increment', key: 'done', delta: 1, seq: 4, sequence_number: 4, root_seq: 6, changed_by: session },
        ],
      })
      expect(await cairn.state.events({ session, since: 4, limit: 2 })).toMatchObject({
        has_more: false,
        events: [{ type: 'append', key: 'findings', items: ['x'], seq: 5, root_seq: 8 }],
      })
    })
  })
}
