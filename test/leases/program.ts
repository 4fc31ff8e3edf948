// Starts a program of these tests as a process of its own, with its own environment, that can be stopped and continued.
import { type ChildProcess, spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { programOf } from '../setup/program.ts'
import type { Done } from './served.ts'

export interface Program {
  /** Gives the process a task and waits for what came of it. */
  perform<Out>(task: string, given?: object): Promise<Out>
  /** One operation: its answer or its refusal. */
  call(operation: string, input: object): Promise<Done>
  /** Asks a task that goes on without end to come to one. */
  stop(): void
  signal(name: NodeJS.Signals): void
}

export interface Circumstances {
  /** Variables of the environment besides our own. */
  readonly env?: Readonly<Record<string, string>>
  /** A program and its arguments that run the process. */
  readonly under?: readonly string[]
}

/** The process has opened the store of `options` when this resolves; it ends with the test. */
export async function startProgram(
  entry: string,
  options: object,
  { env, under = [] }: Circumstances = {},
): Promise<Program> {
  const [command = '', ...rest] = [...under, process.execPath, await programOf(entry), JSON.stringify(options)]
  const child = spawn(command, rest, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  onTestFinished(() => end(child))
  const answers = listening(child)
  await answers(0)
  let tasks = 0
  const perform = <Out>(task: string, given: object = {}) => {
    const id = ++tasks
    const result = answers(id)
    child.send({ id, task, given })
    return result as Promise<Out>
  }
  return {
    perform,
    call: (operation, input) => perform('call', { operation, input }),
    stop: () => void child.send({ stop: true }),
    signal: (name) => void child.kill(name),
  }
}

/** A process that was stopped could not end by itself. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGCONT')
  if (child.connected) child.disconnect()
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(late)
}

/** The answer to each task by its number; the end of the process rejects all that wait. */
function listening(child: ChildProcess): (id: number) => Promise<unknown> {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  child.on('message', ({ id, result, failed }: { id: number; result: unknown; failed?: string }) => {
    if (failed === undefined) waiting.get(id)?.resolve(result)
    else waiting.get(id)?.reject(new Error(`a process failed: ${failed}`))
    waiting.delete(id)
  })
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`a process ended with ${code ?? signal}`))
  })
  return (id) => new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
}
