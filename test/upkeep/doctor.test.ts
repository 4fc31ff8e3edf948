import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { freshStore, STORES, type TestStore } from '../setup/stores.ts'
import { allAnswers, allRows, toldRows } from './reading.ts'

/** One statement past the log each, and what has to be named: the table, the key of the row, the column. */
const VIEW_DAMAGE: [statement: string, found: RegExp][] = [
  [`UPDATE roots SET seq = seq + 1`, /roots .*differs in seq/],
  [`UPDATE roots SET seq = seq - 1`, /roots .*differs in seq/],
  [`UPDATE roots SET hash = x'0f'`, /roots .*differs in hash/],
  [`UPDATE streams SET items = 9 WHERE stream = 'session/0'`, /streams session\/0 of \S+ differs in items/],
  [`UPDATE streams SET items = items + 1 WHERE stream = 'state'`, /streams state of \S+ differs in items/],
  [`UPDATE streams SET bytes = bytes - 1 WHERE stream = 'state'`, /streams state of \S+ differs in bytes/],
  [`DELETE FROM roots`, /have rows of a root that has no head/],
  [`UPDATE streams SET version = version + 1 WHERE stream = 'state'`, /streams state of \S+ differs in version/],
  [`UPDATE streams SET created_at = 1 WHERE stream = 'session/1'`, /streams session\/1 of \S+ differs in created_at/],
  [`UPDATE streams SET updated_at = 1 WHERE stream = 'state'`, /streams state of \S+ differs in updated_at/],
  [`DELETE FROM streams WHERE stream = 'state'`, /streams state of \S+ is missing/],
  [
    `INSERT INTO streams SELECT root, 'ghost', 1, 1, 1, 0, 0, 0, 0 FROM roots`,
    /streams ghost of \S+ is not in the log/,
  ],
  [`UPDATE sessions SET status = 'failed' WHERE no = 1`, /sessions 1 of \S+ differs in status/],
  [`UPDATE sessions SET topic = 'other' WHERE no = 1`, /sessions 1 of \S+ differs in topic/],
  [`UPDATE sessions SET parent_no = NULL, depth = 0 WHERE no = 1`, /sessions 1 of \S+ differs in parent_no/],
  [`UPDATE sessions SET id = 'sess_0' WHERE no = 1`, /sessions 1 of \S+ differs in id/],
  [`UPDATE sessions SET metadata = '{}' WHERE no = 0`, /sessions 0 of \S+ differs in metadata/],
  [`DELETE FROM sessions WHERE no = 1`, /sessions 1 of \S+ is missing/],
  [
    `INSERT INTO sessions SELECT root, 7, 'sess_ghost', 'ghost', 'ghost', 0, 1, status, reason, type, topic, objective,
      description, strategy, metadata, created_at, updated_at, ended_at FROM sessions WHERE no = 1`,
    /sessions 7 of \S+ is not in the log/,
  ],
  [`UPDATE session_names SET no = 0 WHERE folded = 'child'`, /session_names child of \S+ differs in no/],
  [`UPDATE session_names SET folded = 'kid' WHERE folded = 'child'`, /session_names child of \S+ is missing/],
  [`DELETE FROM session_names WHERE folded = 'child'`, /session_names child of \S+ is missing/],
  [`INSERT INTO session_names SELECT root, 'ghost', 0 FROM roots`, /session_names ghost of \S+ is not in the log/],
  [`UPDATE state_keys SET value = '5' WHERE key = 'n'`, /state_keys n of \S+ differs in value/],
  [`UPDATE state_keys SET value = '{' WHERE key = 'n'`, /state_keys n of \S+ differs in value/],
  [`UPDATE state_keys SET version = version - 1 WHERE key = 'n'`, /state_keys n of \S+ differs in version/],
  [`UPDATE state_keys SET type = 'null', value = 'null' WHERE key = 'gone'`, /state_keys gone of \S+ differs in type/],
  [`UPDATE state_keys SET deltas = 0, partial = 1 WHERE key = 'l'`, /state_keys l of \S+ differs in partial/],
  [`UPDATE state_keys SET updated_by = 1 WHERE key = 'n'`, /state_keys n of \S+ differs in updated_by/],
  [`DELETE FROM state_keys WHERE key = 'gone'`, /state_keys gone of \S+ is missing/],
  [
    `INSERT INTO state_keys SELECT root, 'ghost', 1, 2, 'null', 0, 0, NULL, 4, 1, 1, 0, 'null', NULL FROM roots`,
    /state_keys ghost of \S+ is not in the log/,
  ],
  [
    `UPDATE state_versions SET body = '7' WHERE key = 'n' AND version = 1`,
    /state_versions 3\/n of \S+ differs in body/,
  ],
  [`UPDATE state_versions SET prior = 0 WHERE kind = 'append'`, /state_versions \d+\/l of \S+ differs in prior/],
  [`UPDATE state_versions SET kind = 'whole' WHERE kind = 'append'`, /state_versions \d+\/l of \S+ differs in kind/],
  [`UPDATE state_versions SET at = 1 WHERE key = 'gone'`, /state_versions \d+\/gone of \S+ differs in at/],
  [`DELETE FROM state_versions WHERE key = 'n' AND version = 1`, /state_versions 3\/n of \S+ is missing/],
  [
    `INSERT INTO state_versions SELECT root, 2, 'n', 1, 'whole', 0, 1, 1, 0, '9', NULL FROM roots`,
    /state_versions 2\/n of \S+ is not in the log/,
  ],
  [
    `INSERT INTO state_versions SELECT root, seq + 1, 'n', 9, 'whole', 0, 1, 1, 0, '9', NULL FROM roots`,
    /state_versions 9\/n of \S+ is not in the log/,
  ],
  [`UPDATE row_versions SET row = '[]' WHERE place = '1'`, /row_versions sessions\/1\/2 of \S+ differs in row/],
  [`DELETE FROM row_versions WHERE place = '0'`, /row_versions sessions\/0\/1 of \S+ is missing/],
  [
    `INSERT INTO row_versions SELECT root, 'sessions', '1', 4, '[]' FROM roots`,
    /row_versions sessions\/1\/4 of \S+ is not in the log/,
  ],
  [`DELETE FROM state_places WHERE key = 'n'`, /state_places n of \S+ is missing/],
  [`DELETE FROM state_places WHERE key = 'l' AND seq = 5`, /state_places l of \S+ has other places/],
  [`INSERT INTO state_places SELECT root, 'n', 5 FROM roots`, /state_places n of \S+ has other places/],
  [`INSERT INTO state_places SELECT root, 'ghost', 5 FROM roots`, /state_places ghost of \S+ has other places/],
  [`UPDATE indexing SET upto = upto - 1`, /state_places gone of \S+ has other places/],
  [`UPDATE indexing SET upto = upto + 1`, /indexing state_versions of \S+ is further than the log/],
  [`DELETE FROM indexing`, /state_places n of \S+ has other places/],
]

