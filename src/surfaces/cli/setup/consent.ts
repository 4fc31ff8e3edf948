import { askOnTerminal, canAsk } from '../asking/terminal-question.ts'
import { usageError } from '../usage.ts'

/** Asks on the terminal. Where there is none, nobody can say yes. */
export async function consent(question: string): Promise<boolean> {
  if (!canAsk()) {
    const hint = 'Run again with --yes to write them, or with --dry-run to only see them. Nothing was changed.'
    throw usageError('There are changes to write, and no terminal to ask on.', hint)
  }
  return /^y(?:es)?$/i.test(await askOnTerminal(`${question} [y/N] `))
}
