import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { bootTime } from '../../clock.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { failpoint } from '../../failpoint.ts'
import { spaceHere } from '../../home/process-life.ts'
import { isMarked, marker, processOf } from './process-table.ts'
import { appended, type RunFolder, type RunIntent, type ShimProcess } from './run-folder.ts'
import { shim } from './shim.ts'

/** What is run, and with what. */
export interface Launching {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** `task`: the file of its task; `held`: a pipe that stays open whoever comes and goes. */
  readonly input: 'none' | 'task' | 'held'
  /** Whether what is said on stderr has a file of its own, as where the output is read by a program. */
  readonly errorsApart: boolean
  /** Called when the shim ends, if this process lives until then. */
  readonly onExit?: (() => void) | undefined
}

/**
 * Starts the program of a run so that it outlives this process: in a session and process group of its own, its output in files. What is
 * meant is recorded before, and who it is right after; after a crash between the two `foundShim` finds it. To launch what was launched
 * before does no harm. Refused where the program cannot be started at all.
 */
export async function launch(
  folder: RunFolder,
  intent: Omit<RunIntent, 'run' | 'boot'>,
  launching: Launching,
): Promise<ShimProcess | undefined | Refusal> {
  const refusal = checkProgram(launching)
  if (refusal) return refusal
  folder.make()
  folder.intent = { ...intent, run: folder.run, boot: bootTime().boot }
  failpoint('run-intent')
  const child = await started(folder, launching)
  if (child instanceof Refusal) return child
  failpoint('run-spawn')
  const found = shimWith(child)
  if (found !== undefined) folder.process = found
  failpoint('run-identity')
  return foundShim(folder)
}

/**
 * The shim of a run, as recorded, or found by the number that it left itself: where it was launched twice, that of the one which runs the
 * program.
 */
export function foundShim(folder: RunFolder): ShimProcess | undefined {
  const { process: known, startedBy: pid } = folder
  if (pid === undefined || pid === known?.pid || folder.intent?.boot !== bootTime().boot) return known
  const found = isMarked(pid, folder.run) === true ? shimWith(pid) : undefined
  if (found !== undefined) folder.process = found
  return found
}

function shimWith(pid: number): ShimProcess | undefined {
  const seen = processOf(pid)
  return seen && { pid, started: seen.started, boot: bootTime().boot, space: spaceHere() }
}

/** The pid of the shim. */
async function started(folder: RunFolder, launching: Launching): Promise<number | Refusal> {
  const { argv, env, cwd, input, errorsApart, onExit } = launching
  const files: number[] = []
  const opened = (name: 'output' | 'errors') => {
    const file = openSync(folder.file(name), appended | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600)
    files.push(file)
    return file
  }
  try {
    const output = opened('output')
    const errors = errorsApart ? opened('errors') : output
    const args = ['-c', shim, 'cairn-run', folder.path, input, process.umask().toString(8), ...argv]
    const child = spawn('/bin/sh', args, {
      argv0: 'cairn-run',
      cwd,
      detached: true,
      env: { ...env, [marker]: folder.run },
      stdio: ['ignore', output, errors],
    })
    child.unref()
    if (onExit !== undefined) child.once('exit', onExit)
    await once(child, 'spawn')
    return child.pid as number
  } catch (error) {
    return notStarted(argv[0] as string, (error as NodeJS.ErrnoException).code ?? String(error))
  } finally {
    files.forEach(closeSync)
  }
}

/** A program that is missing is told of before anything is started. */
function checkProgram({ argv: [program = ''], env, cwd }: Launching): Refusal | undefined {
  if (!isFolder(cwd)) {
    return refuse('invalid_input', `The working directory ${cwd} does not exist.`, 'Create it, or set `cwd`.', { cwd })
  }
  const places = program.includes('/')
    ? [isAbsolute(program) ? program : resolve(cwd, program)]
    : (env.PATH ?? '').split(delimiter).map((folder) => join(resolve(cwd, folder), program))
  if (places.some(isProgram)) return undefined
  const why = program.includes('/') ? 'is not there or not executable' : 'is not in the PATH'
  return notStarted(program, why)
}

function notStarted(program: string, why: string): Refusal {
  const shown = JSON.stringify(program.slice(0, 200))
  const hint = 'Install the program, or correct `run` in the workflow.'
  return refuse('not_found', `${shown} cannot be started: ${why}.`, hint, { program: program.slice(0, 200) })
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