/** Statements one after another, and the event that has to be named. */
const LOG_DAMAGE: [what: string, statements: string[], found: RegExp][] = [
  ['a byte of a body', [`UPDATE events SET data = replace(data, '1', '3') WHERE seq = 3`], /event 3 .* match its hash/],
  ['a body', [`UPDATE events SET data = NULL WHERE seq = 4`], /event 4 of \S+ has neither a body/],
  ['an author', [`UPDATE events SET actor = 'other' WHERE seq = 3`], /event 3 of \S+ does not match its hash/],
  ['a time', [`UPDATE events SET at = at + 1 WHERE seq = 5`], /event 5 of \S+ does not match its hash/],
  ['a type', [`UPDATE events SET type = 'init' WHERE seq = 2`], /event 2 of \S+ does not match its hash/],
  ['a key', [`UPDATE events SET key = 'm' WHERE seq = 3`], /event 3 of \S+ does not match its hash/],
  ['a request', [`UPDATE events SET request = 'r' WHERE seq = 3`], /event 3 of \S+ does not match its hash/],
  ['a hash', [`UPDATE events SET hash = x'${'0f'.repeat(32)}' WHERE seq = 4`], /event 4 .*does not match its hash/],
  ['an event', [`DELETE FROM events WHERE seq = 3`], /event 4 of \S+ follows 2: there is a gap/],
  ['the last event', [`DELETE FROM events WHERE seq = 8`], /event 8 of \S+ is missing: the log went on to 8/],
  ['the whole log', [`DELETE FROM events`], /event 1 of \S+ is missing: the log went on to 8/],
  [
    'the order of two events',
    [
      'UPDATE events SET seq = 99 WHERE seq = 3',
      'UPDATE events SET seq = 3 WHERE seq = 4',
      'UPDATE events SET seq = 4 WHERE seq = 99',
    ],
    /event 3 of \S+ is version 2 of state, expected 1/,
  ],
]

