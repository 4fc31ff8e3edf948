import { elapsed, sleep } from '../../../clock.ts'
import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import { type Discovered, discover, isAlive } from '../../../home/discovery.ts'
import { printJson, printOut } from '../output.ts'
import { argumentsOf } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'

/** Longer than a server takes to answer what it was asked before. */
const stopMsMax = 30_000
const lookMs = 20

/** `cairn down`: done when the server is gone; when there is none, there is nothing to do. */
export async function runDown(called: Called): Promise<number> {
  const config = loadConfig({ home: argumentsOf(called).home })
  if (config instanceof Refusal) throw new CairnRefusal(config)
  const running = discover(config.home)
  if (running !== undefined) await stop(running)
  if (called.json) printJson({ stopped: running !== undefined, ...(running && { pid: running.pid, url: running.url }) })
  else printOut(running === undefined ? `No server is running for ${config.home}.\n` : `Stopped ${running.url}.\n`)
  return 0
}

async function stop(running: Discovered): Promise<void> {
  try {
    process.kill(running.pid, 'SIGTERM')
  } catch {
    if (isAlive(running)) throw notOurs(running)
  }
  const deadline = elapsed() + stopMsMax
  while (isAlive(running)) {
    if (elapsed() > deadline) throw tooSlow(running)
    await sleep(lookMs)
  }
}

function notOurs({ pid }: Discovered): CairnRefusal {
  const hint = 'Stop it as the user who started it.'
  return new CairnRefusal(refuse('forbidden', `The server (pid ${pid}) belongs to another user.`, hint, { pid }))
}

function tooSlow({ pid }: Discovered): CairnRefusal {
  const message = `The server (pid ${pid}) did not stop within ${stopMsMax / 1000} seconds.`
  return new CairnRefusal(refuse('timeout', message, `Check its log; kill ${pid} stops it immediately.`, { pid }))
}
