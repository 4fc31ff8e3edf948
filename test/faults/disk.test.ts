// Disks that are full or read-only, files that are in the way, cut, replaced or removed.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { CairnRefusal } from '../../src/domain/log/refusal.ts'
import { openCairn } from '../../src/open.ts'
import { refused } from '../setup/roots.ts'
import { lacking, runChild } from './children.ts'
import { look, newFolder } from './stores.ts'

const unmountable = lacking('unshare', '-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt')
const pageBytes = 4096

function mounted(options: string): string {
  const folder = newFolder()
  spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  onTestFinished(() => void spawnSync('umount', ['-l', folder]))
  return folder
}

function remount(folder: string, options: string): void {
  const { status, stderr } = spawnSync('mount', ['-o', `remount,${options}`, folder])
  expect(status, String(stderr)).toBe(0)
}

/** A store that a process of its own filled: this one would keep its files open for a while. */
async function filled(home: string, times = 5): Promise<string> {
  const { root = '', errors } = await runChild({ home, do: 'write', times })
  expect(errors).toBe('')
  return root
}

/** Every file below a folder with its bytes. */
function filesBelow(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true }).map(String).sort()
  /** What SQLite needs beside a database to read it is no part of it. */
  const isFile = (name: string) => statSync(join(folder, name)).isFile() && !/-(shm|wal)$/.test(name)
  return Object.fromEntries(files.filter(isFile).map((name) => [name, readFileSync(join(folder, name), 'latin1')]))
}

async function expectRefused(home: string, message: RegExp): Promise<CairnRefusal> {
  const before = filesBelow(join(home, '..'))
  const refusal = await refused(openCairn({ home }))
  expect(refusal).toMatchObject({ code: 'storage_error', message: expect.stringMatching(message) })
  expect(filesBelow(join(home, '..'))).toEqual(before)
  return refusal
}

describe('a full disk', () => {
  it('U19 refuses writes and answers reads, and writes go on when there is room again', async (context) => {
    if (unmountable) context.skip(unmountable)
    const home = mounted('size=2m,mode=0700')
    const cairn = await openCairn({ home })
    const { session_id: session } = await cairn.session.create({ topic: 'full' })
    const written = new Map<string, string>()
    const fill = async (from: number) => {
      for (let at = from; at < from + 100; at++) {
        const value = `${at} `.repeat(10_000)
        await cairn.state.set({ session, key: `k${at}`, value })
        written.set(`k${at}`, value)
      }
    }
    expect(await refused(fill(0))).toMatchObject({ code: 'disk_full' })
    const whileFull = written.size
    expect(whileFull).toBeGreaterThan(0)
    expect((await refused(cairn.state.set({ session, key: 'more', value: 'm'.repeat(100_000) }))).code).toBe(
      'disk_full',
    )
    expect((await cairn.state.all({ session })).state).toEqual(Object.fromEntries(written))
    remount(home, 'size=64m')
    await fill(1000)
    await cairn.close()
    const { problems, checks, data } = await look(home)
    expect([problems, checks.filter(({ ok }) => !ok)]).toEqual([[], []])
    const { keys } = data[session] as { keys: { state: object } }
    expect(keys.state).toEqual(Object.fromEntries(written))
    expect(written.size).toBe(whileFull + 100)
  })

  it('refuses to make a store, and makes it when there is room again', async (context) => {
    if (unmountable) context.skip(unmountable)
    const home = mounted('size=1m,mode=0700')
    writeFileSync(join(home, 'ballast'), Buffer.alloc(1024 * 1024 - 16 * 1024))
    const refusal = await refused(openCairn({ home }))
    expect(['disk_full', 'storage_error']).toContain(refusal.code)
    rmSync(join(home, 'ballast'))
    await filled(home)
    expect((await look(home)).problems).toEqual([])
  })
})

