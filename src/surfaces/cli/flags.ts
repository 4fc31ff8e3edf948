import { flag, optional, type Schema, text } from '../../domain/log/input-schema.ts'
import type { AnyOperation } from '../../operations/operation.ts'

export interface Flag {
  /** Without the dashes. */
  readonly name: string
  /** The member of the input that it gives; none for flags of the program itself. */
  readonly member?: string
  readonly schema: Schema<unknown>
}

/** Flags that every command takes. */
export const globalFlags: readonly Flag[] = [
  { name: 'json', schema: flag('Print exactly one JSON document on stdout.') },
  { name: 'home', schema: optional(text('The data folder; CAIRN_HOME or ~/.cairn unless given.')) },
  { name: 'store', schema: optional(text('sqlite:PATH or a postgres:// URL; CAIRN_STORE or that of the folder.')) },
  { name: 'help', schema: flag('Show help.') },
]

/** Members that have a flag also where they have a place: the session, which most commands know by its flag only, and what work is about. */
const flaggedAnyway: ReadonlySet<string> = new Set(['session', 'topic'])

/** A member that is given by its place has no flag, but for these. */
export function flagsOf(operation: AnyOperation): Flag[] {
  const { positional = [] } = operation.command
  const members = Object.entries(operation.input.members)
  return members
    .filter(([member]) => flaggedAnyway.has(member) || !positional.includes(member))
    .map(([member, schema]) => ({ name: member.replaceAll('_', '-'), member, schema }))
}

/** Flags by the names that answers have for the same: they are taken, and help does not repeat itself. */
export function aliasFlagsOf(operation: AnyOperation): Flag[] {
  const flags = new Map(flagsOf(operation).map((flag) => [flag.member, flag]))
  return Object.entries(operation.input.aliases).flatMap(([alias, member]) => {
    const flag = flags.get(member)
    return flag === undefined ? [] : [{ ...flag, name: alias.replaceAll('_', '-') }]
  })
}

/** All flags that may stand after some words, by name. */
export function flagsByName(operations: readonly AnyOperation[], own: readonly Flag[] = []): Map<string, Flag> {
  const flags = [...operations.flatMap(flagsOf), ...own, ...globalFlags]
  return new Map(flags.map((flag) => [flag.name, flag]))
}

/** Whether a flag of the program is given, also on a line that cannot be read otherwise. */
export function asksFor(name: 'json' | 'help' | 'version', tokens: readonly string[]): boolean {
  const end = tokens.indexOf('--')
  const before = end < 0 ? tokens : tokens.slice(0, end)
  return (
    before.some((token) => token === `--${name}` || token === `--${name}=true`) ||
    (name === 'help' && before.includes('-h'))
  )
}
