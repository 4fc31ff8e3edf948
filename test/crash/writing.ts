// Starts the writer as a process of its own and listens to it.
import { spawn } from 'node:child_process'
import { programOf } from '../setup/program.ts'
import type { Job } from './writer.ts'

/** What the writer said until it ended, and how it ended. */
export interface Written {
  readonly asked: readonly string[]
  readonly acked: readonly string[]
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly errors: string
}

export interface Circumstances {
  /** Variables of the environment besides our own. */
  readonly env?: Readonly<Record<string, string>>
  /** A program and its arguments that run the writer, such as a tracer. */
  readonly under?: readonly string[]
  /** Kills it with SIGKILL when so many writes were answered, after so many milliseconds more. */
  readonly killAt?: { readonly acks: number; readonly ms: number }
}

export async function runWriter(job: Job, { env, under = [], killAt }: Circumstances = {}): Promise<Written> {
  const [program = '', ...rest] = [
    ...under,
    process.execPath,
    await programOf('test/crash/writer.ts'),
    JSON.stringify(job),
  ]
  const child = spawn(program, rest, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  let errors = ''
  let acks = 0
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  child.stdout.on('data', (chunk) => {
    said += chunk
    const before = acks
    acks += String(chunk).split('ack ').length - 1
    if (killAt && before < killAt.acks && acks >= killAt.acks) setTimeout(() => child.kill('SIGKILL'), killAt.ms)
  })
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...ended) => resolve(ended))
  })
  const lines = said.split('\n').slice(0, -1)
  const told = (word: string) => lines.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length))
  return { asked: told('ask '), acked: told('ack '), code, signal, errors }
}
