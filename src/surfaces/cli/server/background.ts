import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { refusalOf } from '../../../client/attempt.ts'
import { elapsed, sleep } from '../../../clock.ts'
import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import type { Config } from '../../../home/config.ts'
import { type Discovered, discover } from '../../../home/discovery.ts'
import { keeperOf } from '../../../home/keeper-file.ts'
import { ServerLog } from '../keeper/server-log.ts'
import { printNote, safe } from '../output.ts'
import type { ServerShown, StartReport } from './serve.ts'

/** Longer than a keeper ever waits before the next start, and a start takes. */
const backMsMax = 60_000
const lookMs = 50

/** The server that runs for a data folder. One that has died is waited for, if it is about to be started again. */
export async function runningServer(home: string): Promise<Discovered | undefined> {
  const running = discover(home)
  const keeper = running === undefined ? keeperOf(home) : undefined
  if (keeper === undefined) return running
  printNote(
    `The server at ${safe(keeper.url)} has ended; waiting for its keeper (pid ${keeper.pid}) to start it again.\n`,
  )
  const deadline = elapsed() + backMsMax
  while (keeperOf(home) !== undefined && elapsed() < deadline) {
    const back = discover(home)
    if (back !== undefined) return back
    await sleep(lookMs)
  }
  if (keeperOf(home) === undefined) return discover(home)
  const hint = `See ${new ServerLog(home).path}; cairn down ends its keeper.`
  throw new CairnRefusal(refuse('unavailable', 'The server has died and could not be started again yet.', hint))
}

/** Starts a server that goes on when this command has ended, with its keeper, and waits until it serves. */
export async function startInBackground(
  { home, store, limits }: Config,
  program: URL,
  rest: readonly string[] = ['--home', home, '--port', '0'],
): Promise<{ shown: ServerShown; log: string }> {
  const log = new ServerLog(home)
  const command = [fileURLToPath(program), 'serve', ...withoutStore(rest)]
  const keeper = fileURLToPath(new URL('../dist/keeper.cjs', program))
  const child = startKeeper([keeper, home, String(limits.restartMs), ...command], store, log)
  return { shown: await started(child, log.path), log: log.path }
}

function startKeeper(args: readonly string[], store: string, log: ServerLog): ChildProcess {
  const file = log.open()
  const env = { ...process.env, CAIRN_STORE: store }
  const child = spawn(process.execPath, args, { detached: true, env, stdio: ['ignore', file, file, 'ipc'] })
  closeSync(file)
  child.unref()
  return child
}

/** The address of a store may hold a password, and everybody can read what a process was started with. */
function withoutStore(rest: readonly string[]): string[] {
  return rest.filter((word, at) => !/^--store(?:=|$)/.test(word) && rest[at - 1] !== '--store')
}

/** What the server says when it listens; its refusal is ours. */
async function started(child: ChildProcess, log: string): Promise<ServerShown> {
  const told = await new Promise<StartReport | undefined>((resolve) => {
    child.once('message', (message) => resolve(message as StartReport))
    child.once('exit', () => resolve(undefined))
    child.once('error', () => resolve(undefined))
  })
  if (told === undefined) throw new CairnRefusal(refuse('unavailable', 'The server did not start.', `See ${log}.`))
  if ('serving' in told) return told.serving
  throw new CairnRefusal(refusalOf(told.refused))
}
