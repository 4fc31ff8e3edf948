import { CairnRefusal, Refusal } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import { destinationHere } from '../../../home/destination.ts'
import { performerFor } from '../asking/ask.ts'
import { printJson } from '../output.ts'
import { argumentsOf } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { lastLineSaid } from './last-line.ts'
import { type Progress, progressOn } from './progress.ts'
import { isEnded } from './status-shown.ts'
import { watchWorkflow } from './watching.ts'

/** `cairn watch [ID]`: how a workflow goes, until it has ended or one has seen enough. */
export async function runWatch(called: Called): Promise<number> {
  const given = argumentsOf(called)
  const [session = given.flags.get('session')] = given.places
  const config = loadConfig(destinationHere(given))
  if (config instanceof Refusal) throw new CairnRefusal(config)
  const performer = performerFor(given)
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  const progress: Progress = called.json ? documents() : progressOn(1, lastLineSaid(config.home))
  try {
    await watchWorkflow({
      performer,
      session,
      progress,
      signal: interrupted.signal,
      isOver: (status) => isEnded(status.session.status) || status.agents.length === 0,
    })
    return 0
  } finally {
    progress.close()
    await performer.close()
  }
}

/** For programs: all of it, on a line, whenever it has changed. */
function documents(): Progress {
  let last = ''
  return {
    show(status) {
      // What is expected changes with every moment.
      const shown = JSON.stringify({ ...status, estimated_completion: null })
      if (shown !== last) printJson(status)
      last = shown
    },
    close: () => undefined,
  }
}
