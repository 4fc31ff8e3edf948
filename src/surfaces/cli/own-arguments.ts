import { filled, type Given, readArguments } from './arguments.ts'
import { flagsByName } from './flags.ts'
import type { Called } from './registry/own-command.ts'
import { ownUsage, usageError } from './usage.ts'

/** What stands after the word of a command that is no operation. */
export interface OwnArguments extends Given {
  readonly home: string | undefined
  readonly store: string | undefined
  /** Shown with what is wrong. */
  readonly usage: string
}

export function argumentsOf({ command, rest }: Pick<Called, 'command' | 'rest'>): OwnArguments {
  const usage = `Usage: ${ownUsage(command)}`
  const given = readArguments(rest, flagsByName([], command.flags), usage)
  const extra = given.places[command.places?.max ?? 0]
  if (extra !== undefined) {
    if (command.places === undefined) throw usageError(`cairn ${command.word} takes no arguments, only flags.`, usage)
    const hint = `Put quotes around an argument with spaces. ${usage}`
    throw usageError(`Unexpected argument ${JSON.stringify(extra)}.`, hint)
  }
  return { ...given, home: filled(given, 'home'), store: filled(given, 'store'), usage }
}

/** Whether a flag without a value is given. */
export function isSet({ flags }: Given, name: string): boolean {
  return flags.get(name) === 'true'
}
