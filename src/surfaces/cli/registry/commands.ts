import { type Operations, operations } from '../../../operations/index.ts'
import type { AnyOperation } from '../../../operations/operation.ts'

/** `noun.verb` of every operation, for tables beside the definitions: a misspelt name does not compile. */
export type OperationName = {
  [Noun in keyof Operations & string]: `${Noun}.${keyof Operations[Noun] & string}`
}[keyof Operations & string]

/** The words after `cairn` and what they ask for. Operations that share words are told apart by their arguments. */
export interface Command {
  readonly words: readonly string[]
  readonly operation: AnyOperation
}

export const definedOperations: readonly AnyOperation[] = Object.values(operations).flatMap((verbs) =>
  Object.values(verbs),
)

export const commands: readonly Command[] = definedOperations.flatMap((operation) =>
  operation.command.words.map((words) => ({ words: words.split(' '), operation })),
)

export function beginsWith(words: readonly string[], start: readonly string[]): boolean {
  return start.every((word, at) => words[at] === word)
}

export function operationsOf(words: readonly string[]): AnyOperation[] {
  return commands
    .filter((command) => command.words.length === words.length && beginsWith(command.words, words))
    .map(({ operation }) => operation)
}
