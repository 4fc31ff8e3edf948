import { CairnRefusal, type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Json } from '../../json/value.ts'
import { inWordsOf } from '../../operations/hint-words.ts'
import { commandHints } from './command-hints.ts'
import { exits } from './exit-codes.ts'
import { printJson, printNote, safe, safeLines } from './output.ts'
import { cut } from './table.ts'
import { terminalOf } from './terminal.ts'
import { labelled } from './wrap.ts'

/** Says why nothing was done, and answers with the exit code. A bug shows its stack when `CAIRN_DEBUG` is set. */
export function report(error: unknown, json: boolean): number {
  const refusal = inWordsOf(commandHints, error instanceof CairnRefusal ? error.refusal : internal(error))
  explain(refusal, json)
  if (refusal.code === 'internal' && process.env.CAIRN_DEBUG && error instanceof Error) {
    printNote(`${safeLines(error.stack ?? '')}\n`)
  }
  if (json && !isWriteFault(error)) printJson(refusal)
  return exits[refusal.code]
}

function internal(error: unknown): Refusal {
  const message = error instanceof Error ? error.message : String(error)
  if (isWriteFault(error))
    return refuse('internal', `The output cannot be written: ${message}.`, 'The command itself succeeded.')
  return refuse('internal', message, 'This is a fault of Cairn; CAIRN_DEBUG=1 shows where it is.')
}

/** Standard output cannot be written, as on a full disk. */
function isWriteFault(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.syscall === 'write'
}

/** For people, on stderr: with `--json` a line is enough, for the rest is in the document. */
function explain({ message, hint, details }: Refusal, json: boolean): void {
  const terminal = terminalOf(2)
  const lines = [labelled('error:', 'red', safe(message), terminal)]
  if (!json) {
    if ('current_value' in details && details.current_value !== null) {
      lines.push(`${terminal.paint('dim', 'now:')} ${cut(safe(JSON.stringify(details.current_value)), 200)}`)
    }
    lines.push(...ofBatch(details))
    for (const candidate of candidatesOf(details)) lines.push(`  ${safe(candidate)}`)
    lines.push(labelled('hint:', 'dim', safe(hint), terminal))
  }
  printNote(`${lines.join('\n')}\n`)
}

/** Of a batch every operation that was refused: whoever tries again has to do so once. */
function ofBatch({ index, results }: Refusal['details']): string[] {
  if (index === undefined) return []
  const first = Number(index) + 1
  const each = (Array.isArray(results) ? results : []) as { [member: string]: Json }[]
  const others = each.flatMap(({ message }, at) =>
    message === undefined || at === index ? [] : [`operation ${at + 1}: ${safe(String(message))}`],
  )
  return [`This is operation ${first} of the batch; nothing was applied.`, ...others]
}

/** What may have been meant: its id first, then whatever else is said of it. */
function candidatesOf(details: Refusal['details']): string[] {
  const found = (details.candidates ?? []) as { [member: string]: Json }[]
  return found.map(({ session_id, id, ...rest }) => {
    const known = String(session_id ?? id ?? '').slice(-8)
    return [known, ...Object.values(rest).filter((value) => typeof value === 'string')].join('  ')
  })
}
