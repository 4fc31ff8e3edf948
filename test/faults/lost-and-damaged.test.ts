// Files that are there and not what they were: copies without their log, backups and stores with a changed byte.
import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { openCairn } from '../../src/index.ts'
import { refused } from '../setup/roots.ts'
import { serveHere } from '../setup/serve-here.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-lost-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A store with a value that is easily found in its file. */
async function written(home: string) {
  const cairn = await openCairn({ home })
  const { session_id: session } = await cairn.session.create({ topic: 't' })
  await cairn.state.set({ session, key: 'k', value: `mark ${'.'.repeat(100)}` })
  return { cairn, session }
}

/** Changes a byte of what is called that in a file, wherever it stands. */
function change(path: string, text: string): void {
  const bytes = readFileSync(path)
  const file = openSync(path, 'r+')
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) writeSync(file, 'M', at)
  closeSync(file)
}

/** Overwrites the page that says which tables there are, past its header. */
function breakFirstPage(path: string): void {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(2000, 0xaa), 0, 2000, 108)
  closeSync(file)
}

it('FAULTS 17 a store that is copied without its log is an older one, and who saw more is told so', async () => {
  const [home, copy] = [newFolder(), newFolder()]
  const { cairn, session } = await written(home)
  const db = new DatabaseSync(join(home, 'cairn.db'))
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  for (let value = 1; value < 20; value++) await cairn.state.set({ session, key: 'k', value })
  const later = await cairn.session.create({ topic: 'only in the log' })
  const { last_seq: seen } = await cairn.log.list({ session, limit: 1 })
  copyFileSync(join(home, 'cairn.db'), join(copy, 'cairn.db'))
  const old = await openCairn({ home: copy })
  onTestFinished(() => Promise.all([cairn.close(), old.close()]).then(() => undefined))
  expect(await refused(old.log.list({ session, since: seen }))).toMatchObject({ code: 'history_lost' })
  const refusal = await refused(old.state.get({ session: later.session_id, key: 'k' }))
  expect(refusal).toMatchObject({ code: 'session_not_found' })
  expect((await old.state.get({ session, key: 'k' })).version).toBe(1)
})

it('FAULTS 17 the file of a new store is one before its log is ever emptied', async () => {
  const home = newFolder()
  const { cairn } = await written(home)
  const copy = newFolder()
  copyFileSync(join(home, 'cairn.db'), join(copy, 'cairn.db'))
  const tables = readFileSync(join(copy, 'cairn.db'), 'latin1')
  for (const name of ['events', 'state_keys', 'sessions']) expect(tables).toContain(`CREATE TABLE ${name}`)
  await cairn.close()
})

it('FAULTS 18 a backup with a changed byte is refused, and nothing of it is restored', async () => {
  const { cairn } = await written(newFolder())
  const file = join(newFolder(), 'backup.db')
  await cairn.store.backup({ file })
  await cairn.close()
  change(file, 'mark ')
  const other = await openCairn({ home: newFolder() })
  onTestFinished(() => other.close())
  const refusal = await refused(other.store.restore({ file }))
  expect(refusal).toMatchObject({ code: 'storage_error', message: expect.stringContaining('is damaged') })
  expect((await other.session.list({})).sessions).toEqual([])
})

it('FAULTS 18 a server does not serve a file that cannot be read', async () => {
  const home = newFolder()
  const { cairn } = await written(home)
  await cairn.close()
  breakFirstPage(join(home, 'cairn.db'))
  const serving = serveHere({ home, port: 0 })
  expect(await refused(serving)).toMatchObject({ code: 'storage_error' })
})
