import { createInterface } from 'node:readline'
import { isatty } from 'node:tty'
import { usageError } from '../usage.ts'

/** Asks on the terminal. Where there is none, nobody can say yes. */
export async function consent(question: string): Promise<boolean> {
  if (!isatty(0) || !isatty(2)) {
    const hint = 'Run again with --yes to write them, or with --dry-run to only see them. Nothing was changed.'
    throw usageError('There are changes to write, and no terminal to ask on.', hint)
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await new Promise<string>((resolve) => {
    // The end of the input and Ctrl-C are no too.
    terminal.once('close', () => resolve(''))
    terminal.once('SIGINT', () => terminal.close())
    terminal.question(`${question} [y/N] `, resolve)
  })
  terminal.close()
  return /^y(?:es)?$/i.test(answer.trim())
}
