import { flag, optional, takesAnyValue, text } from '../../domain/log/input-schema.ts'
import type { AnyOperation } from '../../operations/operation.ts'
import type { Flag } from './registry/flag.ts'
import { presentationOf } from './registry/presentations.ts'

/** Flags that every command takes. */
export const globalFlags: readonly Flag[] = [
  {
    name: 'json',
    schema: flag('Print exactly one JSON document on stdout; state watch and log -f print one per line.'),
  },
  { name: 'home', schema: optional(text('The data folder; default CAIRN_HOME or ~/.cairn.')) },
  {
    name: 'store',
    schema: optional(text('sqlite:PATH or a postgres:// URL; default CAIRN_STORE or the store of the data folder.')),
  },
  { name: 'help', short: 'h', schema: flag('Show help.') },
]

const asText: Flag = {
  name: 'text',
  schema: optional(flag('Take the value as text, whatever it looks like; also that of @FILE and -.')),
}

/** The flags of a command that are not members of its input. */
export function ownFlagsOf({ name, input }: AnyOperation): readonly Flag[] {
  const takesText = Object.values(input.members).some(takesAnyValue)
  return [...(presentationOf(name).flags ?? []), ...(takesText ? [asText] : [])]
}

/** Members that have a flag also where they have a place: the session, which most commands know by its flag only, and what work is about. */
const flaggedAnyway: ReadonlySet<string> = new Set(['session', 'topic'])

const shorts: Readonly<Record<string, string>> = { all: 'a', message: 'm' }

/** The flag of a member; a member that is given by its place has none, but for those. */
function memberFlags(operation: AnyOperation): Flag[] {
  const { positional = [], flags = {} } = operation.command
  const members = Object.entries(operation.input.members)
  return members
    .filter(([member]) => flaggedAnyway.has(member) || !positional.includes(member))
    .map(([member, schema]) => {
      const short = shorts[member]
      return { name: flags[member] ?? member.replaceAll('_', '-'), member, schema, ...(short && { short }) }
    })
}

/** All flags of a command but those of every one. */
export function flagsOf(operation: AnyOperation): Flag[] {
  return [...memberFlags(operation), ...ownFlagsOf(operation)]
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
export function asksFor(name: 'json' | 'help', tokens: readonly string[]): boolean {
  const end = tokens.indexOf('--')
  const before = end < 0 ? tokens : tokens.slice(0, end)
  return (
    before.some((token) => token === `--${name}` || token === `--${name}=true`) ||
    (name === 'help' && before.includes('-h'))
  )
}
