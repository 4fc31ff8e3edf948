import type { AnyOperation } from '../../../operations/operation.ts'
import { type Command, commands } from '../commands.ts'
import { exitMeanings } from '../exit-codes.ts'
import { globalFlags } from '../flags.ts'
import { type OwnCommand, ownCommand, ownCommands } from '../own-commands.ts'
import { widthOf } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { ownUsage, placesShown, usageLine } from '../usage.ts'
import { wrapped, wrappedUsage } from '../wrap.ts'
import { firstSteps, groups } from './groups.ts'
import { argumentEntries, type Entry, environment, examplesOf, flagEntries, operationFlagEntries } from './parts.ts'

/** Beyond this the explanation starts on a line of its own. */
const writtenColumnsMax = 34

function section(title: string, entries: readonly Entry[], terminal: Terminal): string[] {
  if (entries.length === 0) return []
  const width = Math.min(writtenColumnsMax, Math.max(...entries.map(([written]) => widthOf(written))))
  const lines = entries.flatMap(([written, about]) => {
    const [first = '', ...more] = wrapped(about, Math.max(20, terminal.columns - width - 4))
    const indent = `\n${' '.repeat(width + 4)}`
    const gap = widthOf(written) > width ? indent : ' '.repeat(width - widthOf(written) + 2)
    return `  ${terminal.paint('cyan', written)}${gap}${[first, ...more].join(indent)}`
  })
  return ['', terminal.paint('bold', title), ...lines]
}

/** One operation whole: usage, arguments, flags, examples. */
export function operationHelp(operation: AnyOperation, terminal: Terminal): string {
  const others = operation.command.words.slice(1).map((words): Entry => [`cairn ${words}`, 'The same.'])
  return [
    ...wrapped(operation.summary, terminal.columns),
    '',
    usageText(usageLine(operation), terminal),
    ...section('Arguments', argumentEntries(operation), terminal),
    ...section('Flags', operationFlagEntries(operation), terminal),
    ...section('Also', others, terminal),
    ...exampleLines(operation, terminal),
  ].join('\n')
}

/** A command that is no operation. */
export function ownHelp(command: OwnCommand, terminal: Terminal): string {
  const summary = wrapped(command.summary, terminal.columns)
  const usage = usageText(ownUsage(command), terminal)
  return [...summary, '', usage, ...section('Flags', flagEntries(command.flags), terminal)].join('\n')
}

function usageText(usage: string, terminal: Terminal): string {
  const lines = wrappedUsage(usage, Math.max(30, terminal.columns - usageIndent))
  return `${terminal.paint('bold', 'Usage')}  ${lines.join(`\n${' '.repeat(usageIndent)}`)}`
}

/** Usage, two spaces, and what goes on under the arguments. */
const usageIndent = 9

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

const what = 'Shared state, history and sessions for coding agents.'

/** What this is and what to do first: all that bare `cairn` shows. */
export function introduction(version: string, terminal: Terminal): string {
  const steps = firstSteps.flatMap(({ title, entries }) => section(title, entries, terminal))
  return [...wrapped(`cairn ${version}  ${what}`, terminal.columns), ...steps].join('\n')
}

/** The commands that people use most, by topic. */
export function topics(version: string, terminal: Terminal): string {
  const sections = groups.flatMap(({ title, commands: words }) => section(title, words.map(entryOf), terminal))
  const more = 'cairn help COMMAND shows one with its flags and examples; cairn help --all lists every command.'
  return [
    ...wrapped(`cairn ${version}  ${what}`, terminal.columns),
    ...sections,
    '',
    ...wrapped(more, terminal.columns),
  ].join('\n')
}

/** A command with its summary, by the words that are typed. */
function entryOf(words: string): Entry {
  const own = ownCommand(words)
  if (own !== undefined) return [`${[own.word, own.places ?? ''].join(' ').trim()}`, own.summary]
  const command = commands.find((each) => each.words.join(' ') === words)
  if (command === undefined) throw new Error(`there is no command ${words}`)
  return commandEntry(command)
}

/** Every command of one group, or of all. */
export function overview(version: string, listed: readonly Command[], terminal: Terminal): string {
  const byWord = new Map<string, Command[]>()
  for (const command of listed) {
    if (command.words.join(' ') !== command.operation.command.words[0]) continue
    const group = command.words.length > 1 ? (command.words[0] as string) : 'more'
    byWord.set(group, [...(byWord.get(group) ?? []), command])
  }
  const whole = listed.length === commands.length
  const single = byWord.get('more') ?? []
  byWord.delete('more')
  return [
    `cairn ${version}  ${what}`,
    '',
    `${terminal.paint('bold', 'Usage')}  cairn COMMAND [ARGUMENTS] [--json]`,
    ...[...byWord].flatMap(([group, members]) => section(titleOf(group), members.map(commandEntry), terminal)),
    ...(whole ? section('More', moreEntries(single), terminal) : []),
    globalHelp(terminal),
    ...(whole ? section('Environment', environment, terminal) : []),
    ...(whole ? section('Exit codes', Object.entries(exitMeanings), terminal) : []),
  ].join('\n')
}

function moreEntries(single: readonly Command[]): Entry[] {
  const others = commands.filter(({ words, operation }) => operation.command.words[0] !== words.join(' '))
  return [
    ...single.map(commandEntry),
    ...others.map(({ words, operation }): Entry => [words.join(' '), `The same as ${operation.command.words[0]}.`]),
    ...ownCommands.map(({ word, places, summary }): Entry => [[word, places ?? ''].join(' ').trim(), summary]),
  ]
}

function titleOf(group: string): string {
  return group.charAt(0).toUpperCase() + group.slice(1)
}
