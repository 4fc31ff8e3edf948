import type { Topic } from '../../../operations/command-line.ts'
import type { AnyOperation } from '../../../operations/operation.ts'
import type { OwnCommand } from '../registry/own-command.ts'
import { ownUsage, placesShown, usageLine } from '../usage.ts'
import { argumentEntries, type Entry, flagEntries, operationFlagEntries } from './parts.ts'

/** All that is shown of a command, an operation's or one of the program's own. */
export interface Described {
  /** Its words and what stands after them: `state set KEY VALUE`. */
  readonly shown: string
  /** Other words for the same. */
  readonly also: readonly string[]
  readonly summary: string
  readonly usage: string
  readonly arguments: readonly Entry[]
  readonly flags: readonly Entry[]
  readonly examples: readonly string[]
  readonly topic: Topic | undefined
}

/** `words` are those of the command that it is shown by: the first unless given. */
export function describedOperation(operation: AnyOperation, words = operation.command.words[0] ?? ''): Described {
  const { command, summary } = operation
  return {
    shown: [words, ...placesShown(operation)].join(' '),
    also: command.words.filter((each) => each !== words),
    summary,
    usage: usageLine(operation, words),
    arguments: argumentEntries(operation),
    flags: operationFlagEntries(operation),
    examples: command.examples ?? [],
    topic: command.topic,
  }
}

export function describedOwn(command: OwnCommand): Described {
  const { word, places, summary, flags, examples = [], topic } = command
  return {
    shown: places === undefined ? word : `${word} ${places.shown}`,
    also: [],
    summary,
    usage: ownUsage(command),
    arguments: [],
    flags: flagEntries(flags),
    examples,
    topic,
  }
}
