// Runs of real programs, each in a data folder of its own; nothing of them is left when a test has ended.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'
import { sleep } from '../../src/clock.ts'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { type Launching, launch } from '../../src/runner/processes/launch.ts'
import { membersOf } from '../../src/runner/processes/members.ts'
import { ProcessWatch, type RunFound } from '../../src/runner/processes/process-watch.ts'
import { RunFolder } from '../../src/runner/processes/run-folder.ts'
import { endProcesses } from '../../src/runner/processes/signals.ts'
import { programOf } from '../setup/program.ts'

export const whose = { root: 'a-root', session: 'a-session' }

/** Kills a process, unless it has ended since it was seen. */
export function killSeen(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A folder that is gone after the test, with all processes of its runs. */
export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'cairn-runs-'))
  onTestFinished(async () => {
    for (const run of existsSync(join(home, 'runs')) ? readdirSync(join(home, 'runs')) : []) {
      const folder = new RunFolder(home, run)
      if (membersOf(run, folder.process).length > 0) await endProcesses(folder, folder.process, 0)
    }
    rmSync(home, { recursive: true, force: true })
  })
  return home
}

let runs = 0

export function newRun(home: string): RunFolder {
  runs += 1
  return new RunFolder(home, `run_test${process.pid}x${runs}`)
}

export function launching(home: string, argv: readonly string[], more: Partial<Launching> = {}): Launching {
  return { argv, env: { PATH: process.env.PATH ?? '' }, cwd: home, input: 'none', errorsApart: false, ...more }
}

/** A program that is told as a line of a shell. */
export const sh = (line: string) => ['sh', '-c', line]

/** A run that was launched here. */
export async function launched(
  home: string,
  argv: readonly string[],
  more: Partial<Launching> = {},
): Promise<ProcessWatch> {
  const folder = newRun(home)
  // One that has ended already has no process any more.
  expect(await launch(folder, whose, launching(home, argv, more))).not.toBeInstanceOf(Refusal)
  return new ProcessWatch(folder)
}

/** How a run is found at last. */
export async function ending(watch: ProcessWatch): Promise<RunFound> {
  for (;;) {
    const found = watch.look()
    if (found.is !== 'running' && found.is !== 'unsure') return found
    await sleep(10)
  }
}

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(10)
}

export function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** A process that plays a server; `lines` has what it says. */
export async function startLauncher(
  home: string,
  given: readonly (readonly [string, readonly string[]])[],
  failpoint = '',
): Promise<{ child: ChildProcess; lines: AsyncIterator<string>; ended: Promise<unknown> }> {
  const args = [await programOf('test/runner/launcher.ts'), home, ...given.map((each) => JSON.stringify(each))]
  const env = { ...process.env, CAIRN_FAILPOINT: failpoint }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, lines: createInterface(child.stdout as NodeJS.ReadableStream)[Symbol.asyncIterator](), ended }
}
