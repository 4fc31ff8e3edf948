// Servers as processes of their own.
import { type ChildProcess, execFileSync, type ForkOptions, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Request } from './connection.ts'
import { bundled } from './process.ts'
import type { Context } from './scenario.ts'

export const incrementBody = { operation: 'increment', delta: 1 }

export interface Served {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

export interface ServedStore extends Served {
  /** Those of the owner. */
  readonly headers: { readonly authorization: string }
  /** The answer to an operation that must not be refused. */
  call<Out>(operation: string, input: object): Promise<Out>
}

/** `cairn serve` on the store of a folder; `flags` are for Node. */
export async function serveStore(context: Context, home: string, flags: string[] = []): Promise<ServedStore> {
  const env = { ...process.env, CAIRN_HOME: home }
  const served = await start(context, 'bin/cairn', ['serve', '--port', '0'], { env, execArgv: flags })
  const headers = { authorization: `Bearer ${readFileSync(join(home, 'token'), 'utf8').trim()}` }
  return {
    ...served,
    headers,
    async call<Out>(operation: string, input: object) {
      const url = new URL(`/operations/${operation}`, served.url)
      const all = { ...headers, 'content-type': 'application/json' }
      const response = await fetch(url, { method: 'POST', headers: all, body: JSON.stringify(input) })
      if (!response.ok) throw new Error(`${operation} was answered with ${response.status}: ${await response.text()}`)
      return (await response.json()) as Out
    },
  }
}

/** The same with a new root. */
export async function serveRoot(context: Context, flags?: string[]): Promise<ServedStore & { session: string }> {
  const served = await serveStore(context, context.folder(), flags)
  const { session_id } = await served.call<{ session_id: string }>('session.create', { topic: 'benchmark' })
  return { ...served, session: session_id }
}

/** A server of bench/ that says where it is. */
export async function serveBare(context: Context, name: 'echo' | 'relay'): Promise<Served> {
  return start(context, await bundled(context, name), [], {})
}

async function start(context: Context, program: string, args: string[], options: ForkOptions): Promise<Served> {
  const child = fork(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  context.atEnd(stop)
  const url = await Promise.race([
    toldUrl(child),
    ended.then(() => {
      throw new Error(`${program} ended before it served: ${said}`)
    }),
  ])
  return { url, pid: child.pid as number, stop }
}

function toldUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('message', (told: { serving?: { url: string } }) => told.serving && resolve(told.serving.url))
  })
}

export function keyPath(session: string, key: string): string {
  return `/sessions/${session}/state/keys/${key}`
}

/** An increment; a server that only echoes wants the same. */
export function incrementRequest(session: string, key: string, headers: Request['headers']): Request {
  return { method: 'POST', path: `${keyPath(session, key)}/ops`, headers, body: JSON.stringify(incrementBody) }
}

/** Memory of a process, in millions of bytes. */
export function megabytesOf(pid: number): number {
  return (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024) / 1e6
}
