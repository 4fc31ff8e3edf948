// A process in which somebody follows and somebody waits, and nothing happens, leaves the store alone.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { hintMs } from '../../src/store/engine.ts'
import { readFeed } from '../linear/reader.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { ownLog } from './own-log.ts'

/** While nothing is to happen, so many hints could have come. */
const hints = 20

/** What each connection of a Postgres was last asked, and when: whoever asks anything shows here. */
async function lastAsked(store: TestStore): Promise<object[]> {
  if (store.kind === 'SQLite') return []
  return store.sql(`SELECT pid, query_start, query FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend' ORDER BY pid`)
}

for (const kind of STORES) {
  describe(`an idle process on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it.each([
      ['a follower', true, false],
      ['a waiter', false, true],
      ['both', true, true],
    ])('C28 S0-110 with %s asks for nothing but the hint, and hears all the same', async (_, follows, waits) => {
      const { cairn, session, asked, did } = await ownLog(store())
      await cairn.state.set({ key: 'k', value: 0 })
      const reader = follows ? readFeed(cairn, { session }) : undefined
      await reader?.until(2)
      const coming = waits ? cairn.state.wait({ key: 'k', equals: 1 }) : undefined
      const look = async () => ({ asked: [...asked], ...did, last: await lastAsked(store()) })

      // First all that was begun comes to its end. Hints come for nothing now and then, as when a listener has just been
      // connected: then it is looked at once more.
      let [before, after] = [await look(), await look()]
      for (let round = 0; round < 2 || after.hints > before.hints; round++) {
        before = after
        await sleep(hints * hintMs)
        after = await look()
      }
      expect(after).toEqual(before)

      const other = await store().open({ session })
      await other.state.set({ key: 'k', value: 1 })
      expect((await reader?.until(3))?.at(-1)).toEqual(follows ? expect.objectContaining({ key: 'k' }) : undefined)
      expect(await coming).toEqual(waits ? expect.objectContaining({ value: 1 }) : undefined)
      expect(asked.length).toBeGreaterThan(after.asked.length)
      await reader?.stop()
    })
  })
}
