import { createInterface } from 'node:readline'
import { isatty } from 'node:tty'

/** Whether somebody is there who could answer. */
export function canAsk(): boolean {
  return isatty(0) && isatty(2)
}

/** What is typed at a question; nothing at the end of the input and at Ctrl-C. */
export async function askOnTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await new Promise<string>((resolve) => {
    terminal.once('close', () => resolve(''))
    terminal.once('SIGINT', () => terminal.close())
    terminal.question(question, resolve)
  })
  terminal.close()
  return answer.trim()
}
