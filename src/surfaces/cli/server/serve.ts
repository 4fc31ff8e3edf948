import { fileURLToPath } from 'node:url'
import { CairnRefusal, Refusal } from '../../../domain/log/refusal.ts'
import { type Serving, serve, serverLog } from '../../../serve.ts'
import { exits } from '../exit-codes.ts'
import { printJson, printOut } from '../output.ts'
import { argumentsOf } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { serveOptions } from './serve-options.ts'

/** What a server tells the command that started it in the background. */
export type StartReport = { readonly serving: ServerShown } | { readonly refused: Record<string, unknown> }

export interface ServerShown {
  readonly pid: number
  readonly url: string
  /** Opens once, in a browser, and logs it in. */
  readonly login: string
  readonly store: string
  readonly started_at: string
}

/** `cairn serve`: stays until it is told to stop. */
export async function runServe(called: Called): Promise<number> {
  endAtFault()
  const { version, file } = called.program
  const program = [process.execPath, fileURLToPath(file)]
  const serving = await serve({ ...serveOptions(argumentsOf(called)), version, program }).catch(refused)
  if (serving instanceof Refusal) return exits[serving.code]
  const { pid, url, store, started_at } = serving.discovered
  const shown: ServerShown = { pid, url, login: serving.login, store, started_at }
  if (process.send) tell({ serving: shown })
  else if (called.json) printJson(shown)
  else printOut(`${introduction(shown)}\nCtrl-C stops it. To see agents at work, in another terminal: cairn demo\n`)
  await untilStopped(serving)
  return 0
}

export function introduction({ url, login, store }: ServerShown): string {
  return `Serving ${store}\n\n  ${url}\n${invitation(login)}`
}

export function invitation(login: string): string {
  return `\nLog in once with this link, within two minutes:\n\n  ${login}\n`
}

/** Whoever started it in the background says why it was refused; everybody else reads it here. */
function refused(error: unknown): Refusal {
  if (process.send === undefined || !(error instanceof CairnRefusal)) throw error
  tell({ refused: error.refusal.toJSON() })
  return error.refusal
}

/** Then the other side can go; without it the message might not be on its way when this process ends. */
function tell(told: StartReport): void {
  process.send?.(told, () => process.disconnect())
}

/**
 * What nobody caught, a rejection too, may have left anything in memory half done; in the store nothing ever is. So the process
 * says what it was and ends, and the next one goes on with all that was answered.
 */
function endAtFault(): void {
  // A log that nobody takes any more, or that there is no room for, is no reason to end what it tells of.
  process.stderr.on('error', () => undefined)
  const log = serverLog()
  process.on('uncaughtException', (error: unknown) => {
    log.say('error', 'fault', { message: String((error as Error | undefined)?.stack ?? error) })
    process.exit(exits.internal)
  })
}

/** Ends in order at the first signal, and at once at the second. */
async function untilStopped(serving: Serving): Promise<void> {
  const asked = new Promise<void>((resolve) => {
    let signals = 0
    for (const [signal, number] of [
      ['SIGINT', 2],
      ['SIGTERM', 15],
    ] as const) {
      process.on(signal, () => {
        signals += 1
        if (signals > 1) process.exit(128 + number)
        resolve()
      })
    }
  })
  await asked
  process.stderr.write('Stopping: finishing open requests. The same signal again stops it immediately.\n')
  await serving.stop()
}
