import { describe, expect, it } from 'vitest'
import { newChild, newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

for (const kind of STORES) {
  describe(`the rows of a root on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S0-52 S0-84 S0-101 S0-108 hold a write as soon as it is answered, beside its event', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session)
      for (const [at, value] of [{ a: [1] }, 'text', null].entries()) {
        const { seq, updated_at } = await cairn.state.set({ session: child, key: 'k', value })
        // One statement sees one moment, past the program: nothing was read through it that could have caught up.
        const [row] = await store().sql(
          `SELECT k.value, k.version, k.updated_by, k.updated_at, k.seq, s.version AS last_sequence, e.version AS written
           FROM state_keys k JOIN streams s ON s.root = k.root AND s.stream = 'state'
           JOIN events e ON e.root = k.root AND e.seq = k.seq WHERE k.root = $1 AND k.key = 'k'`,
          session,
        )
        const { value: text, ...numbers } = row ?? {}
        expect(text).toBe(JSON.stringify(value))
        expect(Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, Number(number)]))).toEqual({
          version: at + 1,
          updated_by: 1,
          updated_at: Date.parse(updated_at),
          seq,
          last_sequence: at + 1,
          written: at + 1,
        })
      }
    })

    it.each(['seq', 'version'])('S0-82 have no two events of one %s, whoever writes them', async (number) => {
      const { cairn, session } = await newRoot(store())
      for (const value of [1, 2]) await cairn.state.set({ key: 'k', value })
      const twice = `UPDATE events SET ${number} = ${number} - 1 WHERE root = $1 AND stream = 'state' AND version = 2`
      await expect(store().sql(twice, session)).rejects.toThrow(/unique/i)
    })

    it('U52 S0-128 S0-132 name their root: no session is without one, a child least of all', async () => {
      const { cairn, session } = await newRoot(store())
      await newChild(cairn, session)
      const rows = await store().sql(
        `SELECT r.id, s.parent_no FROM sessions s LEFT JOIN roots r ON r.root = s.root
         WHERE s.root = $1 ORDER BY s.no`,
        session,
      )
      expect(rows.map(({ id, parent_no }) => [id, parent_no === null])).toEqual([
        [session, true],
        [session, false],
      ])
      const orphaned = store().sql('UPDATE sessions SET root = NULL WHERE root = $1', session)
      await expect(orphaned).rejects.toThrow(/null/i)
    })
  })
}
