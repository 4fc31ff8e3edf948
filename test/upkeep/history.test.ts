// Readers who have seen more than a store has, because it was put back to an earlier moment, are told so and do not wait.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { freshStore, STORES } from '../setup/stores.ts'

async function firstOf(feed: AsyncIterable<{ seq: number }>): Promise<number | undefined> {
  for await (const { seq } of feed) return seq
  return undefined
}

function lost(since: number, last: number): object {
  return { code: 'history_lost', details: { since, last_seq: last } }
}

for (const kind of STORES) {
  describe(`a store that was put back, on ${kind.name}`, () => {
    const store = freshStore(kind, { damaged: true })

    /** As if a backup without the last event had been put in the place of the store, and another event came since. */
    async function rewrite(session: string, cairn: Cairn): Promise<void> {
      const [{ seq } = {}] = await store().sql(
        'SELECT seq FROM events WHERE root = $1 ORDER BY seq DESC LIMIT 1 OFFSET 1',
        session,
      )
      await store().sql('DELETE FROM events WHERE root = $1 AND seq > $2', session, Number(seq))
      await store().sql('DELETE FROM state_versions WHERE root = $1 AND seq > $2', session, Number(seq))
      await store().sql(`UPDATE streams SET version = version - 1 WHERE root = $1 AND stream = 'state'`, session)
      await store().sql(
        `UPDATE roots SET seq = $2, generation = generation + 1,
         hash = (SELECT e.hash FROM events e WHERE e.root = $1 AND e.seq = $2) WHERE root = $1`,
        session,
        Number(seq),
      )
      await cairn.state.set({ session, key: 'another', value: 'history' })
    }

    it('C28 tells whoever asks for what comes after its end', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'cairn-history-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const { cairn, session } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: 1 })
      const file = join(folder, 'backup.db')
      await cairn.store.backup({ file })
      for (let turn = 0; turn < 3; turn++) await cairn.state.increment({ key: 'k' })
      const target = await kind.make()
      onTestFinished(() => target.remove())
      const restored = await target.open({ session })
      await restored.store.restore({ file })

      expect(await refused(firstOf(restored.follow({ since: 5 })))).toMatchObject(lost(5, 2))
      expect(await refused(firstOf(restored.followAll({ since: { [session]: 5 } })))).toMatchObject(lost(5, 2))
      expect(await refused(restored.log.list({ since: 5 }))).toMatchObject(lost(5, 2))
      expect(await refused(restored.log.list({ since: 5, stream: 'state' }))).toMatchObject(lost(5, 2))
      expect(await refused(restored.state.events({ since: 4 }))).toMatchObject(lost(4, 1))

      expect(await restored.log.list({ since: 2 })).toMatchObject({ events: [], last_seq: 2 })
      expect(await restored.state.events({ since: 1 })).toMatchObject({ events: [] })
      const next = firstOf(restored.follow({ since: 2 }))
      await restored.state.increment({ key: 'k' })
      expect(await next).toBe(3)
    })

    it('C28 tells a reader that is at its end when it goes back, and when it has gone another way since', async () => {
      const { cairn, session } = await newRoot(store())
      for (let turn = 0; turn < 3; turn++) await cairn.state.increment({ key: 'k' })
      const [one, all] = [cairn.follow({ since: 3 }), cairn.followAll({ since: { [session]: 3 } })]
      for (const feed of [one, all]) expect((await feed.next()).value).toMatchObject({ seq: 4 })
      const told = [one, all].map((feed) => refused(feed.next()))
      const writer = await store().open()
      await rewrite(session, writer)
      await writer.state.set({ session, key: 'another', value: 'event' })
      for (const refusal of await Promise.all(told)) expect(refusal).toMatchObject({ code: 'history_lost' })
    })
  })
}
