// The run itself, over small projects whose tests fail in a way that is known.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { neverAgain } from './never-again.ts'

const config = `export default { test: {
  globals: true, include: ['test/**/*.test.mjs'], reporters: [${JSON.stringify(resolve('test/suite/summary-reporter.ts'))}] } }`

const green = `it('is green', () => undefined)
it.skip('is skipped (it may be)', () => undefined)`

/** Fails once, and leaves the note that it did. */
const once = (note: string) => `import { existsSync, writeFileSync } from 'node:fs'
describe('one', () => it('fails once', () => {
  if (existsSync(${JSON.stringify(note)})) return
  writeFileSync(${JSON.stringify(note)}, '')
  throw new Error('the first time')
}))`

const always = `it('always fails', () => { throw new Error('again') })`

const leaving = `import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
it('leaves something', () => {
  mkdtempSync(join(tmpdir(), 'forgotten-'))
  spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)', 'forgotten'], { detached: true, stdio: 'ignore' }).unref()
})`

interface Ended {
  readonly lines: readonly string[]
  readonly code: number | null
}

/** Runs a project of these files. */
async function run(files: Record<string, string>, env: Record<string, string>): Promise<Ended> {
  const root = mkdtempSync(join(tmpdir(), 'cairn-run-test-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries({ 'vitest.config.mjs': config, ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text.replaceAll('ROOT', root))
  }
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, ['scripts/run-ts.mjs', 'test/suite/run.ts', `--root=${root}`], {
    env: { PATH, HOME, TMPDIR: tmpdir(), ...env },
  })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text
  })
  const code = await new Promise<number | null>((done) => child.on('close', done))
  return { lines: out.trimEnd().split('\n'), code }
}

it('in CI what fails once is tried again alone, passes, and is named before the summary', async () => {
  const { lines, code } = await run({ 'test/a.test.mjs': green, 'test/b.test.mjs': once('ROOT/note') }, { CI: 'true' })
  expect(lines.slice(-3)).toEqual([
    'passed only when tried again: test/b.test.mjs > one > fails once',
    'skipped 1: it may be',
    '2 passed, 0 failed, 1 skipped',
  ])
  expect(code).toBe(0)
})

it('what always fails fails the run, and so does what is never tried again; nothing is where it is no CI', async () => {
  const failing = await run({ 'test/a.test.mjs': always }, { CI: 'true' })
  expect([failing.lines.at(-1), failing.code]).toEqual(['0 passed, 1 failed, 0 skipped', 1])
  const lost = await run({ 'test/crash/a.test.mjs': once('ROOT/note') }, { CI: 'true' })
  expect([lost.lines.at(-1), lost.code]).toEqual(['0 passed, 1 failed, 0 skipped', 1])
  const local = await run({ 'test/a.test.mjs': once('ROOT/note') }, {})
  expect([local.lines.at(-1), local.code]).toEqual(['0 passed, 1 failed, 0 skipped', 1])
  expect([failing, lost, local].flatMap(({ lines }) => lines.filter((line) => /^passed only/.test(line)))).toEqual([])
})

it('a process or a file that is left behind fails the run and is named', async () => {
  const { lines, code } = await run({ 'test/a.test.mjs': leaving }, {})
  const left = lines.filter((line) => line.startsWith('left behind: '))
  expect(left).toEqual([
    expect.stringMatching(/process \d+ .*forgotten$/),
    expect.stringMatching(/forgotten-\w+ in the folder/),
  ])
  expect([lines.at(-1), code]).toEqual(['1 passed, 0 failed, 0 skipped', 1])
  expect(existsSync(`/proc/${/process (\d+)/.exec(left[0] ?? '')?.[1]}/fd/0`)).toBe(false)
})

it('what is never tried again exists', () => {
  for (const name of neverAgain) expect(existsSync(name), name).toBe(true)
  expect(readFileSync('.ci/run', 'utf8')).toContain('npm test')
})
