import type { AnyOperation } from '../../../operations/operation.ts'
import { type Split, splitWords, unknownCommand } from '../command-words.ts'
import { beginsWith, type Command, commands, operationsOf } from '../commands.ts'
import { printJson, printOut } from '../output.ts'
import { ownCommand } from '../own-commands.ts'
import { terminalOf } from '../terminal.ts'
import { usageLine } from '../usage.ts'
import { reference } from './markdown.ts'
import { globalHelp, operationHelp, overview, ownHelp } from './text.ts'

/** Help for the words of a line: for one command, for a group, or for all. */
export function showHelp(line: Split, json: boolean, version: string): void {
  if (line.rest.includes('--markdown')) printOut(`${reference()}\n`)
  else if (json)
    printJson({ commands: listedBy(line).map(({ words, operation }) => asJson(words.join(' '), operation)) })
  else printOut(`${helpText(line, version)}\n`)
}

function wordsOf(line: Split): readonly string[] {
  const { words, rest } = line.words[0] === 'help' ? splitWords(line.rest) : line
  const isUnknown = rest.some((token) => !token.startsWith('-')) && operationsOf(words).length === 0
  if (isUnknown) throw unknownCommand({ words, rest })
  return words
}

/** The commands that begin with these words; all of them for the words of the program itself. */
function listedBy(line: Split): readonly Command[] {
  const listed = commands.filter((command) => beginsWith(command.words, wordsOf(line)))
  return listed.length > 0 ? listed : commands
}

function helpText(line: Split, version: string): string {
  const terminal = terminalOf(1)
  const words = wordsOf(line)
  const own = words.length === 1 ? ownCommand(words[0]) : undefined
  if (own !== undefined && own.flags.length > 0) return `${ownHelp(own, terminal)}\n${globalHelp(terminal)}`
  const operations = operationsOf(words)
  if (operations.length === 0) return overview(version, listedBy(line), terminal)
  const each = operations.map((operation) => operationHelp(operation, terminal))
  return `${each.join('\n\n')}\n${globalHelp(terminal)}`
}

function asJson(command: string, operation: AnyOperation) {
  const { name, summary, input } = operation
  return { command, operation: name, summary, usage: usageLine(operation, command), input: input.json }
}
