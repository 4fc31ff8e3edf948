// Each call that the program makes to the file system fails once, the first, the second, the third … until a run makes no
// such call any more: whatever fails, a caller is told in Cairn's own words, and the store is as it was told.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { judge, TRACED } from '../crash/trace.ts'
import { strace } from '../setup/strace.ts'
import { lacking, runChild, type Said } from './children.ts'
import { expectSound, lookInto, newFolder } from './stores.ts'

const why = lacking(...strace, '-qq', '-e', 'inject=fsync:error=EIO:when=1', '-o', '/dev/null', 'true')
const isLong = process.env.CAIRN_LONG !== undefined

const CODES = ['storage_error', 'disk_full', 'busy', 'unavailable', 'outcome_unknown']

const FAULTS: [call: string, error: string][] = [
  ['pwrite64', 'EIO'],
  ['pwrite64', 'ENOSPC'],
  ['fsync', 'EIO'],
  ['ftruncate', 'EIO'],
  ['link', 'EIO'],
  ['openat', 'EIO'],
]

/** What could be called in their place, and is not: there is nothing that could fail. */
const NEVER = [
  'write',
  'writev',
  'pwritev',
  'fdatasync',
  'sync_file_range',
  'linkat',
  'rename',
  'renameat',
  'renameat2',
]

/** The next call to fail: every one, or ever fewer of them. */
function after(number: number): number {
  return isLong ? number + 1 : number * 3
}

/** Only calls on these files are counted and fail: those of Node itself are none of ours. */
function filesIn(home: string, backup: string): string[] {
  const files = ['', '-wal', '-shm', '-log'].map((end) => join(home, `cairn.db${end}`))
  return [home, ...files, backup, `${backup}.unfinished`].flatMap((file) => ['-P', file])
}

interface Round {
  readonly home: string
  readonly backup: string
  readonly said: Said
  readonly trace: string
}

async function round(options: (home: string, backup: string) => string[]): Promise<Round> {
  const home = newFolder()
  const backup = join(newFolder(), 'backup.db')
  const file = join(newFolder(), 'trace')
  const under = [...strace, '-qq', '-o', file, ...options(home, backup)]
  const said = await runChild({ home, do: 'write', times: 2, backup }, { under })
  expect(existsSync(file), `${under.join(' ')}: ${said.errors}`).toBe(true)
  return { home, backup, said, trace: readFileSync(file, 'utf8') }
}

async function check({ home, backup, said }: Round, what: string): Promise<void> {
  expect([said.code, said.errors, said.raw], what).toEqual([0, '', []])
  for (const { code, message } of said.refused) {
    expect(CODES, what).toContain(code)
    expect(message, what).toMatch(/^\S.{10,}\.$/)
  }
  expect(said.asked.length, what).toBe(said.acked.length + said.refused.length)
  await expectSound(home, said, what)
  expect(existsSync(`${backup}.unfinished`), what).toBe(false)
  const { problems, checks } = await lookInto(backup)
  expect([problems, checks.filter(({ ok }) => !ok)], what).toEqual([[], []])
}

describe('every call to the file system', () => {
  it('U19 that writes, syncs, cuts, links or opens is one of those made to fail here: a trace shows no other', async (context) => {
    if (why) context.skip(why)
    const called = FAULTS.map(([call]) => call)
    const traced = `trace=${[...new Set(called), ...NEVER].join()}`
    const made = await round((home, backup) => [...filesIn(home, backup), '-e', traced])
    await check(made, traced)
    const seen = new Set(Array.from(made.trace.matchAll(/^\d+ +(\w+)\(/gm), ([, call]) => call))
    expect([...seen].sort()).toEqual([...new Set(called)].sort())
  })

  for (const [call, error] of FAULTS) {
    it(`U19 ${call} that fails with ${error} is told, and leaves nothing half done`, {
      timeout: 600_000,
    }, async (context) => {
      if (why) context.skip(why)
      let [rounds, refusals] = [0, 0]
      for (let number = 1; ; number = after(number)) {
        const inject = `inject=${call}:error=${error}:when=${number}`
        const made = await round((home, backup) => [...filesIn(home, backup), '-e', `trace=${call}`, '-e', inject])
        await check(made, inject)
        if (!made.trace.includes('(INJECTED)')) break
        rounds += 1
        refusals += made.said.refused.length
      }
      expect([rounds > 0, refusals > 0], `${call} was never made to fail, or nobody was told`).toEqual([true, true])
      console.log(`${call} ${error}: ${rounds} rounds, ${refusals} refusals`)
    })
  }

  it('U19 a file system that becomes read-only is told, and what was answered before is there', {
    timeout: 600_000,
  }, async (context) => {
    if (why) context.skip(why)
    // Whatever would write from then on is refused by the system, as it is once a disk has failed under it.
    const writes = 'pwrite64,fsync,ftruncate,link,unlink'
    let rounds = 0
    for (let number = 1; ; number *= 3) {
      const inject = `inject=${writes}:error=EROFS:when=${number}+`
      const made = await round((home, backup) => [...filesIn(home, backup), '-e', `trace=${writes}`, '-e', inject])
      const { home, said, trace } = made
      if (!trace.includes('(INJECTED)')) break
      rounds += 1
      // Who asks again and again gives up in the end, and was told the same each time.
      const hasGivenUp = said.code === 0 || said.errors.includes('was refused 8 times')
      expect([said.raw, hasGivenUp], `${inject}: ${said.errors}`).toEqual([[], true])
      for (const { code, message } of said.refused)
        expect([CODES.includes(code), message], inject).toEqual([true, expect.stringMatching(/^\S.{10,}\.$/)])
      if (said.acked.length > 0) await expectSound(home, said, inject)
    }
    expect(rounds).toBeGreaterThan(0)
  })

  it('S0-3 U19 a sync that fails is not followed by answers whose writes are not on disk', {
    timeout: 600_000,
  }, async (context) => {
    if (why) context.skip(why)
    for (let number = 1; ; number += isLong ? 1 : 4) {
      const made = await round(() => [...TRACED, '-e', `inject=fsync,fdatasync:error=EIO:when=${number}`])
      await check(made, `sync ${number}`)
      const synced = made.trace.replace(/^.*\bf(?:data)?sync\(.*INJECTED.*$/gm, '')
      const early = judge(synced).early.filter((id) => /^[345]\./.test(id))
      expect(early, `sync ${number}`).toEqual([])
      if (!made.trace.includes('(INJECTED)')) break
    }
  })

  it('U19 a write whose sync failed is not there after a crash either', { timeout: 600_000 }, async (context) => {
    if (why) context.skip(why)
    let died = 0
    for (let number = 1, isOver = false; !isOver; number += 1) {
      const [home, file] = [newFolder(), join(newFolder(), 'trace')]
      const inject = ['-e', 'trace=fsync,fdatasync', '-e', `inject=fsync,fdatasync:error=EIO:when=${number}`]
      const under = [...strace, '-qq', '-o', file, ...inject]
      const said = await runChild({ home, do: 'write', times: 1, dies: true }, { under })
      await expectSound(home, said, `sync ${number}`)
      if (said.refused.some(({ id }) => /^[345]/.test(id))) died += 1
      isOver = !readFileSync(file, 'utf8').includes('(INJECTED)')
    }
    expect(died).toBeGreaterThanOrEqual(3)
  })
})
