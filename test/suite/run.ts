// Runs the tests, and ends with one summary of them: npm test [-- what vitest takes]
// In CI a file that failed runs once more, alone, when all others are done; what passes only then lets the run pass and is named.
// A run fails that leaves a process or a file behind. `--stress` runs it on a busy machine.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { processesLeft } from './left-behind.ts'
import { loadMachine } from './load.ts'
import { mayBeTriedAgain } from './never-again.ts'
import { type FileReport, isGreen, joined, type Report, summaryOf } from './report.ts'
import { newRunFolder } from './run-folder.ts'

const stress = '--stress'
const args = process.argv.slice(2)
const asked = args.filter((argument) => argument !== stress)
const own = mkdtempSync(join(tmpdir(), 'cairn-run-'))
const folder = newRunFolder()
const endLoad = args.includes(stress) ? loadMachine(join(own, 'written')) : undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
process.once('exit', () => {
  endLoad?.()
  for (const left of [own, folder]) rmSync(left, { recursive: true, force: true })
})

const first = await vitest(asked)
const again = process.env.CI === undefined ? [] : await triedAgain(first)
const { report, notes } = joined(first, again)
const left = await leftBehind()
for (const line of [...notes, ...left, ...summaryOf(report)]) process.stdout.write(`${line}\n`)
process.exitCode = isGreen(report) && left.length === 0 ? 0 : 1

/** A run that ends without a report counts as one failure that belongs to no file. */
async function vitest(files: readonly string[]): Promise<Report> {
  const path = join(own, 'report.json')
  rmSync(path, { force: true })
  const program = resolve('node_modules/vitest/vitest.mjs')
  const env = { ...process.env, TMPDIR: folder, CAIRN_TEST_REPORT: path }
  const child = spawn(process.execPath, [program, 'run', ...files], { stdio: 'inherit', env })
  const code = await new Promise<number | null>((done) => child.on('exit', done))
  const report: Report = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { files: [], stray: 1 }
  return isGreen(report) && code !== 0 ? { ...report, stray: 1 } : report
}

async function triedAgain({ files }: Report): Promise<FileReport[]> {
  const again: FileReport[] = []
  for (const { file, failures } of files) {
    if (failures.length === 0 || !mayBeTriedAgain(file)) continue
    process.stdout.write(`\n${file} failed; it runs once more, alone\n`)
    const report = await vitest([file, ...asked.filter((argument) => argument.startsWith('-'))])
    if (report.stray === 0) again.push(...report.files.filter((other) => other.file === file))
  }
  return again
}

/** Says what is left, and ends the processes. */
async function leftBehind(): Promise<string[]> {
  const processes = await processesLeft(folder)
  for (const { pid } of processes) process.kill(pid, 'SIGKILL')
  return [
    ...processes.map(({ pid, command }) => `left behind: process ${pid} ${command}`),
    ...readdirSync(folder).map((name) => `left behind: ${name} in the folder of temporary files`),
  ]
}