describe('a store that cannot be opened is refused with its path, and stays as it is', () => {
  it('on a read-only disk', async (context) => {
    if (unmountable) context.skip(unmountable)
    const home = join(mounted('size=8m,mode=0700'), 'home')
    await filled(home)
    remount(join(home, '..'), 'ro')
    await expectRefused(home, /cairn\.db .*(EROFS|writing)/)
  })

  it('of another user', async (context) => {
    const other = ['--reuid=65534', '--regid=65534', '--clear-groups']
    const why = lacking('setpriv', ...other, 'true')
    if (why) context.skip(why)
    const folder = newFolder()
    chmodSync(folder, 0o755)
    const home = join(folder, 'home')
    await filled(home)
    const before = filesBelow(folder)
    const said = await runChild({ home, do: 'write', times: 1 }, { under: ['setpriv', ...other] })
    if (/EACCES.*faults\.\d+\.mjs|Cannot find module/.test(said.errors))
      context.skip('the other user cannot read the program')
    expect(said.raw).toEqual([])
    expect(said.refused.length, said.errors).toBeGreaterThan(0)
    for (const { code, message } of said.refused)
      expect([code, message]).toEqual(['storage_error', expect.stringMatching(/EACCES|cannot be read/)])
    expect(filesBelow(folder)).toEqual(before)
  })

  it('below a file', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'file'), 'a file')
    await expectRefused(join(folder, 'file'), /cairn\.db/)
  })

  it('where a folder has its name', async () => {
    const home = join(newFolder(), 'home')
    mkdirSync(join(home, 'cairn.db'), { recursive: true })
    await expectRefused(home, /cairn\.db/)
  })

  it('cut at a page and in the middle of one', async () => {
    const whole = join(newFolder(), 'home')
    await filled(whole)
    const bytes = statSync(join(whole, 'cairn.db')).size
    const pages = bytes / pageBytes
    const cuts = [1, 2, pages >> 1, pages - 1].flatMap((page) => [page * pageBytes, page * pageBytes - 1000])
    for (const cut of [50, 99, 100, 600, ...cuts, bytes - 1]) {
      const home = join(newFolder(), 'home')
      cpSync(whole, home, { recursive: true })
      truncateSync(join(home, 'cairn.db'), cut)
      await expectRefused(home, /cairn\.db is (damaged|not a Cairn store)/)
    }
  })

  it('of another program, whatever its log', async () => {
    for (const mode of ['DELETE', 'WAL']) {
      const home = join(newFolder(), 'home')
      mkdirSync(home, { recursive: true })
      const db = new DatabaseSync(join(home, 'cairn.db'))
      db.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')`)
      db.close()
      await expectRefused(home, /another program/)
    }
  })

  it.each(['Dear diary, ', 'SQLite format 3\0', '\0\0\0\0', '{"json": true}\n'])('full of %j', async (text) => {
    const home = join(newFolder(), 'home')
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'cairn.db'), text.repeat(1000))
    await expectRefused(home, /cairn\.db/)
  })
})

describe('a store that loses its files while it is open', () => {
  async function opened() {
    const home = join(newFolder(), 'home')
    const session = await filled(home)
    const cairn = await openCairn({ home, session })
    await cairn.state.set({ key: 'before', value: 1 })
    onTestFinished(() => cairn.close())
    return { home, path: join(home, 'cairn.db'), session, cairn }
  }

  const LOSSES: [what: string, lose: (path: string) => void][] = [
    ['removed', (path) => rmSync(path)],
    ['moved away', (path) => renameSync(path, `${path}.old`)],
    [
      'replaced by a copy',
      (path) => {
        copyFileSync(path, `${path}.new`)
        renameSync(`${path}.new`, path)
      },
    ],
    ['left without its write-ahead log', (path) => rmSync(`${path}-wal`)],
    ['left without its folder', (path) => rmSync(join(path, '..'), { recursive: true })],
  ]

  it.each(LOSSES)('U19 refuses writes when it is %s, and still reads', async (_, lose) => {
    const { path, cairn } = await opened()
    lose(path)
    for (const value of [1, 2]) {
      const refusal = await refused(cairn.state.set({ key: 'after', value }))
      expect(refusal).toMatchObject({ code: 'storage_error', message: expect.stringContaining('replaced') })
    }
    const { state } = await cairn.state.all({})
    expect([state.before, state.after]).toEqual([1, undefined])
  })

  it('U19 goes on when its file is put back, and does not touch the one that took its place', async () => {
    const { home, path, cairn } = await opened()
    renameSync(path, `${path}.old`)
    writeFileSync(path, 'another file')
    await refused(cairn.state.set({ key: 'after', value: 1 }))
    expect(readFileSync(path, 'utf8')).toBe('another file')
    renameSync(`${path}.old`, path)
    await cairn.state.set({ key: 'after', value: 2 })
    await cairn.close()
    expect((await look(home)).problems).toEqual([])
  })
})
