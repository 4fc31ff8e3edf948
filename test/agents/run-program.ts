// Programs of agents, each started in an environment of its own.
import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import type { Ran } from '../cli/sandbox.ts'

/** Runs a program with nothing of the tester's environment. As root, agents ask for `IS_SANDBOX`. */
export function runProgram(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<Ran> {
  const sealed = { PATH: process.env.PATH ?? '', IS_SANDBOX: '1', ...env }
  const child = spawn(process.execPath, [program, ...args], { cwd, env: sealed, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said.err += text
  })
  return new Promise((resolve) => child.on('close', (exit) => resolve({ ...said, exit })))
}
