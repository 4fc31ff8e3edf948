import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { refusalOf } from '../../../client/attempt.ts'
import { loadConfig } from '../../../config.ts'
import { CairnRefusal, Refusal, refuse } from '../../../domain/refusal.ts'
import { type Discovered, discover } from '../../http/discovery.ts'
import { printJson, printOut } from '../output.ts'
import { serveOptions } from './options.ts'
import { introduction, type Shown, type Told } from './serve.ts'

/** A log beyond this is put aside when the next server is started; the one put aside before goes. */
const logBytesMax = 8 * 1024 * 1024

/** `cairn up`: a server that goes on when this command has ended. */
export async function runUp(rest: readonly string[], json: boolean, program: URL): Promise<number> {
  const config = loadConfig(serveOptions('up', rest))
  if (config instanceof Refusal) throw new CairnRefusal(config)
  const running = discover(config.home)
  if (running !== undefined) return tellRunning(running, json)
  const log = join(config.home, 'server.log')
  const shown = await started(startServer(fileURLToPath(program), rest, log), log)
  if (json) printJson({ ...shown, already: false, log })
  else printOut(`${introduction(shown)}\nIts log is ${log}; cairn down stops it.\n`)
  return 0
}

function tellRunning({ pid, url, store, started_at }: Discovered, json: boolean): number {
  if (json) printJson({ pid, url, store, started_at, already: true })
  else printOut(`A server runs already.\n\n  ${url}\n\nIt serves ${store} since ${started_at} (pid ${pid}).\n`)
  return 0
}

function startServer(program: string, rest: readonly string[], log: string): ChildProcess {
  mkdirSync(join(log, '..'), { recursive: true, mode: 0o700 })
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) renameSync(log, `${log}.1`)
  const file = openSync(log, 'a', 0o600)
  const args = [program, 'serve', ...rest]
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', file, file, 'ipc'] })
  closeSync(file)
  child.unref()
  return child
}

/** What the server says when it listens; its refusal is ours. */
async function started(child: ChildProcess, log: string): Promise<Shown> {
  const told = await new Promise<Told | undefined>((resolve) => {
    child.once('message', (message) => resolve(message as Told))
    child.once('exit', () => resolve(undefined))
    child.once('error', () => resolve(undefined))
  })
  if (told === undefined) throw new CairnRefusal(refuse('unavailable', 'The server did not start.', `See ${log}.`))
  if ('serving' in told) return told.serving
  throw new CairnRefusal(refusalOf(told.refused))
}
