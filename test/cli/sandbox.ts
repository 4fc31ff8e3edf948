// The built program, run as processes in a folder of its own and with nothing of the tester's environment.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll } from 'vitest'

export interface Ran {
  readonly out: string
  readonly err: string
  readonly exit: number | null
}

export interface RunOptions {
  readonly input?: string | Buffer
  readonly env?: Record<string, string>
  readonly cwd?: string
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
export type Document = any

const program = resolve('bin/cairn')

export class Sandbox {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-cli-')))
  readonly home = join(this.folder, 'home')
  readonly project = join(this.folder, 'project')

  constructor() {
    mkdirSync(join(this.project, '.git'), { recursive: true })
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  write(name: string, contents: string | Buffer): string {
    const path = join(this.folder, name)
    writeFileSync(path, contents)
    return path
  }

  spawn(args: readonly string[], { env = {}, cwd = this.project }: RunOptions = {}): ChildProcess {
    const sealed = { PATH: process.env.PATH ?? '', HOME: this.folder, CAIRN_HOME: this.home, ...env }
    return spawn(process.execPath, [program, ...args], { cwd, env: sealed })
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const child = this.spawn(args, options)
    child.stdin?.on('error', () => undefined).end(options.input ?? '')
    const texts = { out: '', err: '' }
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      texts.out += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      texts.err += text
    })
    const exit = await new Promise<number | null>((done) => child.on('close', done))
    return { ...texts, exit }
  }

  /** Runs with `--json`: the one document, and the exit code. */
  async json(
    args: readonly string[],
    options?: RunOptions,
  ): Promise<{ document: Document; exit: number | null; err: string }> {
    const { out, err, exit } = await this.run([...args, '--json'], options)
    if (!/^[^\n]+\n$/.test(out)) throw new Error(`not one line: ${JSON.stringify(out)}, and on stderr ${err}`)
    return { document: JSON.parse(out), exit, err }
  }

  /** The document of a command that must not be refused. */
  async answer(args: readonly string[], options?: RunOptions): Promise<Document> {
    const { document, exit } = await this.json(args, options)
    if (exit !== 0) throw new Error(`exit ${exit}: ${JSON.stringify(document)}`)
    return document
  }

  async session(topic = 'Work', ...more: string[]): Promise<string> {
    return (await this.answer(['session', 'create', '--topic', topic, ...more])).session_id
  }
}

/** A sandbox for the tests of one file. */
export function sandbox(): Sandbox {
  const made = new Sandbox()
  afterAll(() => made.remove())
  return made
}
