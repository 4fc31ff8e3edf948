// The rows of a part, also of one that the product does not know.
import { describe, expect, it } from 'vitest'
import type { Event } from '../../src/domain/log/event.ts'
import { text } from '../../src/domain/log/input-schema.ts'
import { type Part, Parts } from '../../src/domain/log/part.ts'
import { type Rows, rowOf } from '../../src/domain/log/rows.ts'
import { streams, table } from '../../src/domain/log/tables.ts'
import { partList } from '../../src/domain/parts.ts'
import { operations } from '../../src/operations/index.ts'
import { change } from '../../src/operations/operation.ts'
import { migrations as migrationsOfProduct } from '../../src/store/migrations.ts'
import { EvolvingRows, type RowsRead } from '../setup/evolving-rows.ts'
import { refused } from '../setup/roots.ts'
import { freshStore, STORES } from '../setup/stores.ts'

interface NoteRow {
  root: number
  name: string
  mark: string
  at: number
}

const notes = table<NoteRow>(
  'notes',
  ['name'],
  { root: 'integer', name: 'text', mark: 'hex', at: 'integer' },
  { past: true },
)

/** Plain rows: of the moment, so no answer has them. */
const drafts = table<{ root: number; name: string }>(
  'note_drafts',
  ['name'],
  { root: 'integer', name: 'text' },
  { view: false },
)

type Noted = Event & { data: { name: string; mark: string } }

const notesPart: Part = {
  name: 'notes',
  owns: (stream) => stream === 'notes',
  tables: [notes, drafts],
  evolve: {
    noted: (rows: Rows, { root, at, data }: Noted) => rows.put(notes, { root, name: data.name, mark: data.mark, at }),
  },
  bodies: 'kept',
  secrets: 'refuse',
}

const migrations = [
  {
    number: migrationsOfProduct.length + 1,
    name: 'notes',
    sql: `CREATE TABLE notes (root INTEGER NOT NULL, name TEXT NOT NULL, mark BLOB NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (root, name));
      CREATE TABLE note_drafts (root INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (root, name));`,
  },
]

const note = change({
  name: 'note.put',
  summary: 'Note something.',
  command: { words: [] },
  input: { name: text('Name.'), mark: text('Hex digits.') },
  needs: ({ name }) => [rowOf(notes, name), rowOf(streams, 'notes')],
  decide({ name, mark }, on) {
    on.record({ type: 'noted', stream: 'notes', data: { name, mark } } as never)
    return { name }
  },
})

for (const kind of STORES) {
  describe(`rows of a part on ${kind.name}`, () => {
    // A program that does not know the part cannot verify what it made.
    const store = freshStore(kind, { damaged: true })
    const opening = { parts: new Parts([...partList, notesPart]), migrations }

    async function started() {
      const { log, caller } = await store().openLog(opening)
      const made = await log.execute(operations.session.create, { topic: 'notes' }, caller)
      const session = String(made.session_id)
      const put = (name: string, mark: string) => log.execute(note, { session, name, mark }, caller)
      const rows = async (asked: object = {}) =>
        (await log.execute(operations.log.rows, { session, part: 'notes', ...asked }, caller)) as unknown as RowsRead
      return { log, caller, session, put, rows }
    }

    it('gives the rows of a part that was handed in, as they are and as they were', async () => {
      const { put, rows, session, log } = await started()
      await put('b', 'ff00')
      await put('a', '01')
      await put('b', '02')
      const marks = async (at?: number) => {
        const { tables } = await rows(at === undefined ? {} : { at })
        expect(Object.keys(tables)).toEqual(['notes', 'streams'])
        return tables.notes?.map(({ name, mark }) => [name, mark])
      }
      expect(await marks(1)).toEqual([])
      expect(await marks(2)).toEqual([['b', 'ff00']])
      expect(await marks(3)).toEqual([
        ['a', '01'],
        ['b', 'ff00'],
      ])
      expect(await marks()).toEqual([
        ['a', '01'],
        ['b', '02'],
      ])
      const now = await rows()
      expect(now).toMatchObject({ root_session_id: session, part: 'notes', seq: 4 })
      expect(now.hash).toMatch(/^[0-9a-f]{64}$/)
      expect(now.tables.streams).toMatchObject([{ stream: 'notes', version: 3 }])
      for (const row of Object.values(now.tables).flat()) expect(row).not.toHaveProperty('root')
      expect((await rows({ table: 'notes' })).tables).toEqual({ notes: now.tables.notes })
      expect(await refused(rows({ table: 'note_drafts' }))).toMatchObject({ code: 'not_found' })
      expect(await refused(rows({ part: 'plans' }))).toMatchObject({
        details: { parts: expect.arrayContaining(['notes']) },
      })
      expect(await log.verify()).toEqual([])
    })

    it('whoever evolves the rows of any point with the events after it has those of the end', async () => {
      const { put, rows, log, caller, session } = await started()
      for (const [at, name] of ['b', 'a', 'b', 'c', 'a'].entries()) {
        await put(name, `0${at}`)
        await log.execute(operations.state.append, { session, key: 'l', items: [at] }, caller)
      }
      const last = await rows()
      for (let at = 0; at <= last.seq; at++) {
        const kept = new EvolvingRows(notesPart, await rows({ at }))
        if (at < last.seq) {
          for await (const event of log.follow(session, { since: at }, caller)) {
            kept.apply(event)
            if (event.seq === last.seq) break
          }
        }
        expect(kept.differences(last), `from ${at}`).toEqual([])
      }
    })

    it('refuses rows that are more than one answer may have', async () => {
      const { log, caller, session } = await started()
      const state = (asked: object) => log.execute(operations.log.rows, { session, part: 'state', ...asked }, caller)
      const value = '*'.repeat(1_000_000)
      for (let at = 0; at < 17; at++) {
        await log.execute(operations.state.set, { session, key: `k${at}`, value }, caller)
      }
      const told = await refused(state({}))
      expect(told).toMatchObject({ code: 'value_too_large', details: { limit: 'rowsChars' } })
      expect(await refused(state({ table: 'state_keys' }))).toMatchObject({ code: 'value_too_large' })
      expect(await state({ table: 'streams' })).toMatchObject({ tables: { streams: [{ items: 17 }] } })
      expect(await state({ at: 10 })).toMatchObject({ seq: 10 })
    })
  })
}
