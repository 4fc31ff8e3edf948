import { folderHere, projectHere } from '../../../home/session-meant.ts'
import { operations } from '../../../operations/index.ts'
import { readArguments } from '../arguments.ts'
import { performerFor } from '../asking/ask.ts'
import { canAsk } from '../asking/terminal-question.ts'
import { flagsByName } from '../flags.ts'
import { printJson, printOut, safe, safeLines } from '../output.ts'
import { type OwnCommand, ownCommand } from '../own-commands.ts'
import { filled } from '../request.ts'
import { consent } from '../setup/consent.ts'
import { ownUsage, usageError } from '../usage.ts'
import { type Instructions, instructionsIn, write } from './instructions.ts'

/** `cairn init`: sessions of this project get folders from now on; what agents are told of it is shown before it is written. */
export async function runInit(rest: readonly string[], json: boolean): Promise<number> {
  const command = ownCommand('init') as OwnCommand
  const usage = `Usage: ${ownUsage(command)}`
  const given = readArguments(rest, flagsByName([], command.flags), usage)
  if (given.places.length > 0) throw usageError('cairn init takes no arguments, only flags.', usage)
  const project = projectHere()
  const isDry = given.flags.get('dry-run') === 'true'
  if (!isDry) await open(project, given)
  const changes = instructionsIn(folderHere())
  if (!json) show(project, changes, isDry)
  const isMeant = !isDry && changes.length > 0 && (given.flags.get('yes') === 'true' || (await wanted(json)))
  if (isMeant) for (const change of changes) write(change)
  const written = isMeant ? changes.map(({ path }) => path) : []
  if (json) printJson({ project_dir: project, written, pending: isMeant ? [] : changes.map(({ path }) => path) })
  else if (changes.length > 0 && !isDry)
    printOut(
      isMeant
        ? `Wrote ${written.map(safe).join(' and ')}.\n`
        : 'No file was changed; run cairn init --yes to write it.\n',
    )
  return 0
}

async function open(project: string, given: Parameters<typeof filled>[0]): Promise<void> {
  const performer = await performerFor({ home: filled(given, 'home'), store: filled(given, 'store') })
  await performer.execute(operations.project.init, { project }).finally(() => performer.close())
}

/** Where nobody can be asked, nothing is written but what was asked for. */
async function wanted(json: boolean): Promise<boolean> {
  return !json && canAsk() && (await consent('Add this to the instructions of agents?'))
}

function show(project: string, changes: readonly Instructions[], isDry: boolean): void {
  const done = isDry ? 'would get' : 'get'
  printOut(`New sessions of ${safe(project)} ${done} a folder in agents/sessions/; commit it to share the work.\n`)
  for (const { path, before, after } of changes) {
    const added = after.startsWith(before) ? after.slice(before.length) : after
    printOut(`\n${safe(path)}${before === '' ? ' (new)' : ''}:\n\n${safeLines(added.trim()).replace(/^/gm, '  ')}\n\n`)
  }
}
