import { constants, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CairnRefusal, refuse } from '../../domain/log/refusal.ts'
import type { Launch } from '../../orchestrator/effects.ts'
import { readPlain, replacePlain } from './own-files.ts'

/** What is recorded before a process is started. */
export interface RunIntent {
  readonly run: string
  /** The id of the root, and of the agent's session. */
  readonly root: string
  readonly session: string
  /** The life of the machine. */
  readonly boot: string
  /** What ends with the run: its token, and the lease that its writes need. */
  readonly token?: { readonly id: string; readonly lease: string }
}

/** The shell that runs the program and records how it ended: the leader of a session and a process group. */
export interface ShimProcess {
  readonly pid: number
  readonly started: string
  readonly boot: string
  readonly space: string
}

/** Longer than any record: what an agent was answered stands in one. */
const recordBytesMax = 4 * 1024 * 1024

/** The folder of one run below the data folder: what is known of its process, and its files. */
export class RunFolder {
  readonly run: string
  readonly path: string

  constructor(home: string, run: string) {
    if (!/^[A-Za-z0-9_-]{1,128}$/.test(run)) throw new Error(`${run} is no id of a run`)
    this.run = run
    this.path = join(home, 'runs', run)
  }

  file(
    name:
      | 'output'
      | 'errors'
      | 'input'
      | 'task.md'
      | 'result'
      | 'mcp.json'
      | 'started'
      | 'exit'
      | 'holder'
      | 'read'
      | 'cut',
  ): string {
    return join(this.path, name)
  }

  /** Says whether it was made now. */
  make(): boolean {
    makeFolder(join(this.path, '..'))
    return makeFolder(this.path)
  }

  get exists(): boolean {
    return lstatSync(this.path, { throwIfNoEntry: false })?.isDirectory() ?? false
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }

  get intent(): RunIntent | undefined {
    return this.#read('intent.json')
  }

  set intent(intent: RunIntent) {
    replacePlain(join(this.path, 'intent.json'), `${JSON.stringify(intent)}\n`)
  }

  /** How it is to be launched: known before the log says that it is. */
  get launch(): Launch | undefined {
    return this.#read('launch.json')
  }

  set launch(launch: Launch) {
    replacePlain(join(this.path, 'launch.json'), `${JSON.stringify(launch)}\n`)
  }

  get process(): ShimProcess | undefined {
    return this.#read('process.json')
  }

  set process(shim: ShimProcess) {
    replacePlain(join(this.path, 'process.json'), `${JSON.stringify(shim)}\n`)
  }

  /** Whether the program was ever to be run: 0 where that was prevented, else the pid of the shim that took it upon itself. */
  get startedBy(): number | undefined {
    return this.#number('started')
  }

  /** From now on nobody runs the program. False where somebody has begun to. */
  preventStart(): boolean {
    try {
      writeFileSync(this.file('started'), '0\n', { flag: 'wx', mode: 0o600 })
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      return this.startedBy === 0
    }
  }

  /** The status that the program ended with, as the shell has it. */
  get exitStatus(): number | undefined {
    return this.#number('exit')
  }

  /** The process that holds the other end of the program's input. */
  get heldBy(): number | undefined {
    return this.#number('holder')
  }

  /** A number with the end of its line: without that, whoever wrote it was interrupted. */
  #number(name: 'started' | 'exit' | 'holder'): number | undefined {
    const text = readPlain(this.file(name), 32)?.bytes.toString('latin1') ?? ''
    const [, digits] = /^(\d{1,10})\n$/.exec(text) ?? []
    return digits === undefined ? undefined : Number(digits)
  }

  #read<Record>(name: string): Record | undefined {
    const text = readPlain(join(this.path, name), recordBytesMax)?.bytes.toString('utf8')
    try {
      return text === undefined ? undefined : (JSON.parse(text) as Record)
    } catch {
      return undefined
    }
  }
}

/** What stands in its place, such as a link to somewhere else, is not used. */
function makeFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (lstatSync(path).isDirectory()) return false
    const hint = 'Remove it: the folders of runs are made by Cairn only.'
    throw new CairnRefusal(refuse('storage_error', `${path} is not a folder.`, hint, { path }))
  }
}

/** The flags of a file that an agent writes to and that can be cut meanwhile. */
export const appended = constants.O_CREAT | constants.O_WRONLY | constants.O_APPEND
