import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
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

describe('the log of a server, which is copied on a thread', () => {
  async function serving() {
    const home = mkdtempSync(join(tmpdir(), 'cairn-checkpoints-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const cairn = await openCairn({ home, thorough: true })
    const { session_id: session } = await cairn.session.create({ topic: 't' })
    const path = join(home, 'cairn.db')
    const write = async (commits: number, bytes: number) => {
      for (let at = 0; at < commits; at++) {
        await cairn.state.set({ session, key: `k${at % 7}`, value: `${at} ${'x'.repeat(bytes)}` })
        // As between the requests of a server: what a thread has to say is heard.
        await nextTurn()
      }
    }
    return { cairn, session, home, path, write, logPages: () => statSync(`${path}-wal`).size / pageBytes }
  }

  it.each([
    ['small', 800, 0],
    ['large', 16, 500_000],
  ])('is started over again and again with %s commits, and loses nothing', async (_, commits, bytes) => {
    const { cairn, session, home, write, logPages } = await serving()
    /** As many small commits as it takes until the log is looked at: written over from its beginning, it grows no longer. */
    const grown = async () => {
      const before = logPages()
      await write(16, 0)
      return logPages() - before
    }
    for (let round = 0; round < 3; round++) {
      await write(commits, bytes)
      await expect.poll(grown).toBe(0)
    }
    // Without the thread, SQLite would begin to copy only at this length.
    expect(logPages()).toBeLessThan(16_000)
    const { value } = await cairn.state.get({ session, key: 'k0' })
    await cairn.close()
    const again = await openCairn({ home })
    expect((await again.state.get({ session, key: 'k0' })).value).toBe(value)
    expect((await again.store.doctor({})).ok).toBe(true)
    await again.close()
  })

  it('grows while somebody reads an old moment, and is started over afterwards', async () => {
    const { cairn, path, write, logPages } = await serving()
    await write(7, 0)
    const reader = new DatabaseSync(path)
    reader.exec('BEGIN')
    const read = () => reader.prepare(`SELECT count(*) AS n FROM events`).get() as { n: number }
    const { n } = read()
    await write(1000, 0)
    expect(read().n).toBe(n)
    expect(logPages()).toBeGreaterThan(1500)
    reader.exec('COMMIT')
    reader.close()
    const settled = async () => {
      const before = logPages()
      await write(300, 0)
      return logPages() - before
    }
    await expect.poll(settled).toBe(0)
    await cairn.close()
  })
})
