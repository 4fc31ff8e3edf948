import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer } from '../../../domain/log/rows.ts'
import { sessionVariables } from '../../../home/session-meant.ts'
import { printNote, printOut, safeLines } from '../output.ts'
import { type Style, type Terminal, terminalOf } from '../terminal.ts'
import type { Work } from './worker.ts'

/** What a command printed and how it ended. */
export interface Done {
  readonly out: string
  readonly err: string
  readonly exit: number | null
}

export interface Check {
  readonly name: string
  readonly expected: number
  readonly found: number
}

/** A temporary store with a project beside it, commands that run on it as processes, and the screen. */
export class Stage {
  readonly home = mkdtempSync(join(tmpdir(), 'cairn-tour-'))
  readonly checks: Check[] = []
  readonly project = join(this.home, 'project')
  readonly #program: string
  readonly #terminal: Terminal
  readonly #print: (text: string) => void

  constructor(program: string, json: boolean) {
    this.#program = program
    this.#terminal = terminalOf(json ? 2 : 1)
    this.#print = json ? printNote : printOut
    mkdirSync(join(this.project, 'agents'), { recursive: true })
  }

  say(text: string, style?: Style): void {
    this.#print(`${this.#terminal.paint(style, text)}\n`)
  }

  title(text: string): void {
    this.say('')
    this.say(text, 'bold')
  }

  /** A command as a person would type it. */
  command(text: string): void {
    this.#print(`  ${this.#terminal.paint('dim', '$')} ${this.#terminal.paint('cyan', text)}\n`)
  }

  show(output: string): void {
    for (const line of output.trimEnd().split('\n')) this.say(`    ${safeLines(line)}`)
  }

  /** Compares a result with what it must be. */
  check(name: string, expected: number, found: number, note = ''): void {
    this.checks.push({ name, expected, found })
    const exact = expected === found
    const verdict = this.#terminal.paint(exact ? 'green' : 'red', exact ? 'exact' : 'NOT EXACT')
    this.#print(`    ${name}: expected ${expected}, found ${found}: ${verdict}${note === '' ? '' : `; ${note}`}\n`)
  }

  /** Types a command: shows it and runs it as a process. */
  async type(...words: readonly string[]): Promise<Done> {
    const shown = words.map((word) =>
      /^[\w.:/-]+$/.test(word) ? word : word.includes('"') ? `'${word}'` : `"${word}"`,
    )
    this.command(['cairn', ...shown].join(' '))
    return this.run(...words)
  }

  run(...words: readonly string[]): Promise<Done> {
    return ended(this.#spawn(words))
  }

  /** The answer of a command as JSON. */
  async ask<A extends Answer>(...words: readonly string[]): Promise<A> {
    const { out, err } = await this.run(...words, '--json')
    if (out === '') throw new Error(err)
    return JSON.parse(out)
  }

  worker(work: Work): ChildProcess {
    return this.#spawn(['tour', 'worker', JSON.stringify({ ...work, home: this.home })])
  }

  close(): void {
    rmSync(this.home, { recursive: true, force: true })
  }

  /** Nothing of the environment may lead a command to another store or session than this one. */
  #spawn(words: readonly string[]): ChildProcess {
    const { CAIRN_STORE: _store, CAIRN_TOKEN: _token, CAIRN_URL: _url, ...env } = process.env
    for (const name of sessionVariables) delete env[name]
    return spawn(process.execPath, [this.#program, ...words], {
      cwd: this.project,
      env: { ...env, CAIRN_HOME: this.home },
    })
  }
}

/** Waits for the end of a process and gives all it printed. */
export function ended(child: ChildProcess): Promise<Done> {
  let out = ''
  let err = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exit) => resolve({ out, err, exit }))
  })
}
