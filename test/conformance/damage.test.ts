import { describe, expect, it } from 'vitest'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { freshStore, STORES, type TestStore } from '../setup/stores.ts'

/** One statement past the program each, and what the check has to name. */
const DAMAGE: [what: string, statement: string, found: RegExp][] = [
  [
    'a byte of a body',
    `UPDATE events SET data = replace(data, '"value":1', '"value":3') WHERE seq = 3`,
    /^event 3 does not match its hash/,
  ],
  ['the author of an event', `UPDATE events SET actor = 'other' WHERE seq = 3`, /^event 3 does not match its hash/],
  ['the session of an event', `UPDATE events SET session_no = 1 WHERE seq = 3`, /^event 3 does not match its hash/],
  ['the time of an event', `UPDATE events SET at = at + 1 WHERE seq = 3`, /^event 3 does not match its hash/],
  ['the key of an event', `UPDATE events SET key = 'm' WHERE seq = 3`, /^event 3 does not match its hash/],
  ['the type of an event', `UPDATE events SET type = 'init' WHERE seq = 2`, /^event 2 does not match its hash/],
  [
    'the id of an event',
    `UPDATE events SET id = x'${'0f'.repeat(16)}' WHERE seq = 3`,
    /^event 3 does not match its hash/,
  ],
  ['the request of an event', `UPDATE events SET request = 'r' WHERE seq = 3`, /^event 3 does not match its hash/],
  ['a hash', `UPDATE events SET hash = x'${'0f'.repeat(32)}' WHERE seq = 4`, /^event 4 does not match its hash/],
  [
    'a version in a stream',
    `UPDATE events SET version = 99 WHERE seq = 3`,
    /^event 3 is version 99 of state, expected 1/,
  ],
  ['a missing event', `DELETE FROM events WHERE seq = 3`, /^event 4 follows 2: there is a gap/],
  ['the missing end of the log', `DELETE FROM events WHERE seq >= 6`, /^event 6 is missing/],
  [
    'a body removed without its digest',
    `UPDATE events SET data = NULL WHERE seq = 3`,
    /^event 3 has neither a body nor/,
  ],
  ['the place of the head', `UPDATE roots SET seq = seq + 1`, /^roots .*differs in seq/],
  ['the hash of the head', `UPDATE roots SET hash = x'0f'`, /^roots .*differs in hash/],
  [
    'the count of keys',
    `UPDATE streams SET items = items + 1 WHERE stream = 'state'`,
    /^streams state differs in items/,
  ],
  [
    'the count of bytes',
    `UPDATE streams SET bytes = bytes - 1 WHERE stream = 'state'`,
    /^streams state differs in bytes/,
  ],
  [
    'the count of sessions',
    `UPDATE streams SET items = 9 WHERE stream = 'session/0'`,
    /^streams session\/0 differs in items/,
  ],
  [
    'the version of a stream',
    `UPDATE streams SET version = version + 1 WHERE stream = 'state'`,
    /^streams state differs in version/,
  ],
  ['a missing stream', `DELETE FROM streams WHERE stream = 'session/1'`, /^streams session\/1 is missing/],
  ['a status', `UPDATE sessions SET status = 'failed' WHERE no = 1`, /^sessions 1 differs in status/],
  ['a parent', `UPDATE sessions SET parent_no = NULL WHERE no = 1`, /^sessions 1 differs in parent_no/],
  ['a missing session', `DELETE FROM sessions WHERE no = 1`, /^sessions 1 is missing/],
  ['a name', `UPDATE session_names SET no = 0 WHERE no = 1`, /^session_names .*differs in no/],
  [
    'a name too many',
    `INSERT INTO session_names SELECT root, 'ghost', 0 FROM roots`,
    /^session_names ghost is not in the log/,
  ],
  ['a value', `UPDATE state_keys SET value = '5' WHERE key = 'n'`, /^state_keys n differs in value/],
  [
    'the version of a key',
    `UPDATE state_keys SET version = version - 1 WHERE key = 'n'`,
    /^state_keys n differs in version/,
  ],
  ['who wrote a key', `UPDATE state_keys SET updated_by = 1 WHERE key = 'n'`, /^state_keys n differs in updated_by/],
  ['a tombstone that is gone', `DELETE FROM state_keys WHERE key = 'gone'`, /^state_keys gone is missing/],
  [
    'a key that is back',
    `UPDATE state_keys SET type = 'null', value = 'null' WHERE key = 'gone'`,
    /^state_keys gone differs in type/,
  ],
  [
    'a past value',
    `UPDATE state_versions SET body = '7' WHERE key = 'n' AND version = 1`,
    /^state_versions 3\/n differs in body/,
  ],
  [
    'a link between past values',
    `UPDATE state_versions SET prior = 0 WHERE kind = 'append'`,
    /^state_versions \d+\/l differs in prior/,
  ],
  [
    'a missing past value',
    `DELETE FROM state_versions WHERE key = 'n' AND version = 1`,
    /^state_versions 3\/n is missing/,
  ],
  [
    'a past value after the end of the log',
    `INSERT INTO state_versions SELECT root, 99, key, 3, kind, 0, at, age, session_no, body, traits FROM state_versions
      WHERE key = 'n' AND version = 1`,
    /^state_versions 99\/n is not in the log/,
  ],
  [
    'a session as it was',
    `UPDATE row_versions SET row = '[]' WHERE tbl = 'sessions' AND place = '1'`,
    /^row_versions sessions\/1\/2 differs in row/,
  ],
  [
    'a missing session as it was',
    `DELETE FROM row_versions WHERE tbl = 'sessions' AND place = '1'`,
    /^row_versions sessions\/1\/2 is missing/,
  ],
  [
    'a session that never was',
    `INSERT INTO row_versions SELECT root, 'sessions', '7', 3, '[]' FROM roots`,
    /^row_versions sessions\/7\/3 is not in the log/,
  ],
  [
    'a place of a version that is not there',
    `INSERT INTO state_places SELECT root, 'n', 5 FROM roots`,
    /^state_places n has other places than there are versions/,
  ],
  [
    'places that were never put in order',
    `INSERT INTO indexing SELECT root, 'state_versions', seq FROM roots`,
    /^state_places n is missing/,
  ],
]

