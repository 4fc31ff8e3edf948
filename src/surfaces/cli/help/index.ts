import type { AnyOperation } from '../../../operations/operation.ts'
import { type Split, splitWords, unknownCommand } from '../command-words.ts'
import { beginsWith, type Command, commands, operationsOf } from '../commands.ts'
import { printJson, printOut } from '../output.ts'
import { ownCommand } from '../own-commands.ts'
import { terminalOf } from '../terminal.ts'
import { usageLine } from '../usage.ts'
import { reference } from './markdown.ts'
import { globalHelp, introduction, operationHelp, overview, ownHelp, topics } from './text.ts'

/** Help for the words of a line: for one command, for a group, or for all. */
export function showHelp(line: Split, json: boolean, version: string): void {
  if (line.rest.includes('--markdown')) printOut(`${reference()}\n`)
  else if (json)
    printJson({ commands: listedBy(line).map(({ words, operation }) => asJson(words.join(' '), operation)) })
  else printOut(`${helpText(line, version)}\n`)
}

function wordsOf(line: Split): readonly string[] {
  const split = line.words[0] === 'help' ? splitWords(line.rest) : line
  const { words, next = '-' } = split
  const isKnown = operationsOf(words).length > 0 || ownCommand(words[0]) !== undefined
  if (!next.startsWith('-') && !isKnown) throw unknownCommand(split)
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
  if (own !== undefined) return `${ownHelp(own, terminal)}\n${globalHelp(terminal)}`
  const operations = operationsOf(words)
  if (words.length === 0 && !asksForAll(line)) {
    return isBare(line) ? introduction(version, terminal) : topics(version, terminal)
  }
  if (operations.length === 0) return overview(version, listedBy(line), terminal)
  const each = operations.map((operation) => operationHelp(operation, terminal))
  return `${each.join('\n\n')}\n${globalHelp(terminal)}`
}

/** Nothing at all was typed. */
function isBare({ words, rest }: Split): boolean {
  return words.length === 0 && rest.length === 0
}

function asksForAll({ rest }: Split): boolean {
  return rest.includes('--all') || rest.includes('-a')
}

function asJson(command: string, operation: AnyOperation) {
  const { name, summary, input } = operation
  return { command, operation: name, summary, usage: usageLine(operation, command), input: input.json }
}
