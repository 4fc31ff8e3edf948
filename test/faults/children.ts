// Starts `child.ts` as a process of its own and listens to it.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { programOf } from '../setup/program.ts'
import type { Job } from './child.ts'

/** What the child said until it ended, and how it ended. */
export interface Said {
  /** The session it made. */
  readonly root: string | undefined
  readonly asked: readonly string[]
  readonly acked: readonly string[]
  readonly refused: readonly { id: string; code: string; message: string }[]
  /** Errors that were no refusals. */
  readonly raw: readonly string[]
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly errors: string
}

export interface Circumstances {
  readonly env?: Readonly<Record<string, string>>
  /** A program and its arguments that run the child, such as a tracer. */
  readonly under?: readonly string[]
}

export interface Child {
  readonly process: ChildProcessWithoutNullStreams
  /** Resolves when it has said so. */
  heard(text: string): Promise<void>
  readonly ended: Promise<Said>
}

export async function startChild(job: Job, { env, under = [] }: Circumstances = {}): Promise<Child> {
  const [program = '', ...rest] = [
    ...under,
    process.execPath,
    await programOf('test/faults/child.ts'),
    JSON.stringify(job),
  ]
  const child = spawn(program, rest, { env: { ...process.env, ...env } })
  let out = ''
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const ended = new Promise<Said>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ ...understood(out), code, signal, errors }))
  })
  const heard = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (out.includes(text)) resolve()
      }
      child.stdout.on('data', look)
      child.once('close', () => reject(new Error(`the child ended before it said ${text}: ${out} ${errors}`)))
      look()
    })
  return { process: child, heard, ended }
}

export async function runChild(job: Job, circumstances: Circumstances = {}): Promise<Said> {
  return (await startChild(job, circumstances)).ended
}

function understood(out: string): Pick<Said, 'root' | 'asked' | 'acked' | 'refused' | 'raw'> {
  const lines = out.split('\n').slice(0, -1)
  const told = (word: string) => lines.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length))
  const refused = told('refused ').map((line) => {
    const [id = '', code = '', ...words] = line.split(' ')
    return { id, code, message: words.join(' ') }
  })
  return { root: told('root ')[0], asked: told('ask '), acked: told('ack '), refused, raw: told('raw ') }
}

/** Why this program cannot be run here, or undefined. */
export function lacking(...[program = '', ...args]: readonly string[]): string | undefined {
  const tried = spawnSync(program, args)
  if (tried.error) return `${program} is not installed`
  return tried.status === 0 ? undefined : `${program} may not do this here: ${tried.stderr}`.trim()
}