/** Rows of which the log says nothing. */
const PLAIN_DAMAGE: [what: string, statement: string, found: RegExp][] = [
  [
    'a floor above the head',
    `UPDATE streams SET floor = 99, base = 99 WHERE floor > 0`,
    /streams state of \S+ begins where/,
  ],
  ['a base below the floor', `UPDATE streams SET floor = 3 WHERE stream = 'lease'`, /streams lease of \S+ begins/],
  ['a lease without its session', `UPDATE leases SET session_no = 7`, /leases l of \S+ has no session/],
  ['a claim that never was', `UPDATE leases SET epoch = 0`, /leases l of \S+ has no session/],
  [
    'an answer',
    `UPDATE requests SET answer = substr(answer, 2)`,
    /requests \S+\/r of \S+ has an answer that is not JSON/,
  ],
  ['a fingerprint', `UPDATE requests SET fingerprint = x'0f'`, /requests \S+\/r of \S+ has no fingerprint/],
  ['the root of a request', `UPDATE requests SET root = 99`, /requests .* belongs to a root that does not exist/],
  ['the session of a project', `UPDATE projects SET session = 'sess_ghost'`, /projects \/p of \S+ means a session/],
]

type Answer = { ok: boolean; checks: { name: string; ok: boolean; detail: string }[] }

function failing({ ok, checks }: Answer): { name: string; ok: boolean; detail: string }[] {
  const found = checks.filter((check) => !check.ok)
  expect(ok).toBe(found.length === 0)
  for (const check of checks) {
    expect(check).toEqual({
      name: expect.stringMatching(/^\w+$/),
      ok: expect.any(Boolean),
      detail: expect.stringMatching(/\S/),
    })
  }
  return found
}

async function written(cairn: Cairn, session: string): Promise<void> {
  await newChild(cairn, session, 'child')
  await cairn.state.set({ key: 'n', value: 1 })
  await cairn.state.increment({ key: 'n' })
  await cairn.state.append({ key: 'l', items: [1] })
  await cairn.state.append({ key: 'l', items: [2] })
  await cairn.state.set({ key: 'gone', value: true })
  await cairn.state.delete({ key: 'gone' })
}

