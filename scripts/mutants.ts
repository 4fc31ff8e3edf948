// Plants the faults of test/mutants/ one at a time, each in a copy of the working tree, and says which of them the tests see:
// npm run test:mutants [-- PART OF A NAME…]
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { mutants } from '../test/mutants/list.ts'
import type { Mutant } from '../test/mutants/mutant.ts'
import { startPostgres } from '../test/setup/postgres-server.ts'

/** Faults planted at once, each with its own copy and one process of tests. */
const atOnceMax = 2
/** A test that hangs is ended by its own limit; what takes longer than this hangs for good. */
const runMsMax = 5 * 60_000
/** The tests of all faults, one after the other. */
const unplantedMsMax = 60 * 60_000
/** Of all faults that are not accepted as unseen, so many must be seen. */
const shareMin = 0.9

/** `wrong` is a mutant that could not be planted: it says nothing about the tests. */
type Verdict = 'caught' | 'NOT caught' | 'accepted' | 'wrong'

interface Judged {
  readonly verdict: Verdict
  readonly detail: string
}

interface RunOptions {
  readonly msMax?: number
  readonly env?: Record<string, string>
}

const folder = mkdtempSync(join(tmpdir(), 'cairn-mutants-'))
const running = new Set<number>()
process.once('exit', () => {
  for (const pid of running) endGroup(pid)
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

/** All that is or would be committed, with the packages that are installed here. */
function copyTree(name: string): string {
  const copy = join(folder, name)
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
  for (const path of new Set(listed.split('\0'))) {
    if (path === '' || !existsSync(path)) continue
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    cpSync(path, join(copy, path))
  }
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'), 'dir')
  return copy
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** The exit code; undefined when the time was over. */
function run(copy: string, args: readonly string[], { msMax = runMsMax, env = {} }: RunOptions = {}) {
  return new Promise<number | undefined>((resolve) => {
    // A group of its own: what it started ends with it.
    const options = { cwd: copy, env: { ...process.env, ...env }, stdio: 'ignore', detached: true } as const
    const child = spawn(process.execPath, args, options)
    const pid = child.pid as number
    running.add(pid)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      endGroup(pid)
    }, msMax)
    child.once('exit', (code) => {
      clearTimeout(timer)
      endGroup(pid)
      running.delete(pid)
      resolve(isLate ? undefined : (code ?? 1))
    })
  })
}

/** Which test saw it; undefined when all passed. */
async function firstFailure(
  copy: string,
  tests: readonly string[],
  database: string,
  msMax = runMsMax,
): Promise<string | undefined> {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--maxWorkers=1', '--reporter=json']
  const code = await run(copy, [...vitest, `--outputFile=${report}`, ...tests], {
    msMax,
    env: { DATABASE_URL: database },
  })
  if (code === 0) return undefined
  if (code === undefined) return `it did not end within ${msMax / 1000} s`
  return failureIn(report) ?? 'an error outside of any test'
}

function failureIn(report: string): string | undefined {
  if (!existsSync(report)) return undefined
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: { status: string; fullName: string }[] }[]
  }
  const all = testResults.flatMap(({ assertionResults }) => assertionResults)
  return all.find(({ status }) => status === 'failed')?.fullName
}

async function judge(copy: string, mutant: Mutant, database: string): Promise<Judged> {
  const path = join(copy, mutant.file)
  const missing = [mutant.file, ...mutant.tests].find((file) => !existsSync(join(copy, file)))
  if (missing !== undefined) return { verdict: 'wrong', detail: `there is no ${missing}` }
  const text = readFileSync(path, 'utf8')
  const times = text.split(mutant.find).length - 1
  if (times !== 1) return { verdict: 'wrong', detail: times === 0 ? 'text not found' : `text found ${times} times` }
  writeFileSync(
    path,
    text.replace(mutant.find, () => mutant.replace),
  )
  try {
    if ((await run(copy, ['scripts/build.mjs'])) !== 0) return { verdict: 'wrong', detail: 'it does not build' }
    const failure = await firstFailure(copy, mutant.tests, database)
    if (failure !== undefined) return { verdict: 'caught', detail: `by ${failure}` }
    return mutant.why === undefined
      ? { verdict: 'NOT caught', detail: `by ${mutant.tests.join(', ')}` }
      : { verdict: 'accepted', detail: mutant.why }
  } finally {
    writeFileSync(path, text)
  }
}

/** A test that fails by itself would catch everything. */
async function checkUnplanted(copy: string, chosen: readonly Mutant[], database: string): Promise<void> {
  const tests = [...new Set(chosen.flatMap((mutant) => mutant.tests))].filter((file) => existsSync(file))
  await run(copy, ['scripts/build.mjs'])
  const failure = await firstFailure(copy, tests, database, unplantedMsMax)
  if (failure === undefined) return
  process.stderr.write(`the tests fail with nothing planted: ${failure}\n`)
  process.exit(1)
}

async function judgeAll(chosen: readonly Mutant[], database: string): Promise<Judged[]> {
  const copies = Array.from({ length: Math.min(atOnceMax, chosen.length) }, (_, at) => copyTree(`copy-${at}`))
  await checkUnplanted(copies[0] as string, chosen, database)
  const waiting = [...chosen]
  const judged: Judged[] = []
  const work = async (copy: string) => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const each = await judge(copy, mutant, database)
      judged.push(each)
      process.stdout.write(`${each.verdict.padEnd(10)}  ${mutant.name} (${each.detail})\n`)
    }
  }
  await Promise.all(copies.map(work))
  return judged
}

function summary(judged: readonly Judged[]): { line: string; isGood: boolean } {
  const count = (verdict: Verdict) => judged.filter((each) => each.verdict === verdict).length
  const [caught, missed, accepted, wrong] = [count('caught'), count('NOT caught'), count('accepted'), count('wrong')]
  const share = caught + missed === 0 ? 1 : caught / (caught + missed)
  const percent = `${(share * 100).toFixed(1)} %`
  const line = `${judged.length} planted: ${caught} caught, ${missed} NOT caught, ${accepted} accepted, ${wrong} wrong; ${percent}`
  return { line, isGood: share >= shareMin && wrong === 0 }
}

async function main(): Promise<void> {
  const parts = process.argv.slice(2).map((part) => part.toLowerCase())
  const isMeant = ({ name }: Mutant) => parts.length === 0 || parts.some((part) => name.toLowerCase().includes(part))
  const chosen = mutants.filter(isMeant)
  if (chosen.length === 0) {
    process.stderr.write(`no mutant has ${parts.map((part) => JSON.stringify(part)).join(' or ')} in its name\n`)
    process.exit(2)
  }
  const server = await startPostgres()
  const { line, isGood } = summary(await judgeAll(chosen, server.url).finally(() => server.remove()))
  process.stdout.write(`${line}\n`)
  process.exitCode = isGood ? 0 : 1
}

await main()
