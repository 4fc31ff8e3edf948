import type { Answer } from '../../../domain/log/rows.ts'
import { projectHere, realPath } from '../../../home/session-meant.ts'
import { operations } from '../../../operations/index.ts'
import type { Onboarded } from '../../../operations/store/maintenance-port.ts'
import { performerFor } from '../asking/ask.ts'
import { printJson, printNote, printOut, safe } from '../output.ts'
import { argumentsOf } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { terminalOf } from '../terminal.ts'

/** Folders that are asked for at once where somebody watches. */
const atOnce = 200
const barColumns = 30

/** `cairn onboard DIR…`: exit 1 where a folder could not be taken in, after all others were. */
export async function runOnboard(called: Called): Promise<number> {
  const { json } = called
  const given = argumentsOf(called)
  const dirs = given.places.length === 0 ? [projectHere()] : given.places.map(realPath)
  const performer = performerFor(given)
  const ask = async (slice: object) =>
    (await performer.execute(operations.project.onboard, { dirs, ...slice })) as Answer & Onboarded
  const done = await (json || !terminalOf(2).isTerminal ? ask({}) : inSlices(ask)).finally(() => performer.close())
  if (json) printJson(done)
  else printOut(shown(done))
  return done.failed === 0 ? 0 : 1
}

/** A part at a time, so that one sees how far it is. What failed for want of another is asked for again at the end. */
async function inSlices(ask: (slice: object) => Promise<Onboarded>): Promise<Onboarded> {
  let failed = 0
  let total = 1
  for (let offset = 0; offset < total; offset += atOnce) {
    const done = await ask({ offset, limit: atOnce })
    failed += done.failed
    total = done.total
    printNote(`\r${bar(Math.min(offset + atOnce, total), total)}`)
  }
  printNote('\r\u001b[K')
  const last = failed > 0 || total === 0 ? await ask({}) : undefined
  return last ?? { synced: total, failed: 0, total, errors: [] }
}

function bar(done: number, total: number): string {
  const full = total === 0 ? barColumns : Math.round((done / total) * barColumns)
  return `${'█'.repeat(full)}${'░'.repeat(barColumns - full)} ${done} of ${total} folders`
}

function shown({ synced, failed, total, errors }: Onboarded): string {
  if (total === 0) return 'There are no session folders (agents/sessions/*).\n'
  const lines = errors.map(({ folder, message, hint }) => `${safe(folder)}: ${safe(message)}\n  ${safe(hint)}\n`)
  const summary = `${synced} of ${total} session ${total === 1 ? 'folder' : 'folders'} onboarded`
  return `${lines.join('')}${summary}${failed > 0 ? `, ${failed} failed` : ''}.\n`
}