for (const kind of STORES) {
  describe(`doctor on ${kind.name}`, () => {
    const store = freshStore(kind, { damaged: true })

    /** A root to be damaged, and another that has to stay as it is. */
    async function begin(): Promise<{ cairn: Cairn; session: string }> {
      const made = await newRoot(store())
      await written(made.cairn, made.session)
      return made
    }

    async function run(into: TestStore, statements: readonly string[]): Promise<void> {
      for (const statement of statements) await into.sql(statement)
    }

    it('C1 U60 finds, names and repairs every change of a view that was made past the log', async () => {
      const { session } = await begin()
      // As a command looks, without a thread for each time.
      const cairn = await store().open({ session, waits: 'blocking' })
      expect(failing(await cairn.store.doctor({}))).toEqual([])
      const [answers, rows] = [await allAnswers(cairn, session), await toldRows(store())]
      for (const [statement, found] of VIEW_DAMAGE) {
        await run(store(), [statement])
        const problems = failing(await cairn.store.doctor({}))
        expect(
          problems.map(({ name }) => name),
          statement,
        ).toEqual([/no head/.test(found.source) ? 'orphans' : 'views'])
        expect(problems[0]?.detail, statement).toMatch(found)
        expect(problems[0]?.detail, statement).toContain(session)
        const repaired = await cairn.store.doctor({ repair: true })
        expect(failing(repaired), statement).toEqual([])
        expect(repaired.checks.find(({ name }) => name === 'repair')?.detail, statement).toMatch(found)
        expect(await toldRows(store()), statement).toEqual(rows)
        expect(await store().sql('SELECT root, key, seq FROM state_places ORDER BY root, key, seq')).toEqual(
          await store().sql('SELECT root, key, seq FROM state_versions ORDER BY root, key, seq'),
        )
      }
      expect(await allAnswers(cairn, session), 'in memory').toEqual(answers)
      expect(await allAnswers(await store().reopen(), session), 'anew').toEqual(answers)
    })

    it('removes a head that has no log, and says so when there is nothing to repair', async () => {
      const { cairn, session } = await begin()
      const before = await allRows(store())
      expect((await cairn.store.doctor({ repair: true })).checks.at(-1)).toEqual({
        name: 'repair',
        ok: true,
        detail: 'nothing to do',
      })
      expect(await allRows(store())).toEqual(before)
      await store().sql(`INSERT INTO roots VALUES (99, 'sess_ghost', 0, x'', 0, 0, 0)`)
      expect(failing(await cairn.store.doctor({}))[0]?.detail).toMatch(/roots .*sess_ghost is not in the log/)
      expect(failing(await cairn.store.doctor({ repair: true }))).toEqual([])
      expect(await allRows(store())).toEqual(before)
      expect((await cairn.session.show({ session })).session_id).toBe(session)
    })

    it('names the event where the log was changed, and repairs nothing', async () => {
      const { cairn } = await begin()
      await store().sql('CREATE TABLE kept AS SELECT * FROM events')
      for (const [what, damage, found] of LOG_DAMAGE) {
        await run(store(), damage)
        const damaged = await allRows(store())
        for (const repair of [false, true]) {
          const [problem] = failing(await cairn.store.doctor({ repair }))
          expect(problem?.name, what).toBe('log')
          expect(problem?.detail, what).toMatch(found)
        }
        expect(await allRows(store()), what).toEqual(damaged)
        await run(store(), ['DELETE FROM events', 'INSERT INTO events SELECT * FROM kept'])
      }
      expect(failing(await cairn.store.doctor({}))).toEqual([])
    })

    it('repairs the views of one root while the log of another is broken', async () => {
      const [one, other] = [await begin(), await begin()]
      await store().sql(`UPDATE events SET actor = 'x' WHERE seq = 3 AND root = $1`, one.session)
      await store().sql(`UPDATE state_keys SET value = '9' WHERE key = 'n'`)
      const problems = failing(await one.cairn.store.doctor({ repair: true }))
      expect(problems.map(({ name }) => name)).toEqual(['log'])
      expect(problems[0]?.detail).toContain(`event 3 of ${one.session}`)
      expect(await other.cairn.state.get({ key: 'n' })).toMatchObject({ value: 2 })
      expect(await one.cairn.state.get({ key: 'n' })).toMatchObject({ value: 9 })
    })

    it('C1 repairs sessions that were moved below another root, or below none', async () => {
      const [one, other] = [await begin(), await begin()]
      const rows = await toldRows(store())
      const child = (no: number) => `UPDATE sessions SET root = $1, no = ${no} WHERE root = $2 AND no = 1`
      const all = 'UPDATE sessions SET root = $1 WHERE root = $2'
      const moves: Record<string, readonly [statement: string, to: string | number, from: string][]> = {
        'below the next': [[child(7), other.session, one.session]],
        'below the one before': [[child(7), one.session, other.session]],
        'below none': [[child(1), 99, one.session]],
        'all of them below none': [
          [all, 98, one.session],
          [all, 99, other.session],
        ],
        'each below the other': [
          [child(7), other.session, one.session],
          [child(8), one.session, other.session],
        ],
      }
      for (const [what, moved] of Object.entries(moves)) {
        for (const [statement, to, from] of moved) await store().sql(statement, to, from)
        const found = failing(await one.cairn.store.doctor({}))
        expect(found.map(({ detail }) => detail).join(), what).toContain(`of ${moved[0]?.[2]} is missing`)
        expect(failing(await one.cairn.store.doctor({ repair: true })), what).toEqual([])
        expect(await toldRows(store()), what).toEqual(rows)
      }
    })

    it('makes up no id for a root whose head and first session are both gone', async () => {
      const { cairn } = await begin()
      await store().sql('DELETE FROM roots')
      await store().sql('DELETE FROM sessions WHERE no = 0')
      const before = await allRows(store())
      for (const repair of [false, true]) {
        const [problem] = failing(await cairn.store.doctor({ repair }))
        expect(problem).toMatchObject({
          name: 'orphans',
          detail: expect.stringMatching(/events, .* of root 1 have rows/),
        })
      }
      expect(await allRows(store())).toEqual(before)
    })

    it('counts what it does not name', async () => {
      const { cairn } = await begin()
      for (let at = 0; at < 7; at++) await cairn.state.set({ key: `k${at}`, value: at })
      await store().sql(`UPDATE state_keys SET value = '"x"' WHERE key LIKE 'k%'`)
      expect(failing(await cairn.store.doctor({}))[0]?.detail).toMatch(/state_keys k4 .*; and 2 more$/)
    })

    it('finds rows that belong to no root', async () => {
      const { cairn } = await begin()
      await store().sql(`INSERT INTO state_versions VALUES (99, 1, 'k', 1, 'whole', 0, 1, 1, 0, '1', NULL)`)
      await store().sql(
        `INSERT INTO leases (root, name, epoch, hash, session_no, ttl, expires_at, boot) VALUES (99, 'l', 1, x'0f', 0, 1, 1, '')`,
      )
      const [problem] = failing(await cairn.store.doctor({}))
      expect(problem).toMatchObject({
        name: 'orphans',
        detail: expect.stringContaining('state_versions, leases of root 99'),
      })
      expect(failing(await cairn.store.doctor({ repair: true }))).toEqual([problem])
    })

    it.each(PLAIN_DAMAGE)('names plain rows that cannot be as they are: %s', async (_, statement, found) => {
      const { cairn, session } = await begin()
      await cairn.lease.claim({ name: 'l', ttl: '1h' })
      await cairn.state.increment({ key: 'n', request_id: 'r' })
      await cairn.project.use({ project: '/p' })
      await cairn.store.compact({ session, older_than: '0s' })
      expect(failing(await cairn.store.doctor({}))).toEqual([])
      await store().sql(statement)
      expect(failing(await cairn.store.doctor({}))).toEqual([
        { name: 'plain', ok: false, detail: expect.stringMatching(found) },
      ])
    })

    it('makes processes forget what they remember of a root that was repaired', async () => {
      const { cairn, session } = await begin()
      const [early, late] = [await store().open({ session }), await store().open({ session })]
      await early.state.increment({ key: 'n' })
      await early.state.append({ key: 'l', items: [3] })
      await store().sql(`UPDATE state_keys SET value = '40' WHERE key = 'n'`)
      expect(await late.state.increment({ key: 'n' })).toMatchObject({ value: 41 })
      expect(failing(await cairn.store.doctor({ repair: true }))).toEqual([])
      expect(await late.state.increment({ key: 'n' })).toMatchObject({ value: 5, version: 5 })
      expect(await early.state.increment({ key: 'n' })).toMatchObject({ value: 6, version: 6 })
      expect(await early.state.append({ key: 'l', items: [4] })).toMatchObject({ length: 4 })
      expect(failing(await late.store.doctor({}))).toEqual([])
    })

    it('makes processes forget a root whose lost head was repaired', async () => {
      const { cairn, session } = await begin()
      const other = await store().open({ session })
      await other.state.increment({ key: 'n' })
      await store().sql('DELETE FROM roots')
      expect(await refused(other.state.increment({ key: 'n' }))).toMatchObject({ code: 'session_not_found' })
      await cairn.store.doctor({ repair: true })
      expect(await other.state.increment({ key: 'n' })).toMatchObject({ value: 4, version: 4 })
      expect(failing(await other.store.doctor({}))).toEqual([])
    })

    it.runIf(kind.name === 'SQLite')('finds files that others can read', async () => {
      const { cairn } = await begin()
      const { home } = store()
      for (const file of ['', 'cairn.db', 'cairn.db-wal']) {
        const path = join(home, file)
        chmodSync(path, file === '' ? 0o755 : 0o644)
        const problems = failing(await cairn.store.doctor({}))
        expect(problems).toEqual([{ name: 'modes', ok: false, detail: `others can read ${file === '' ? home : path}` }])
        chmodSync(path, file === '' ? 0o700 : 0o600)
      }
      expect(failing(await cairn.store.doctor({}))).toEqual([])
    })
  })
}
