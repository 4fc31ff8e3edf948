// Stores of another format than the program's: an earlier one is brought to it with all that is in it, a later one is refused and left.
import { describe, expect, it, onTestFinished } from 'vitest'
import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import { type Cairn, methodsOf, openCairn, openLog } from '../../src/open.ts'
import { migrations } from '../../src/store/migrations.ts'
import { noteOperations, withNotes } from '../parts/notes.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, type StoreKind, type TestStore } from '../setup/stores.ts'
import { allAnswers, allRows } from '../upkeep/reading.ts'

async function newStore(kind: StoreKind): Promise<TestStore> {
  const store = await kind.make()
  onTestFinished(() => store.remove())
  return store
}

/** A program of a later format, which has one part more. */
async function openLater(store: TestStore) {
  const { log, caller } = await openLog({ ...store.options, ...withNotes() })
  onTestFinished(() => log.close())
  return { log, caller, cairn: methodsOf({ log, caller }) }
}

for (const kind of STORES) {
  describe(`a store of another format on ${kind.name}`, () => {
    it('S0-134 an earlier one goes on with every session as it was; what is new is only added', async () => {
      const store = await newStore(kind)
      const { cairn, session } = await newRoot(store)
      const child = await newChild(cairn, session, 'child')
      await cairn.state.init({ initial_state: { n: 1, list: ['a'] } })
      await cairn.state.append({ session: child, key: 'list', items: ['b'] })
      await cairn.session.end({ session: child })
      const answers = await allAnswers(cairn, session)
      const rows = await allRows(store)
      await store.close()
      const later = await openLater(store)
      expect(await allAnswers(later.cairn as typeof cairn, session)).toEqual(answers)
      expect(await allRows(store)).toEqual(rows)
      expect(await later.cairn.state.increment({ session, key: 'n' })).toMatchObject({ value: 2, version: 2 })
      await later.log.execute(noteOperations.write, { session, name: 'a', words: 'new' }, later.caller)
      expect(await later.log.verify()).toEqual([])
    })

    it('C20 a later one is refused with both formats and with what to do, and nothing of it is touched', async () => {
      const store = await newStore(kind)
      const { cairn } = await newRoot(store)
      await cairn.state.set({ key: 'k', value: 1 })
      await store.close()
      const later = await openLater(store)
      await later.log.close()
      const rows = await allRows(store)
      const refusal = await refused(openLog(store.options))
      expect(refusal).toMatchObject({
        code: 'store_too_new',
        details: { store_format: migrations.length + 1, program_format: migrations.length },
      })
      expect(refusal.hint).toMatch(/newer program/)
      expect(await allRows(store)).toEqual(rows)
      const again = await openLater(store)
      expect(await again.log.verify()).toEqual([])
    })

    it.each(['ALTER TABLE roots DROP COLUMN bytes', 'DROP TABLE state_keys'])(
      'C20 one from before the first format is told as old, never as damaged: %s',
      async (statement) => {
        const store = await newStore(kind)
        const { cairn, session } = await newRoot(store)
        await cairn.state.set({ key: 'k', value: 1 })
        await store.close()
        await store.sql(statement)
        const old = { code: 'store_too_old', details: { program_format: migrations.length } }
        const again = await openCairn(store.options).catch((refusal: unknown) => refusal)
        if (again instanceof CairnRefusal) return expect(again).toMatchObject(old)
        onTestFinished(() => (again as Cairn).close())
        const refusal = await refused((again as Cairn).state.set({ session, key: 'k', value: 2 }))
        expect(refusal).toMatchObject(old)
        expect(refusal.hint).toMatch(/program that wrote it/)
      },
    )
  })
}
