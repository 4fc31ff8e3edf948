// A bare project, what `cairn setup` does in it, and pictures of all files to compare before and after.
import { spawn, spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Ran, Sandbox } from '../cli/sandbox.ts'

/** Whether a terminal can be had for a program. */
export const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0

/** What is where, to the byte: type, mode and contents of each file, and with `times` whether it was written. */
export type Picture = Record<string, string>

export class Folder extends Sandbox {
  /** A project that nothing was set up in, removed at the end of the test. */
  static bare(): Folder {
    const made = new Folder()
    onTestFinished(() => made.remove())
    return made
  }

  /** Writes a file below the folder, and makes its folders. */
  put(name: string, contents: string | Buffer): string {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true })
    return this.write(name, contents)
  }

  text(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8')
  }

  setUp(client: string, ...args: string[]): Promise<Ran> {
    return this.run(['setup', client, ...args])
  }

  /** All files but those of the store. */
  picture({ times = false } = {}): Picture {
    const seen: Picture = {}
    const visit = (path: string) => {
      const stats = lstatSync(path)
      const name = relative(this.folder, path)
      const kind = stats.isDirectory()
        ? 'folder'
        : stats.isSymbolicLink()
          ? readlinkSync(path)
          : readFileSync(path, 'latin1')
      const written = times && !stats.isDirectory() ? ` ${stats.ino} ${stats.mtimeMs}` : ''
      seen[name] = `${(stats.mode & 0o7777).toString(8)}${written} ${kind}`
      if (stats.isDirectory()) for (const inner of readdirSync(path)) visit(join(path, inner))
    }
    for (const inner of readdirSync(this.folder)) if (inner !== 'home') visit(join(this.folder, inner))
    return seen
  }

  /** Runs on a terminal; `answer` is called when it has asked, and gives what is typed. */
  onTerminal(args: readonly string[], answer: () => string): Promise<Omit<Ran, 'err'>> {
    const words = [process.execPath, resolve('bin/cairn'), ...args].map((word) => `'${word}'`)
    const env = { PATH: process.env.PATH ?? '', HOME: this.folder, CAIRN_HOME: this.home, TERM: 'dumb' }
    const child = spawn('script', ['-qefc', words.join(' '), '/dev/null'], { cwd: this.project, env })
    let out = ''
    let isAsked = false
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
      if (isAsked || !out.includes('[y/N]')) return
      isAsked = true
      const typed = answer()
      child.stdin.write(/\p{Cc}/u.test(typed) ? typed : `${typed}\n`)
    })
    return new Promise((done) => child.on('close', (exit) => done({ out, exit })))
  }
}

/** A program that can be set up, and the files it reads, below the folder of a sandbox; the first has the entry. */
export interface Known {
  readonly client: string
  readonly args: readonly string[]
  readonly files: readonly [string, ...string[]]
}

const known = (client: string, args: readonly string[], ...files: [string, ...string[]]): Known => ({
  client,
  args,
  files,
})

export const programs: readonly Known[] = [
  known('claude', [], 'project/.mcp.json', 'project/.claude/settings.local.json'),
  known('claude', ['--scope', 'user'], '.claude.json', '.claude/settings.json'),
  known('codex', [], '.codex/config.toml'),
  known('codex', ['--scope', 'project'], 'project/.codex/config.toml'),
  known('vscode', [], 'project/.vscode/mcp.json'),
  known('vscode', ['--scope', 'user'], '.config/Code/User/mcp.json'),
  known('cursor', [], 'project/.cursor/mcp.json'),
  known('cursor', ['--scope', 'user'], '.cursor/mcp.json'),
  known('json', [], 'project/.mcp.json'),
]
