import type { CairnRefusal } from '../../domain/log/refusal.ts'
import { readArguments } from './arguments.ts'
import { flagsByName, globalFlags } from './flags.ts'
import { beginsWith, commands, operationsOf } from './registry/commands.ts'
import { ownCommand, ownCommands } from './registry/own-commands.ts'
import { didYouMean } from './suggestion.ts'
import { usageError } from './usage.ts'

export interface Split {
  readonly words: readonly string[]
  /** What is left, flags that stood before the words included. */
  readonly rest: readonly string[]
  /** Where the words ended: what could not be one of them. */
  readonly next: string | undefined
}

function goesOn(words: readonly string[], token: string): boolean {
  if (words.length === 0 && ownCommand([token]) !== undefined) return true
  const longer = [...words, token]
  return commands.some((command) => command.words.length >= longer.length && beginsWith(command.words, longer))
}

/** Takes the words of a command off the front of a line; flags of the program may stand before and between them. */
export function splitWords(tokens: readonly string[]): Split {
  const words: string[] = []
  const flags: string[] = []
  let at = 0
  for (; at < tokens.length; at++) {
    const token = tokens[at] as string
    const flag = globalFlags.find(({ name }) => token === `--${name}` || token.startsWith(`--${name}=`))
    if (flag !== undefined) {
      flags.push(token)
      if (flag.schema.kind !== 'boolean' && !token.includes('=')) flags.push(...tokens.slice(++at, at + 1))
    } else if (goesOn(words, token)) words.push(token)
    else break
  }
  return { words, rest: [...flags, ...tokens.slice(at)], next: tokens[at] }
}

/** Words that are no command: says what is wrong with them. */
export function unknownCommand({ words, next }: Split): CairnRefusal {
  const group = ['cairn', ...words].join(' ')
  const below = commands.filter((command) => beginsWith(command.words, words))
  if (next === undefined || next.startsWith('-')) {
    const names = [...new Set(below.map((command) => command.words[words.length]))]
    const missing = words.length === 0 ? 'a command' : 'a subcommand'
    return usageError(`${group} needs ${missing}.`, `One of: ${names.join(', ')}. See ${group} --help.`)
  }
  const shown = next.length > 64 ? `${next.slice(0, 64)}…` : next
  return usageError(
    `Unknown command ${JSON.stringify(`${group} ${shown}`)}.`,
    `${suggestion(words, next)}See ${group} --help.`,
  )
}

/** The nearest word at this place, else a longer command that ends in the word: `set` is `state set`. */
function suggestion(words: readonly string[], next: string): string {
  const ending = commands.find((command) => command.words.length > 1 && command.words.at(-1) === next)
  if (ending !== undefined && words.length === 0) return `Did you mean cairn ${ending.words.join(' ')}? `
  const here = commands.filter((command) => beginsWith(command.words, words)).map((command) => command.words)
  const places = words.length === 0 ? [...here, ...ownCommands.map(({ word }) => [word])] : here
  return didYouMean(
    next,
    places.map((each) => [each[words.length] ?? '', ['cairn', ...words, each[words.length]].join(' ')]),
  )
}

/** The operations that the words stand for, or the refusal of words that stand for none. */
export function operationsFor(split: Split) {
  const found = operationsOf(split.words)
  if (found.length > 0) return found
  // Only a flag that stands before any command is the nearer mistake: it may be what the word after it belongs to.
  if (split.words.length === 0 && split.next?.startsWith('-')) {
    readArguments(split.rest, flagsByName([]), 'See cairn --help.')
  }
  throw unknownCommand(split)
}
