import { existsSync } from 'node:fs'
import type { LocalPerformer } from '../../../client/local.ts'
import { projectHere } from '../../../home/session-meant.ts'
import { operations } from '../../../operations/index.ts'
import { printJson, printOut, safe, safeLines } from '../output.ts'
import { type Checked, verify } from './verify.ts'

interface Position {
  readonly phase: number | null
  readonly plan: number | null
  readonly task: string | null
}

/** Where work without a workflow goes on: what the journal says is looked at first, then a sitting begins. */
export async function resumeByJournal(
  performer: LocalPerformer,
  session: string,
  { json, dryRun }: { readonly json: boolean; readonly dryRun: boolean },
): Promise<number> {
  const shown = await performer.execute(operations.session.show, { session })
  const journal = await performer.execute(operations.journal.show, { session, limit: 200 })
  const project = typeof shown.project_dir === 'string' ? shown.project_dir : projectHere()
  const checked = verify(existsSync(project) ? project : undefined, journal.resume_context)
  // Before the sitting begins: it tells what changed since the last one.
  const brief = await performer.execute(operations.journal.brief, { session })
  const sitting = dryRun ? null : await performer.execute(operations.sitting.start, { session })
  const from = resumingFrom(journal.position)
  if (json) {
    const mismatches = checked.filter(({ result }) => result === 'mismatch').length
    const { text, tokens } = brief
    printJson({
      session_id: shown.session_id,
      resuming_from: from,
      checked,
      mismatches,
      brief: { text, tokens },
      sitting,
    })
    return 0
  }
  printOut(`${safe(from)}\n`)
  for (const each of checked) if (each.result !== 'ok') printOut(`${lineOf(each)}\n`)
  if (checked.some(({ result }) => result === 'mismatch')) printOut('Review what does not match before you go on.\n')
  printOut(`\n${safeLines(String(brief.text))}`)
  if (sitting !== null)
    printOut(`\n${sitting.id} has begun${sitting.notes === null ? '' : `. ${safe(String(sitting.notes))}`}\n`)
  return 0
}

function lineOf({ what, result, detail }: Checked): string {
  return safe(`${result === 'mismatch' ? 'mismatch' : 'not checked'}: ${what}: ${detail}`)
}

function resumingFrom(position: Position | null): string {
  const { phase = null, plan = null, task = null } = position ?? {}
  const parts = [
    ...(phase === null ? [] : [`Phase ${phase}`]),
    ...(plan === null ? [] : [`Plan ${plan}`]),
    ...(task === null ? [] : [`Task: ${task}`]),
  ]
  return parts.length === 0 ? 'Resuming; the journal has no position' : `Resuming from ${parts.join(', ')}`
}
