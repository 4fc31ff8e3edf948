import type { AnyOperation } from '../../../operations/operation.ts'
import { type Command, commands } from '../commands.ts'
import { exitMeanings } from '../exit-codes.ts'
import { globalFlags } from '../flags.ts'
import { type OwnCommand, ownCommands } from '../own-commands.ts'
import { widthOf } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { ownUsage, placesShown, usageLine } from '../usage.ts'
import { argumentEntries, type Entry, environment, examplesOf, flagEntries, operationFlagEntries } from './parts.ts'

/** Beyond this the explanation starts on a line of its own. */
const writtenColumnsMax = 34

function section(title: string, entries: readonly Entry[], terminal: Terminal): string[] {
  if (entries.length === 0) return []
  const width = Math.min(writtenColumnsMax, Math.max(...entries.map(([written]) => widthOf(written))))
  const lines = entries.flatMap(([written, about]) => {
    const [first = '', ...more] = wrapped(about, Math.max(30, terminal.columns - width - 4))
    const indent = `\n${' '.repeat(width + 4)}`
    const gap = widthOf(written) > width ? indent : ' '.repeat(width - widthOf(written) + 2)
    return `  ${terminal.paint('cyan', written)}${gap}${[first, ...more].join(indent)}`
  })
  return ['', terminal.paint('bold', title), ...lines]
}

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + widthOf(word) + 1 > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** One operation whole: usage, arguments, flags, examples. */
export function operationHelp(operation: AnyOperation, terminal: Terminal): string {
  const others = operation.command.words.slice(1).map((words): Entry => [`cairn ${words}`, 'The same.'])
  return [
    operation.summary,
    '',
    `${terminal.paint('bold', 'Usage')}  ${usageLine(operation)}`,
    ...section('Arguments', argumentEntries(operation), terminal),
    ...section('Flags', operationFlagEntries(operation), terminal),
    ...section('Also', others, terminal),
    ...exampleLines(operation, terminal),
  ].join('\n')
}

/** A command that is no operation. */
export function ownHelp(command: OwnCommand, terminal: Terminal): string {
  const usage = `${terminal.paint('bold', 'Usage')}  ${ownUsage(command)}`
  return [command.summary, '', usage, ...section('Flags', flagEntries(command.flags), terminal)].join('\n')
}

function exampleLines(operation: AnyOperation, terminal: Terminal): string[] {
  const examples = examplesOf(operation)
  if (examples.length === 0) return []
  return ['', terminal.paint('bold', 'Examples'), ...examples.map((example) => `  ${terminal.paint('cyan', example)}`)]
}

export function globalHelp(terminal: Terminal): string {
  return section('Flags of every command', flagEntries(globalFlags), terminal).join('\n')
}

function commandEntry({ words, operation }: Command): Entry {
  return [[...words, ...placesShown(operation)].join(' '), operation.summary]
}

/** The commands of one group, or of all. */
export function overview(version: string, listed: readonly Command[], terminal: Terminal): string {
  const groups = new Map<string, Command[]>()
  for (const command of listed) {
    if (command.words.join(' ') !== command.operation.command.words[0]) continue
    const group = command.words.length > 1 ? (command.words[0] as string) : 'more'
    groups.set(group, [...(groups.get(group) ?? []), command])
  }
  const whole = listed.length === commands.length
  const short = commands.filter(({ words, operation }) => words.length === 1 && operation.command.words[0] !== words[0])
  const more: Entry[] = [
    ...(groups.get('more') ?? []).map(commandEntry),
    ...short.map(({ words, operation }): Entry => [words.join(' '), `Short for ${operation.command.words[0]}.`]),
    ...ownCommands.map(({ word, places, summary }): Entry => [[word, places ?? ''].join(' ').trim(), summary]),
    ['--version', 'Show the version of the program.'],
  ]
  groups.delete('more')
  return [
    `cairn ${version}  Shared state, history and sessions of coding agents.`,
    '',
    `${terminal.paint('bold', 'Usage')}  cairn COMMAND [ARGUMENTS] [--json]`,
    ...[...groups].flatMap(([group, members]) => section(titleOf(group), members.map(commandEntry), terminal)),
    ...(whole ? section('More', more, terminal) : []),
    globalHelp(terminal),
    ...(whole ? section('Environment', environment, terminal) : []),
    ...(whole ? section('Exit codes', Object.entries(exitMeanings), terminal) : []),
  ].join('\n')
}

function titleOf(group: string): string {
  return group.charAt(0).toUpperCase() + group.slice(1)
}
