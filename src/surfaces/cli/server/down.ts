import { elapsed, sleep } from '../../../clock.ts'
import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import { discover } from '../../../home/discovery.ts'
import { keeperOf } from '../../../home/keeper-file.ts'
import { isAlive, type Living } from '../../../home/process-life.ts'
import { printJson, printOut } from '../output.ts'
import { argumentsOf } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'

/** Longer than a server takes to answer what it was asked before. */
const stopMsMax = 30_000
const lookMs = 20

/** `cairn down`: done when the server and its keeper are gone; when there is none, there is nothing to do. */
export async function runDown(called: Called): Promise<number> {
  const config = loadConfig({ home: argumentsOf(called).home })
  if (config instanceof Refusal) throw new CairnRefusal(config)
  const { home } = config
  const [running, keeper] = [discover(home), keeperOf(home)]
  // It stops its own server, and starts no other.
  if (keeper !== undefined) await stop(keeper, running ?? keeper)
  const left = discover(home)
  if (left !== undefined) await stop(left, left)
  const url = (running ?? keeper)?.url
  if (called.json) printJson({ stopped: url !== undefined, ...(running && { pid: running.pid }), ...(url && { url }) })
  else if (url === undefined) printOut(`No server is running for ${home}.\n`)
  else if (running !== undefined) printOut(`Stopped ${url}.\n`)
  else printOut(`The server at ${url} had died; it will not be started again.\n`)
  return 0
}

/** `server` is whose end is waited for: with its keeper that is the server. */
async function stop(told: Living, server: Living): Promise<void> {
  try {
    process.kill(told.pid, 'SIGTERM')
  } catch {
    if (isAlive(told)) throw notOurs(server)
  }
  const deadline = elapsed() + stopMsMax
  while (isAlive(told)) {
    if (elapsed() > deadline) throw tooSlow(server)
    await sleep(lookMs)
  }
}

function notOurs({ pid }: Living): CairnRefusal {
  const hint = 'Stop it as the user who started it.'
  return new CairnRefusal(refuse('forbidden', `The server (pid ${pid}) belongs to another user.`, hint, { pid }))
}

function tooSlow({ pid }: Living): CairnRefusal {
  const message = `The server (pid ${pid}) did not stop within ${stopMsMax / 1000} seconds.`
  return new CairnRefusal(refuse('timeout', message, `Check its log; kill ${pid} stops it immediately.`, { pid }))
}
