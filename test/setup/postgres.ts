// Gives every test file the address of a real Postgres server: that of DATABASE_URL, or one started for this run; and the name of a
// database of it that has the tables of a store and nothing in them, to be copied.
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrations } from '../../src/store/migrations.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import { freshDatabase, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: string
    ready: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL
  const server = given ? undefined : await startPostgres({ settings: { max_wal_size: '256MB' } })
  const url = given ?? server?.url ?? ''
  process.env.CAIRN_TEST_POSTGRES = url
  project.provide('postgres', url)
  const ready = await freshDatabase(url)
  const client = new pg.Client({ connectionString: ready.url })
  await client.connect()
  await migrate(client, migrations).finally(() => client.end())
  project.provide('ready', new URL(ready.url).pathname.slice(1))
  return async () => {
    await (server ? server.remove() : ready.drop())
  }
}
