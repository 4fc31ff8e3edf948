import { isOptional, type Schema, takesAnyValue } from '../../../domain/log/input-schema.ts'
import type { AnyOperation } from '../../../operations/operation.ts'
import { flagsOf } from '../flags.ts'
import type { Flag } from '../registry/flag.ts'
import { flagText, placeholder, schemaOf } from '../usage.ts'

/** One line of an explanation: what is written, and what it means. */
export type Entry = readonly [written: string, about: string]

/** How it is written in a line, where that is more than a text or a number. */
function writtenAs(schema: Schema<unknown>): string {
  if (schema.each) return ' Can be given several times.'
  if (schema.isTime) return ' Also 10m (ago) or 11:30 (most recent).'
  if (takesAnyValue(schema)) return valueWritten
  if (schema.kind === 'json') return ' As JSON text, @FILE, or - for standard input.'
  if (schema.kind !== 'list') return ''
  return ' A file, - for standard input, or the JSON itself: {"operations": […]} or the list.'
}

const valueWritten =
  ' JSON, or plain text: hello is the string "hello". What begins with {, [ or " or looks like a number must be valid JSON; ' +
  'true, false and null are JSON. @FILE and - (standard input) are read as JSON. With --text all of these are text.'

export function argumentEntries(operation: AnyOperation): Entry[] {
  return (operation.command.positional ?? []).map((member) => {
    const schema = schemaOf(operation, member)
    return [placeholder(operation, member), `${schema.about}${writtenAs(schema)}`]
  })
}

function aboutFlag({ member, schema }: Flag): string {
  // The working directory is the one thing that the program gives by itself.
  const required = isOptional(schema) || member === 'project' || schema.kind === 'boolean'
  return `${schema.about}${required ? '' : ' Required.'}${writtenAs(schema)}`
}

export function flagEntries(flags: readonly Flag[]): Entry[] {
  return flags.map((flag) => [flagWritten(flag), aboutFlag(flag)])
}

function flagWritten(flag: Flag): string {
  return flag.short === undefined ? flagText(flag) : `-${flag.short}, ${flagText(flag)}`
}

export function operationFlagEntries(operation: AnyOperation): Entry[] {
  const { positional = [] } = operation.command
  return flagsOf(operation).map((flag) =>
    positional.includes(flag.member ?? '')
      ? [flagText(flag), `The same as ${placeholder(operation, flag.member ?? '')}.`]
      : [flagWritten(flag), aboutFlag(flag)],
  )
}

/** What the program takes from its environment. */
export const environment: readonly Entry[] = [
  ['CAIRN_HOME', 'The data folder; default ~/.cairn.'],
  ['CAIRN_STORE', 'The store; default the one in the data folder.'],
  ['AGENT_SESSION_ID', 'The default session.'],
  [
    'AGENT_ROOT_SESSION_ID',
    'The default if that is not set. AGENT_SESSION_NAME and AGENT_ROOT_SESSION_NAME give names instead.',
  ],
  ['CAIRN_TOKEN', 'A token: every command then goes to a server, with the rights of the token.'],
  ['CAIRN_URL', 'The server for CAIRN_TOKEN; default the one running for the data folder.'],
  ['CAIRN_SERVER_FILE', 'Names the server that took the place of the one at CAIRN_URL; set for agents.'],
  ['NO_COLOR', 'Disables colours.'],
  ['CAIRN_DEBUG', 'Prints a stack trace for internal errors.'],
]
