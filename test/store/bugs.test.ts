// A bug of ours and a broken page look alike to whoever reads: only what can be either is held against the file.

import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { type ProjectRow, projects } from '../../src/domain/access/tables.ts'
import { ask } from '../../src/domain/log/questions.ts'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { aboutLog } from '../../src/domain/log/sql/about-log.ts'
import { openCairn } from '../../src/index.ts'
import { SqliteEngine } from '../../src/store/sqlite/engine.ts'
import { layout } from '../setup/layout.ts'

const pageBytes = 4096

/** A store of some pages, opened by an engine whose clock stands still until it is set. */
async function opened() {
  const home = mkdtempSync(join(tmpdir(), 'cairn-bugs-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const cairn = await openCairn({ home })
  const { session_id: session } = await cairn.session.create({ topic: 't' })
  const operations = Array.from({ length: 300 }, (_, at) => ({ op: 'set' as const, key: `k${at}`, value: at }))
  await cairn.state.batch({ session, operations })
  await cairn.close()
  const path = join(home, 'cairn.db')
  const time = { now: 0 }
  const clock = { ...systemClock(), now: () => time.now }
  const engine = await SqliteEngine.open({ path, clock, layout, waits: 'blocking' })
  onTestFinished(() => engine.close())
  engine.seal()
  return { engine, path, time }
}

/** Fills pages from the middle of the file with the same byte, and makes whoever has read them forget them. */
function breakPages(path: string): void {
  const db = new DatabaseSync(path)
  db.exec('UPDATE roots SET generation = generation + 1; PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  const file = openSync(path, 'r+')
  const pages = statSync(path).size / pageBytes
  const middle = Math.floor(pages / 2) * pageBytes
  writeSync(file, Buffer.alloc(4 * pageBytes, 7), 0, 4 * pageBytes, middle)
  closeSync(file)
}

function failing(engine: SqliteEngine): Promise<unknown> {
  const bug = new TypeError('a bug')
  const reading = function* () {
    yield* ask(aboutLog.all_roots)
    throw bug
  }
  return engine.read(reading(), false).catch((error: unknown) => (error === bug ? 'the bug' : error))
}

const damage = { code: 'storage_error', message: expect.stringContaining('a row cannot be read') }

it('U19 a bug is a bug in a file that is whole, and damage in one that is not', async () => {
  const { engine } = await opened()
  const other = await opened()
  breakPages(other.path)
  expect(await failing(engine)).toBe('the bug')
  expect(await failing(other.engine)).toMatchObject(damage)
})

it('what the driver says with a code is never taken for damage', async () => {
  const { engine, path } = await opened()
  breakPages(path)
  const row = { dir: '/p', session: undefined, updated_at: 0 } as unknown as ProjectRow
  const write = async () =>
    engine.write([], function* () {
      yield []
      return { changes: [{ table: projects, rows: [row] }], out: undefined }
    })
  const error = await write().catch((error: unknown) => error)
  expect(error).not.toBeInstanceOf(Refusal)
  expect(error).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' })
})

it('a file that was found whole is not looked through again for the next bug, but a minute later', async () => {
  const { engine, path, time } = await opened()
  expect(await failing(engine)).toBe('the bug')
  breakPages(path)
  expect(await failing(engine)).toBe('the bug')
  time.now += 60_000
  expect(await failing(engine)).toMatchObject(damage)
})
