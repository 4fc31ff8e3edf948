import { CairnRefusal, Refusal } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import { destinationHere } from '../../../home/destination.ts'
import { readArguments } from '../arguments.ts'
import { performerFor } from '../asking/ask.ts'
import { flagsByName } from '../flags.ts'
import { printJson } from '../output.ts'
import { type OwnCommand, ownCommand } from '../own-commands.ts'
import { filled } from '../request.ts'
import { ownUsage, usageError } from '../usage.ts'
import { lastLineSaid } from './last-line.ts'
import { type Progress, progressOn } from './progress.ts'
import { isEnded } from './status-shown.ts'
import { watchWorkflow } from './watching.ts'

/** `cairn watch [ID]`: how a workflow goes, until it has ended or one has seen enough. */
export async function runWatch(rest: readonly string[], json: boolean): Promise<number> {
  const command = ownCommand('watch') as OwnCommand
  const usage = `Usage: ${ownUsage(command)}`
  const given = readArguments(rest, flagsByName([], command.flags), usage)
  const [session = given.flags.get('session'), extra] = given.places
  if (extra !== undefined) throw usageError(`Unexpected argument ${JSON.stringify(extra)}.`, usage)
  const place = { home: filled(given, 'home'), store: filled(given, 'store') }
  const config = loadConfig(destinationHere(place))
  if (config instanceof Refusal) throw new CairnRefusal(config)
  const performer = await performerFor(place)
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  const progress: Progress = json ? documents() : progressOn(1, lastLineSaid(config.home))
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
