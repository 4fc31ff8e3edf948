import { folderHere, projectHere } from '../../../home/session-meant.ts'
import { operations } from '../../../operations/index.ts'
import { performerFor } from '../asking/ask.ts'
import { canAsk } from '../asking/terminal-question.ts'
import { printJson, printOut, safe, safeLines } from '../output.ts'
import { argumentsOf, isSet, type OwnArguments } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { consent } from '../setup/consent.ts'
import { type Instructions, instructionsIn, write } from './instructions.ts'

/** `cairn init`: sessions of this project get folders from now on; what agents are told of it is shown before it is written. */
export async function runInit(called: Called): Promise<number> {
  const { json } = called
  const given = argumentsOf(called)
  const project = projectHere()
  const isDry = isSet(given, 'dry-run')
  if (!isDry) await open(project, given)
  const changes = instructionsIn(folderHere())
  if (!json) show(project, changes, isDry)
  const isMeant = !isDry && changes.length > 0 && (isSet(given, 'yes') || (await wanted(json)))
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

async function open(project: string, place: OwnArguments): Promise<void> {
  const performer = performerFor(place)
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