for (const kind of STORES) {
  describe(`damage on ${kind.name}`, () => {
    const store = freshStore(kind, { damaged: true })

    async function written(into: TestStore): Promise<string> {
      const { cairn, session } = await newRoot(into)
      await newChild(cairn, session, 'child')
      await cairn.state.set({ key: 'n', value: 1 })
      await cairn.state.increment({ key: 'n' })
      await cairn.state.append({ key: 'l', items: [1] })
      await cairn.state.append({ key: 'l', items: [2] })
      await cairn.state.set({ key: 'gone', value: true })
      await cairn.state.delete({ key: 'gone' })
      return session
    }

    it('finds every change that was made past the log: events by the hash chain, views by a replay', async () => {
      const root = await written(store())
      const { log } = await store().openLog()
      expect(await log.verify()).toEqual([])
      const damaged = DAMAGE.map(([, statement]) => /(?:UPDATE|FROM|INTO) (\w+)/.exec(statement)?.[1] as string)
      for (const table of new Set(damaged)) await store().sql(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`)
      for (const [at, [what, statement, expected]] of DAMAGE.entries()) {
        await store().sql(statement)
        const found = (await log.verify()).map((problem) => `${problem.where} ${problem.what}`)
        expect(found.length, `${what}: nothing was found`).toBeGreaterThan(0)
        expect(found.join('\n'), what).toMatch(new RegExp(expected.source, 'm'))
        await store().sql(`DELETE FROM ${damaged[at]}`)
        await store().sql(`INSERT INTO ${damaged[at]} SELECT * FROM kept_${damaged[at]}`)
      }
      expect(await log.verify()).toEqual([])
      expect((await (await store().open()).state.all({ session: root })).state).toEqual({ n: 2, l: [1, 2] })
    })

    it('refuses to go on from versions that are gone, and lets everybody else go on', async () => {
      const { cairn, session } = await newRoot(store())
      for (let at = 0; at < 20; at++) await cairn.state.append({ key: 'list', items: ['y'.repeat(400)] })
      await store().sql(`DELETE FROM state_versions WHERE root = $1 AND version = 18`, session)
      const fresh = await store().open({ session })
      const operations = [{ op: 'add', path: '/-', value: 1 }]
      const [refusal, other] = await Promise.all([
        refused(fresh.state.jsonPatch({ key: 'list', operations })),
        fresh.state.set({ key: 'other', value: 1 }),
      ])
      expect(refusal).toMatchObject({ code: 'storage_error', hint: expect.stringContaining('doctor') })
      expect(other).toMatchObject({ version: 1 })
    })

    it('checks every root, and names the one that is damaged', async () => {
      const roots = [await written(store()), await written(store()), await written(store())]
      await store().sql(`UPDATE state_keys SET value = '9' WHERE key = 'n' AND root = $1`, roots[1] as string)
      const { log } = await store().openLog()
      expect(await log.verify()).toEqual([{ root: roots[1], where: 'state_keys n', what: 'differs in value' }])
    })

    it('finds a log whose head is gone', async () => {
      const root = await written(store())
      await store().sql('DELETE FROM roots')
      const { log } = await store().openLog()
      expect(await log.verify()).toEqual([expect.objectContaining({ root })])
    })
  })
}
