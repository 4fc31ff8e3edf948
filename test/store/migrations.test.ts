import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import type { AnyTable } from '../../src/domain/log/tables.ts'
import { parts } from '../../src/domain/parts.ts'
import { migrations, statementsOf } from '../../src/store/migrations.ts'
import { keptAs } from '../../src/store/sqlite/long-texts.ts'
import { startActors } from '../setup/processes.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { freshStore, STORES, type TestStore } from '../setup/stores.ts'

/** With UPDATE_SCHEMA=1 the resulting schemas are written anew, and new migrations are added to the list of hashes. */
const updating = process.env.UPDATE_SCHEMA === '1'

const described: readonly AnyTable[] = parts.tables
const newest = migrations.length

interface Found {
  name: string
  columns: [name: string, kind: string][]
  key: string[]
}

const KINDS: Record<string, string> = {
  TEXT: 'text',
  INTEGER: 'integer',
  BLOB: 'bytes',
  bigint: 'integer',
  bytea: 'bytes',
}

/** The tables as the engine itself describes them. */
const READ: Record<TestStore['kind'], (store: TestStore) => Promise<Found[]>> = {
  async SQLite(store) {
    const names = await store.sql(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    return Promise.all(
      names.map(async ({ name }) => {
        const columns = (await store.sql(`PRAGMA table_info(${name})`)) as { name: string; type: string; pk: number }[]
        const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
        return {
          name: String(name),
          columns: columns.map((column) => [column.name, KINDS[column.type] ?? column.type]),
          key: key.map((column) => column.name),
        }
      }),
    )
  },
  async Postgres(store) {
    const columns = (await store.sql(
      `SELECT table_name AS of, column_name AS name, data_type AS type FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name <> 'cairn_format' ORDER BY table_name, ordinal_position`,
    )) as { of: string; name: string; type: string }[]
    const keys = (await store.sql(
      `SELECT c.relname AS of, a.attname AS name FROM pg_index i
       JOIN pg_class c ON c.oid = i.indrelid CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k(no, place)
       JOIN pg_attribute a ON a.attnum = k.no AND a.attrelid = i.indrelid
       WHERE i.indisprimary AND c.relnamespace = 'public'::regnamespace ORDER BY k.place`,
    )) as { of: string; name: string }[]
    return [...new Set(columns.map(({ of }) => of))].map((table) => ({
      name: table,
      columns: columns.filter(({ of }) => of === table).map(({ name, type }) => [name, KINDS[type] ?? type]),
      key: keys.filter(({ of }) => of === table).map(({ name }) => name),
    }))
  },
}

/** The whole schema as text, for people to read in a diff. */
const SHOW: Record<TestStore['kind'], (store: TestStore) => Promise<string>> = {
  async SQLite(store) {
    const rows = await store.sql(
      `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY tbl_name, type DESC, name`,
    )
    return rows.map(({ sql }) => `${sql};\n`).join('\n')
  },
  async Postgres(store) {
    const columns = await store.sql(`
      SELECT c.relname AS of, format('  %s %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
        CASE WHEN a.attcollation <> 0 THEN ' collate ' || l.collname ELSE '' END,
        CASE WHEN a.attnotnull THEN ' not null' ELSE '' END) AS line
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
      LEFT JOIN pg_collation l ON l.oid = a.attcollation
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY c.relname, a.attnum`)
    const constraints = await store.sql(`
      SELECT c.relname AS of, format('  %s %s', k.conname, pg_get_constraintdef(k.oid)) AS line
      FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
      WHERE c.relnamespace = 'public'::regnamespace AND k.contype <> 'n' ORDER BY 1, 2`)
    const indexes = await store.sql(`
      SELECT tablename AS of, '  ' || indexdef AS line FROM pg_indexes WHERE schemaname = 'public' ORDER BY tablename, indexname`)
    const names = [...new Set(columns.map((row) => String(row.of)))]
    const lines = [...columns, ...constraints, ...indexes]
    return names
      .map((name) => [name, ...lines.filter((row) => row.of === name).map((row) => row.line), ''].join('\n'))
      .join('\n')
  },
}

function hashList(): Map<string, string> {
  const file = 'migrations/hashes.txt'
  const known = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  return new Map(known.map((line) => line.split('  ').reverse() as [string, string]))
}

describe('migrations', () => {
  it('S3-48 are numbered without a gap, one file each', () => {
    const files = readdirSync('migrations').filter((name) => name.endsWith('.sql'))
    expect(migrations.map(({ name }) => `${name}.sql`)).toEqual(files.sort())
    expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, at) => at + 1))
    for (const { number, name } of migrations)
      expect(name).toMatch(new RegExp(`^${String(number).padStart(4, '0')}_[a-z_]+$`))
  })

  it('S3-55 only add: what is there stays as it is, for whoever goes back to a backup of it', () => {
    const isAddition = /^(CREATE (UNIQUE )?(TABLE|INDEX) |ALTER TABLE \w+ ADD COLUMN )/
    const others = migrations.flatMap(statementsOf).filter((statement) => !isAddition.test(statement))
    expect(others).toEqual([])
  })

  it('are never edited once they were applied somewhere', () => {
    const kept = hashList()
    for (const { name, sql } of migrations) {
      const hash = createHash('sha256').update(sql).digest('hex')
      if (updating && !kept.has(name)) kept.set(name, hash)
      expect(kept.get(name), `migrations/${name}.sql was edited: write a new one instead`).toBe(hash)
    }
    expect([...kept.keys()]).toEqual(migrations.map(({ name }) => name))
    if (updating) writeFileSync('migrations/hashes.txt', [...kept].map(([name, hash]) => `${hash}  ${name}\n`).join(''))
  })
})

