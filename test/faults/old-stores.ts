// Stores as programs before this one have written them.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { TestStore } from '../setup/stores.ts'

const fixture = readFileSync('test/fixtures/format-1.sql', 'utf8')
const pragmas = /PRAGMA[^;]*;/g

/** What the first format has in it, as it was read by the program of that time. */
export const written = JSON.parse(readFileSync('test/fixtures/format-1.json', 'utf8'))

/** Makes the first format of a store that nobody has opened yet. */
export async function fillOld(store: TestStore): Promise<void> {
  if (store.kind === 'SQLite') fillSqlite(store.home)
  else
    await store.sql(`${inPostgres(fixture)}; CREATE TABLE cairn_format (format BIGINT NOT NULL);
    INSERT INTO cairn_format VALUES (1)`)
}

function fillSqlite(home: string): void {
  mkdirSync(home, { mode: 0o700 })
  const db = new DatabaseSync(join(home, 'cairn.db'))
  db.exec('PRAGMA journal_mode = WAL')
  db.exec(`BEGIN; ${fixture.replace(pragmas, '')} COMMIT`)
  for (const [pragma] of fixture.matchAll(pragmas)) db.exec(pragma)
  db.close()
}

/** The same rows in tables as that program made them on Postgres. */
function inPostgres(text: string): string {
  const tables = /CREATE TABLE[^;]*;/g
  return text.replace(pragmas, '').replace(tables, (table) =>
    table
      .replace(/\bINTEGER\b/g, 'BIGINT')
      .replace(/\bTEXT\b/g, 'TEXT COLLATE "C"')
      .replace(/\) STRICT;$/, ');'),
  )
}
