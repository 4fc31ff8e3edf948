import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import { type Discovered, storeName } from '../../../home/discovery.ts'
import { keeperOf } from '../../../home/keeper-file.ts'
import { InstallTokenFile } from '../../../home/owner-token.ts'
import { printJson, printNote, printOut, safe } from '../output.ts'
import { argumentsOf, type OwnArguments } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { terminalOf } from '../terminal.ts'
import { labelled } from '../wrap.ts'
import { runningServer, startInBackground } from './background.ts'
import { introduction, invitation } from './serve.ts'
import { notApplied, serveOptions } from './serve-options.ts'

/** `cairn up`: a server that goes on when this command has ended. */
export async function runUp(called: Called): Promise<number> {
  const { command, rest, json, program } = called
  const given = argumentsOf(called)
  const config = loadConfig(serveOptions(given))
  if (config instanceof Refusal) throw new CairnRefusal(config)
  const running = await runningServer(config.home)
  if (running !== undefined) {
    refuseOtherStore(running, config.store)
    const ignored = notApplied(command, given, new URL(running.url))
    const isKept = keeperOf(config.home) !== undefined
    return tellRunning(running, { login: await loginOf(running, config.home), ignored, isKept }, json)
  }
  const { shown, log } = await startInBackground(config, program.file, rest)
  if (json) printJson({ ...shown, already: false, kept: true, log })
  else printOut(`${introduction(shown)}\nShould it die, it is started again. Its log is ${log}; cairn down stops it.\n`)
  return 0
}

/** A link that logs a browser in at the server that runs, or at one that is started for it. */
export async function newLogin(
  given: OwnArguments,
  { rest, program }: Called,
): Promise<{ url: string; login: string }> {
  const config = loadConfig(serveOptions(given))
  if (config instanceof Refusal) throw new CairnRefusal(config)
  const running = await runningServer(config.home)
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
  { login, ignored, isKept }: { login: string | undefined; ignored: readonly string[]; isKept: boolean },
  json: boolean,
): number {
  if (ignored.length > 0) {
    const text = `the running server keeps the settings it was started with; not applied: ${ignored.join(' ')}. To apply: cairn down, then run this again.`
    note(text)
  }
  if (!isKept) note(unkept)
  const shown = { pid, url, login: login ?? null, store, started_at, already: true, kept: isKept }
  if (json) printJson({ ...shown, not_applied: ignored })
  else {
    const link = login === undefined ? '' : invitation(login)
    printOut(`A server is already running.\n\n  ${url}\n\nServing ${store} since ${started_at} (pid ${pid}).\n${link}`)
  }
  return 0
}

const unkept =
  'nothing starts this server again if it dies. For one that is started again: cairn down, then run this again.'

function note(text: string): void {
  printNote(`${labelled('note:', 'yellow', safe(text), terminalOf(2))}\n`)
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
