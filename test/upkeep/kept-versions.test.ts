import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { newRoot } from '../setup/roots.ts'
import { freshStore, STORES } from '../setup/stores.ts'
import { allRows, toldRows } from './reading.ts'

/** Damage below the floor, where the versions that were kept are all that there is: statement, and what is said of it. */
const LOST: [statement: string, check: string, found: RegExp][] = [
  [`DELETE FROM state_versions WHERE key = 'n'`, 'log', /event 3 of \S+ cannot be told: state_versions 3\/n/],
  [`DELETE FROM state_versions WHERE key = 'l' AND kind = 'whole'`, 'log', /cannot be told: state_versions 4\/l/],
  [`DELETE FROM state_versions WHERE key = 'started'`, 'log', /cannot be told: state_versions 2\/started/],
  [`DELETE FROM streams WHERE stream = 'state'`, 'log', /event 2 of \S+ has no body, and nothing else says/],
]

const REPAIRED: [statement: string, found: RegExp][] = [
  [`DELETE FROM state_keys WHERE key = 'n'`, /state_keys n of \S+ is missing/],
  [`DELETE FROM state_keys WHERE key = 'started'`, /state_keys started of \S+ is missing/],
  [`UPDATE state_keys SET value = '7' WHERE key = 'n'`, /state_keys n of \S+ differs in value/],
  [`UPDATE state_keys SET version = 9 WHERE key = 'l'`, /state_keys l of \S+ differs in version/],
  [`DELETE FROM state_versions WHERE key = 'l' AND version = 3`, /state_versions 7\/l of \S+ is missing/],
  [`UPDATE streams SET items = 0, bytes = 0 WHERE stream = 'state'`, /streams state of \S+ differs in items/],
  [`UPDATE streams SET version = 1 WHERE stream = 'state'`, /streams state of \S+ differs in version/],
]

for (const kind of STORES) {
  describe(`doctor after compact on ${kind.name}`, () => {
    const store = freshStore(kind, { damaged: true })

    async function compacted(): Promise<Cairn> {
      const { cairn, session } = await newRoot(store())
      await cairn.state.init({ initial_state: { started: 's' } })
      await cairn.state.set({ key: 'n', value: 5 })
      await cairn.state.append({ key: 'l', items: [1] })
      await cairn.state.append({ key: 'l', items: [2] })
      await cairn.store.compact({ session, older_than: '0s' })
      await cairn.state.set({ key: 'later', value: true })
      await cairn.state.append({ key: 'l', items: [3] })
      return cairn
    }

    it('repairs views, and never takes a lost value for one that was not there', async () => {
      const cairn = await compacted()
      const tables = ['streams', 'state_keys', 'state_versions']
      for (const table of tables) await store().sql(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`)
      const rows = await toldRows(store())
      for (const [statement, found] of REPAIRED) {
        await store().sql(statement)
        const { ok, checks } = await cairn.store.doctor({ repair: true })
        expect(checks.at(-1)?.detail, statement).toMatch(found)
        expect(ok, statement).toBe(true)
        expect(await toldRows(store()), statement).toEqual(rows)
      }
      for (const [statement, check, found] of LOST) {
        await store().sql(statement)
        const damaged = await allRows(store())
        const { ok, checks } = await cairn.store.doctor({ repair: true })
        expect(ok, statement).toBe(false)
        expect(checks.find(({ name }) => name === check)?.detail, statement).toMatch(found)
        expect(await allRows(store()), statement).toEqual(damaged)
        for (const table of tables) {
          await store().sql(`DELETE FROM ${table}`)
          await store().sql(`INSERT INTO ${table} SELECT * FROM kept_${table}`)
        }
      }
      expect(await cairn.store.doctor({})).toMatchObject({ ok: true })
      expect((await cairn.state.all({})).state).toEqual({ started: 's', n: 5, l: [1, 2, 3], later: true })
    })
  })
}
