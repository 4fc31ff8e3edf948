// Programs of agents, each started in an environment of its own.
import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { onTestFinished } from 'vitest'
import type { Ran } from '../cli/sandbox.ts'
import type { Start } from './agents.ts'
import { killTree } from './process-tree.ts'

/** A program that runs. */
export interface Running {
  readonly pid: number
  readonly ended: Promise<Ran>
}

/** Starts a program with nothing of the tester's environment. As root, agents ask for `IS_SANDBOX`. */
export function startProgram(program: string, { args, env }: Start, cwd: string): Running {
  const sealed = { PATH: process.env.PATH ?? '', IS_SANDBOX: '1', ...env }
  const child = spawn(process.execPath, [program, ...args], { cwd, env: sealed, stdio: ['ignore', 'pipe', 'pipe'] })
  const pid = child.pid as number
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said.err += text
  })
  const ended = new Promise<Ran>((resolve) => child.on('close', (exit) => resolve({ ...said, exit })))
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) killTree(pid)
    await ended
  })
  return { pid, ended }
}

/** A program on a terminal. */
export interface OnTerminal {
  /** What it has shown so far, without colours and spaces: a terminal is told to move instead. */
  shown(): string
  type(keys: string): void
}

/** Starts a program on a terminal of its own; it ends with the test. */
export function startOnTerminal(program: string, cwd: string, env: Record<string, string>): OnTerminal {
  const command = `stty cols 120 rows 40; exec '${process.execPath}' '${program}'`
  const sealed = { PATH: process.env.PATH ?? '', TERM: 'xterm', IS_SANDBOX: '1', ...env }
  const child = spawn('script', ['-qefc', command, '/dev/null'], { cwd, env: sealed })
  const ended = new Promise((resolve) => child.on('close', resolve))
  onTestFinished(async () => {
    // It ends what runs on the terminal, then itself.
    child.kill('SIGTERM')
    await ended
  })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text
  })
  return {
    shown: () => stripVTControlCharacters(shown).replace(/\s+/g, ''),
    type: (keys) => void child.stdin.write(keys),
  }
}
