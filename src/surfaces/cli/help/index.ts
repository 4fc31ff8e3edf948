import type { AnyOperation } from '../../../operations/operation.ts'
import { splitWords, unknownCommand } from '../command-words.ts'
import { printJson, printOut } from '../output.ts'
import { beginsWith, type Command, commands, operationsOf } from '../registry/commands.ts'
import type { Called, Program } from '../registry/own-command.ts'
import { ownCommand } from '../registry/own-commands.ts'
import { terminalOf } from '../terminal.ts'
import { usageLine } from '../usage.ts'
import { describedOperation, describedOwn } from './described.ts'
import { commandHelp, globalHelp, introduction, overview, topicsHelp } from './text.ts'

/** Help for the words of a line: for one command, for a group, or for all. */
export async function showHelp({ rest, json, program }: Called): Promise<number> {
  const words = knownWords(rest)
  if (json) printJson({ commands: listedBelow(words).map(asJson) })
  else printOut(`${helpText(words, rest, program)}\n`)
  return 0
}

/** What is shown to whoever typed nothing at all. */
export function introduce({ version }: Program): number {
  printOut(`${introduction(version, terminalOf(1))}\n`)
  return 0
}

function knownWords(line: readonly string[]): readonly string[] {
  const split = splitWords(line)
  const { words, next = '-' } = split
  const isKnown = operationsOf(words).length > 0 || ownCommand(words) !== undefined
  if (!next.startsWith('-') && !isKnown) throw unknownCommand(split)
  return words
}

/** The commands that begin with these words; all of them for the words of the program itself. */
function listedBelow(words: readonly string[]): readonly Command[] {
  const listed = commands.filter((command) => beginsWith(command.words, words))
  return listed.length > 0 ? listed : commands
}

function helpText(words: readonly string[], line: readonly string[], { version }: Program): string {
  const terminal = terminalOf(1)
  if (words.length === 0 && !line.some((token) => token === '--all' || token === '-a')) {
    return topicsHelp(version, terminal)
  }
  const own = ownCommand(words)
  const described =
    own === undefined ? operationsOf(words).map((each) => describedOperation(each)) : [describedOwn(own)]
  if (described.length === 0) return overview(version, listedBelow(words), terminal)
  const each = described.map((command) => commandHelp(command, terminal))
  return `${each.join('\n\n')}\n${globalHelp(terminal)}`
}

function asJson({ words, operation }: { words: readonly string[]; operation: AnyOperation }) {
  const { name, summary, input } = operation
  const command = words.join(' ')
  return { command, operation: name, summary, usage: usageLine(operation, command), input: input.json }
}
