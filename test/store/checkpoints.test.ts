import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { openCairn } from '../../src/index.ts'

const pageBytes = 4096 + 24
const commits = 500

async function writing() {
  const home = mkdtempSync(join(tmpdir(), 'cairn-checkpoints-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const cairn = await openCairn({ home })
  const { session_id: session } = await cairn.session.create({ topic: 't' })
  const write = async () => {
    for (let at = 0; at < commits; at++) await cairn.state.set({ session, key: `k${at % 7}`, value: at })
  }
  const path = join(home, 'cairn.db')
  return { cairn, session, path, write, logPages: () => statSync(`${path}-wal`).size / pageBytes }
}

it('the write-ahead log is started over again and again', async () => {
  const { cairn, write, logPages } = await writing()
  await write()
  expect(logPages()).toBeLessThan(1500)
  await cairn.close()
})

it('the log goes on while somebody reads an old moment, and is started over afterwards', async () => {
  const { cairn, session, path, write, logPages } = await writing()
  await cairn.state.set({ session, key: 'k0', value: 'before' })
  const reader = new DatabaseSync(path)
  reader.exec('BEGIN')
  const read = () => reader.prepare(`SELECT value FROM state_keys WHERE key = 'k0'`).get() as { value: string }
  expect(read().value).toBe('"before"')
  await write()
  expect(read().value).toBe('"before"')
  const held = logPages()
  expect(held).toBeGreaterThan(1500)
  reader.exec('COMMIT')
  await write()
  expect(logPages()).toBeLessThan(held + 500)
  reader.close()
  await cairn.close()
})
