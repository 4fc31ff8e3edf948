import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { refusalOf } from '../../../client/attempt.ts'
import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import { type Config, loadConfig } from '../../../home/config.ts'
import { type Discovered, discover, storeName } from '../../../home/discovery.ts'
import { InstallTokenFile } from '../../../home/owner-token.ts'
import { printJson, printNote, printOut, safe } from '../output.ts'
import { argumentsOf, type OwnArguments } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { terminalOf } from '../terminal.ts'
import { labelled } from '../wrap.ts'
import { introduction, invitation, type ServerShown, type StartReport } from './serve.ts'
import { notApplied, serveOptions } from './serve-options.ts'

/** A log beyond this is put aside when the next server is started; the one put aside before goes. */
const logBytesMax = 8 * 1024 * 1024

/** `cairn up`: a server that goes on when this command has ended. */
export async function runUp(called: Called): Promise<number> {
  const { command, rest, json, program } = called
  const given = argumentsOf(called)
  const config = loadConfig(serveOptions(given))
  if (config instanceof Refusal) throw new CairnRefusal(config)
  const running = discover(config.home)
  if (running !== undefined) {
    refuseOtherStore(running, config.store)
    const ignored = notApplied(command, given, new URL(running.url))
    return tellRunning(running, await loginOf(running, config.home), ignored, json)
  }
  const { shown, log } = await startInBackground(config, program.file, rest)
  if (json) printJson({ ...shown, already: false, log })
  else printOut(`${introduction(shown)}\nIts log is ${log}; cairn down stops it.\n`)
  return 0
}

/** Starts a server that goes on when this command has ended, and waits until it serves. */
export async function startInBackground(
  { home, store }: Config,
  program: URL,
  rest: readonly string[] = ['--home', home, '--port', '0'],
): Promise<{ shown: ServerShown; log: string }> {
  const log = join(home, 'server.log')
  return { shown: await started(startServer(fileURLToPath(program), rest, store, log), log), log }
}

/** A link that logs a browser in at the server that runs, or at one that is started for it. */
export async function newLogin(
  given: OwnArguments,
  { rest, program }: Called,
): Promise<{ url: string; login: string }> {
  const config = loadConfig(serveOptions(given))
  if (config instanceof Refusal) throw new CairnRefusal(config)
  const running = discover(config.home)
  if (running === undefined) {
    const words = rest.filter((word) => word !== '--print')
    return (await startInBackground(config, program.file, words)).shown
  }
  refuseOtherStore(running, config.store)
  const login = await loginOf(running, config.home)
  if (login !== undefined) return { url: running.url, login }
  const hint = 'Look at the log of the server, or restart it with cairn down and cairn up.'
  throw new CairnRefusal(refuse('unavailable', `The server at ${running.url} gave no login link.`, hint))
}

/** Whoever asks for a store is not to be shown a server of another. */
function refuseOtherStore({ pid, url, store }: Discovered, wanted: string): void {
  const name = nameOf(wanted)
  if (name === undefined || name === store) return
  const message = `A server is already running for this data folder with another store: ${url} serves ${store}, not ${name}.`
  throw new CairnRefusal(
    refuse('in_use', message, 'Stop it with cairn down, then run this again.', { pid, url, store }),
  )
}

/** Undefined for what is no address: whoever opens it says so. */
function nameOf(store: string): string | undefined {
  try {
    return storeName(store)
  } catch {
    return undefined
  }
}

function tellRunning(
  { pid, url, store, started_at }: Discovered,
  login: string | undefined,
  ignored: readonly string[],
  json: boolean,
): number {
  if (ignored.length > 0) {
    const text = `the running server keeps the settings it was started with; not applied: ${ignored.join(' ')}. To apply: cairn down, then run this again.`
    printNote(`${labelled('note:', 'yellow', safe(text), terminalOf(2))}\n`)
  }
  if (json) printJson({ pid, url, login: login ?? null, store, started_at, already: true, not_applied: ignored })
  else {
    const link = login === undefined ? '' : invitation(login)
    printOut(`A server is already running.\n\n  ${url}\n\nServing ${store} since ${started_at} (pid ${pid}).\n${link}`)
  }
  return 0
}

/** A new link from the server that runs; without it, its address is still worth showing. */
async function loginOf({ url }: Discovered, home: string): Promise<string | undefined> {
  try {
    const headers = { authorization: `Bearer ${new InstallTokenFile(home).text()}` }
    const answer = await fetch(new URL('/login', url), { method: 'POST', headers, signal: AbortSignal.timeout(5000) })
    return answer.ok ? ((await answer.json()) as { login: string }).login : undefined
  } catch {
    return undefined
  }
}

function startServer(program: string, rest: readonly string[], store: string, log: string): ChildProcess {
  mkdirSync(join(log, '..'), { recursive: true, mode: 0o700 })
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) renameSync(log, `${log}.1`)
  const file = openSync(log, 'a', 0o600)
  const args = [program, 'serve', ...withoutStore(rest)]
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
