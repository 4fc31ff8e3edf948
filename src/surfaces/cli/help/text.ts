import { topics } from '../../../operations/command-line.ts'
import type { AnyOperation } from '../../../operations/operation.ts'
import { exitMeanings } from '../exit-codes.ts'
import { globalFlags } from '../flags.ts'
import { type Command, commands, definedOperations } from '../registry/commands.ts'
import { ownCommands } from '../registry/own-commands.ts'
import { widthOf } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { wrapped, wrappedUsage } from '../wrap.ts'
import { type Described, describedOperation, describedOwn } from './described.ts'
import { firstSteps } from './first-steps.ts'
import { type Entry, environment, flagEntries } from './parts.ts'

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

/** One command whole: usage, arguments, flags, examples. */
export function commandHelp(command: Described, terminal: Terminal): string {
  return [
    ...wrapped(command.summary, terminal.columns),
    '',
    usageText(command.usage, terminal),
    ...section('Arguments', command.arguments, terminal),
    ...section('Flags', command.flags, terminal),
    ...section(
      'Also',
      command.also.map((words): Entry => [`cairn ${words}`, 'The same.']),
      terminal,
    ),
    ...exampleLines(command, terminal),
  ].join('\n')
}

function usageText(usage: string, terminal: Terminal): string {
  const lines = wrappedUsage(usage, Math.max(30, terminal.columns - usageIndent))
  return `${terminal.paint('bold', 'Usage')}  ${lines.join(`\n${' '.repeat(usageIndent)}`)}`
}

/** Usage, two spaces, and what goes on under the arguments. */
const usageIndent = 9

function exampleLines({ examples }: Described, terminal: Terminal): string[] {
  if (examples.length === 0) return []
  return ['', terminal.paint('bold', 'Examples'), ...examples.map((example) => `  ${terminal.paint('cyan', example)}`)]
}

export function globalHelp(terminal: Terminal): string {
  return section('Flags of every command', flagEntries(globalFlags), terminal).join('\n')
}

function entryOf({ shown, summary }: Described): Entry {
  return [shown, summary]
}

const what = 'Shared state, history and sessions for coding agents.'

/** What this is and what to do first: all that bare `cairn` shows. */
export function introduction(version: string, terminal: Terminal): string {
  const steps = firstSteps.flatMap(({ title, entries }) => section(title, entries, terminal))
  return [...wrapped(`cairn ${version}  ${what}`, terminal.columns), ...steps].join('\n')
}

/** The commands that people use most, by topic. */
export function topicsHelp(version: string, terminal: Terminal): string {
  const described = [...ownCommands.map(describedOwn), ...definedOperations.map(describedShortly)]
  const sections = topics.flatMap((topic) => {
    const entries = described.filter((command) => command.topic === topic).map(entryOf)
    return section(topic, entries, terminal)
  })
  const more = 'cairn help COMMAND shows one with its flags and examples; cairn help --all lists every command.'
  return [
    ...wrapped(`cairn ${version}  ${what}`, terminal.columns),
    ...sections,
    '',
    ...wrapped(more, terminal.columns),
  ].join('\n')
}

/** By the fewest words that ask for it, which is what people type. */
function describedShortly(operation: AnyOperation): Described {
  const [shortest] = operation.command.words.toSorted((a, b) => a.split(' ').length - b.split(' ').length)
  return describedOperation(operation, shortest)
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
    ...[...byWord].flatMap(([group, members]) => section(titleOf(group), members.map(listedEntry), terminal)),
    ...(whole ? section('More', moreEntries(single), terminal) : []),
    globalHelp(terminal),
    ...(whole ? section('Environment', environment, terminal) : []),
    ...(whole ? section('Exit codes', Object.entries(exitMeanings), terminal) : []),
  ].join('\n')
}

function listedEntry({ words, operation }: Command): Entry {
  return entryOf(describedOperation(operation, words.join(' ')))
}

function moreEntries(single: readonly Command[]): Entry[] {
  const others = commands.filter(({ words, operation }) => operation.command.words[0] !== words.join(' '))
  return [
    ...single.map(listedEntry),
    ...others.map(({ words, operation }): Entry => [words.join(' '), `The same as ${operation.command.words[0]}.`]),
    ...ownCommands.map((command) => entryOf(describedOwn(command))),
  ]
}

function titleOf(group: string): string {
  return group.charAt(0).toUpperCase() + group.slice(1)
}