for (const kind of STORES) {
  describe(`the schema on ${kind.name}`, () => {
    const store = freshStore(kind, { unmade: true })

    it('is the one in migrations/, to the letter', async () => {
      await store().open()
      const file = `migrations/schema.${kind.name.toLowerCase()}.txt`
      const shown = await SHOW[kind.name](store())
      if (updating) writeFileSync(file, shown)
      expect(shown, `if this is meant: UPDATE_SCHEMA=1 npx vitest run test/store`).toBe(readFileSync(file, 'utf8'))
    })

    it('S0-17 S0-20 S0-53 has the tables, columns, kinds and keys that the domain says, by root first', async () => {
      await store().open()
      const found = await READ[kind.name](store())
      const kept = kind.name === 'SQLite' ? described.flatMap(keptAs) : described
      const wanted = kept.map(({ name, columns, key, ofRoot }) => ({
        name,
        // To the engine, bytes are bytes.
        columns: Object.entries(columns).map(([column, kind]) => [column, kind === 'hex' ? 'bytes' : kind]),
        key: ofRoot ? ['root', ...key] : [...key],
      }))
      expect(found).toEqual(wanted.sort((a, b) => (a.name < b.name ? -1 : 1)))
    })

    it('C20 is refused when it is newer than the program, and left alone', async () => {
      const { session } = await newRoot(store())
      await store().close()
      const future = kind.name === 'SQLite' ? 'PRAGMA user_version = 99' : 'UPDATE cairn_format SET format = 99'
      await store().sql(future)
      const refusal = await refused(store().open())
      expect(refusal).toMatchObject({
        code: 'store_too_new',
        details: { store_format: 99, program_format: newest },
        message: expect.stringContaining('99'),
      })
      expect(await store().sql('SELECT id FROM sessions')).toEqual([{ id: session }])
      await store().sql(future.replace('99', String(newest)))
    })

    it('is made once, however many processes open the empty store at once', async () => {
      const actors = await startActors(
        store().options,
        Array.from({ length: 8 }, () => ''),
      )
      const done = await Promise.all(actors.map((actor, at) => actor.call('session.create', [[{ topic: `t${at}` }]])))
      expect(done.flat(2).filter((each) => 'refused' in each)).toEqual([])
      const { sessions } = await (await store().open()).session.list({})
      expect(sessions.map(({ topic }) => topic).sort()).toEqual(Array.from({ length: 8 }, (_, at) => `t${at}`))
    })

    it('is closed twice without harm', async () => {
      const { cairn } = await newRoot(store())
      await store().close()
      await cairn.close()
    })
  })
}

describe('the files of SQLite', () => {
  const store = freshStore(STORES[0] as (typeof STORES)[number], { damaged: true, unmade: true })

  function mode(path: string): string {
    return (statSync(path).mode & 0o777).toString(8)
  }

  it('are for their owner only', async () => {
    const { cairn } = await newRoot(store())
    await cairn.state.set({ key: 'k', value: 1 })
    expect(mode(store().home)).toBe('700')
    const files = readdirSync(store().home)
    expect(files).toEqual(expect.arrayContaining(['cairn.db', 'cairn.db-wal']))
    for (const file of files) expect(mode(join(store().home, file)), file).toBe('600')
  })

  /** A database that some other program left where ours would be. */
  function foreign(...statements: string[]): string {
    mkdirSync(store().home, { recursive: true })
    const path = join(store().home, 'cairn.db')
    const db = new DatabaseSync(path)
    for (const statement of statements) db.exec(statement)
    db.close()
    return path
  }

  it('C20 are refused when another program made them, and stay as they are', async () => {
    const path = foreign('CREATE TABLE notes (text TEXT)', `INSERT INTO notes VALUES ('mine')`)
    const before = readFileSync(path)
    expect(await refused(store().open())).toMatchObject({
      code: 'storage_error',
      message: expect.stringContaining('notes'),
    })
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('C20 are refused also when that program counts its formats as we do', async () => {
    foreign('CREATE TABLE notes (text TEXT)', `PRAGMA user_version = ${newest}`)
    expect(await refused(store().open())).toMatchObject({ code: 'storage_error' })
  })

  it('are refused when they are no database', async () => {
    mkdirSync(store().home, { recursive: true })
    const path = join(store().home, 'cairn.db')
    writeFileSync(path, 'Dear diary, '.repeat(500))
    expect(await refused(store().open())).toMatchObject({ code: 'storage_error' })
    expect(readFileSync(path, 'utf8')).toBe('Dear diary, '.repeat(500))
  })
})

describe('the tables of Postgres', () => {
  const store = freshStore(STORES[1] as (typeof STORES)[number], { damaged: true, unmade: true })

  it('C20 are refused when another program has one of these names, and stay as they are', async () => {
    await store().sql('CREATE TABLE sessions (cookie TEXT)')
    expect(await refused(store().open())).toMatchObject({ code: 'storage_error' })
    const found = await store().sql(`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`)
    expect(found).toEqual([{ table_name: 'sessions' }])
  })

  it('are refused as unavailable when the server or the database is not there', async () => {
    const url = new URL(store().options.store as string)
    url.pathname = '/no_such_database'
    expect(await refused(store().open({ store: url.href }))).toMatchObject({ code: 'unavailable' })
    url.port = '1'
    expect(await refused(store().open({ store: url.href }))).toMatchObject({ code: 'unavailable' })
  })
})
