import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { checkSettings } from '../../src/store/sqlite/file.ts'

/** A connection as a store has it, but for what is done to it. */
function connection(change: (db: DatabaseSyncInstance) => void): DatabaseSyncInstance {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-settings-'))
  const db = new DatabaseSync(join(folder, 'cairn.db'))
  onTestFinished(() => {
    db.close()
    rmSync(folder, { recursive: true })
  })
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  change(db)
  return db
}

function ofVersion(version: string): (db: DatabaseSyncInstance) => void {
  return (db) => db.function('sqlite_version', () => version)
}

it.each([
  ['as it should be', () => undefined],
  ['of the oldest safe version', ofVersion('3.51.3')],
  ['of a later version', ofVersion('4.0.0')],
])('U20 takes a connection %s', (_, change) => {
  expect(() => checkSettings(connection(change))).not.toThrow()
})

it.each<[found: string, change: (db: DatabaseSyncInstance) => void]>([
  ['journal_mode delete', (db) => db.exec('PRAGMA journal_mode = DELETE')],
  ['synchronous 1', (db) => db.exec('PRAGMA synchronous = NORMAL')],
  ['synchronous 0', (db) => db.exec('PRAGMA synchronous = OFF')],
  ['SQLite 3.51.2', ofVersion('3.51.2')],
  ['SQLite 3.50.9', ofVersion('3.50.9')],
])('U20 refuses a connection with %s, and says so', (found, change) => {
  const db = connection(change)
  expect(() => checkSettings(db)).toThrow(
    expect.objectContaining({ code: 'storage_error', message: expect.stringContaining(found) }),
  )
})
