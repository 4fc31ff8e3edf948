// Stores that earlier commits wrote: each is opened, brought up to date, proved, and gone on with. Those of a folder of
// test/fixtures/stores/ were made by the commit of its name (scripts/store-fixture.mjs).
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { openCairn, openLog } from '../../src/open.ts'
import { migrations } from '../../src/store/migrations.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { freshDatabase } from '../setup/postgres-server.ts'

const folder = 'test/fixtures/stores'

interface Answers {
  readonly root: string
  readonly child: string
  readonly other: string
  readonly hash: string
  readonly context: object
  readonly roots: Record<string, { state: object; then?: object; hashes: string[] }>
}

interface Kept {
  readonly answers: Answers
  readonly options: { readonly home: string; readonly store?: string }
}

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'cairn-before-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

function unzipped(path: string): Buffer {
  return gunzipSync(readFileSync(path))
}

function onSqlite(from: string): Kept {
  const home = join(newHome(), 'home')
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'cairn.db'), unzipped(join(from, 'store.db.gz')), { mode: 0o600 })
  return { answers: JSON.parse(String(unzipped(join(from, 'answers.json.gz')))), options: { home } }
}

async function onPostgres(from: string): Promise<Kept> {
  const { answers, rows } = JSON.parse(unzipped(join(from, 'postgres.json.gz')).toString())
  const { url, drop } = await freshDatabase(inject('postgres'))
  onTestFinished(drop)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const [{ format }] = rows.cairn_format
  await migrate(client, migrations.slice(0, Number(format)))
  for (const [name, all] of Object.entries<object[]>(rows)) {
    if (name === 'cairn_format') continue
    for (const row of all) {
      const values = Object.values(row)
      const places = values.map((_, at) => `$${at + 1}`).join(', ')
      await client.query(`INSERT INTO ${name} (${Object.keys(row).join(', ')}) VALUES (${places})`, values)
    }
  }
  await client.end()
  return { answers, options: { home: newHome(), store: url } }
}

for (const commit of readdirSync(folder)) {
  describe.each([
    ['SQLite', onSqlite],
    ['Postgres', onPostgres],
  ])(`a store that ${commit} wrote, on %s`, (_, copied) => {
    it('S0-134 is brought up to date, has all it had, is proved by doctor, and is gone on with', async () => {
      const { answers, options } = await copied(join(folder, commit))
      const cairn = await openCairn(options)
      onTestFinished(() => cairn.close())
      for (const [session, { state, then, hashes }] of Object.entries(answers.roots)) {
        expect((await cairn.state.all({ session })).state).toEqual(state)
        if (then) expect((await cairn.state.all({ session, at: 20 })).state).toEqual(then)
        const { events } = await cairn.log.list({ session, since: 0, limit: 1000 })
        expect(events.map(({ hash }) => hash)).toEqual(hashes)
      }
      const { root, child, hash } = answers
      expect(await cairn.context.show({ session: child })).toEqual(answers.context)
      const { content } = await cairn.blob.get({ session: root, hash })
      expect(await new Response(content).text()).toMatch(/^a profile\n/)
      expect(await cairn.store.doctor({})).toMatchObject({ ok: true })

      const { id } = await cairn.task.add({ session: root, text: 'Speed it up' })
      expect(await cairn.task.claim({ session: root })).toMatchObject({ id })
      await cairn.decision.add({
        session: root,
        decision: 'Keep split()',
        context: 'speed',
        reason: 'it is fast enough',
      })
      expect((await cairn.journal.brief({ session: root })).text).toContain('Keep split()')
      const { session_id: again } = await cairn.session.fork({ session: root })
      expect((await cairn.task.list({ session: again })).tasks).toHaveLength(1)
      expect(await cairn.store.doctor({})).toMatchObject({ ok: true })
      const { log } = await openLog(options)
      expect(await log.verify().finally(() => log.close())).toEqual([])
    })
  })
}
