import { isOptional, type Schema, takesAnyValue } from '../../domain/log/input-schema.ts'
import { CairnRefusal, refuse } from '../../domain/log/refusal.ts'
import type { AnyOperation } from '../../operations/operation.ts'
import { flagsOf } from './flags.ts'
import type { Flag } from './registry/flag.ts'
import type { OwnCommand } from './registry/own-command.ts'

export function usageError(message: string, hint: string): CairnRefusal {
  return new CairnRefusal(refuse('usage', message, hint))
}

export function schemaOf(operation: AnyOperation, member: string): Schema<unknown> {
  const schema = operation.input.members[member]
  if (schema === undefined) throw new Error(`${operation.name} has no member ${member}`)
  return schema
}

/** How an argument is called in usage lines: KEY, JSON, FILE|-. */
export function placeholder(operation: AnyOperation, member: string): string {
  const { kind, json } = schemaOf(operation, member)
  if (member === 'session') return 'ID'
  if (kind === 'list') return 'FILE|-'
  if (kind === 'json')
    return takesAnyValue(schemaOf(operation, member)) ? 'VALUE' : json.type === 'array' ? 'JSON-ARRAY' : 'JSON'
  return member.toUpperCase()
}

/** Texts that are a length of time. */
const durations: ReadonlySet<string> = new Set(['ttl', 'timeout', 'older_than'])

/** What follows a flag: nothing, or the kind of its value. */
export function flagText({ name, member, schema }: Flag): string {
  const { kind, json } = schema
  if (kind === 'boolean') return `--${name}`
  if (schema.each) return `${flagText({ name, schema: schema.each })}…`
  if (member === 'session' || member === 'parent') return `--${name} ID`
  if (['home', 'project', 'project-dir'].includes(name)) return `--${name} DIR`
  if (name === 'store') return `--${name} URL`
  if (name.startsWith('tls-') || name === 'output') return `--${name} FILE`
  if (schema.isTime) return `--${name} TIME`
  if (durations.has(member ?? '')) return `--${name} DURATION`
  if (takesAnyValue(schema)) return `--${name} VALUE`
  if (Array.isArray(json.enum)) return `--${name} ${json.enum.join('|')}`
  const value = { text: 'TEXT', integer: 'N', number: 'NUMBER', json: 'JSON', list: 'JSON', object: 'JSON' }
  return `--${name} ${value[kind]}`
}

/** The arguments of a command in their order; those that may be left out in brackets. */
export function placesShown(operation: AnyOperation): string[] {
  return (operation.command.positional ?? []).map((member) => {
    const name = placeholder(operation, member)
    return isOptional(schemaOf(operation, member)) ? `[${name}]` : name
  })
}

/** The flags of a command that are worth a place in its usage line; an ID that has a place needs no flag beside it. */
function flagsShown(operation: AnyOperation): string[] {
  const { positional = [] } = operation.command
  return flagsOf(operation)
    .filter(({ member }) => !positional.includes(member ?? ''))
    .map((flag) => (isOptional(flag.schema) || flag.member === 'project' ? `[${flagText(flag)}]` : flagText(flag)))
}

/** `cairn state set KEY JSON [--version N] …` */
export function usageLine(operation: AnyOperation, words = operation.command.words[0]): string {
  return ['cairn', words, ...placesShown(operation), ...flagsShown(operation)].join(' ')
}

/** The same of a command that is no operation. */
export function ownUsage({ word, places, flags }: OwnCommand): string {
  const shown = flags.map((flag) => `[${flagText(flag)}]`)
  return ['cairn', word, ...(places === undefined ? [] : [places.shown]), ...shown].join(' ')
}
