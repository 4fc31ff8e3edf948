import {
  type Aliases,
  isOptional,
  type JsonSchema,
  type Schema,
  takesAnyValue,
} from '../../../domain/log/input-schema.ts'
import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import type { Answer } from '../../../domain/log/rows.ts'
import type { Json } from '../../../json/value.ts'
import type { AnyAnswered } from '../../../operations/operation.ts'
import { readJsonText, type Written } from './json-text.ts'

export type Arguments = { readonly [name: string]: Json }
export type Perform = (operation: AnyAnswered, input: object) => Promise<Answer>

/** What a client may show or ask a person before it calls. */
export interface Hints {
  readonly readOnlyHint?: true
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
}

export interface Tool {
  readonly name: string
  /** When to use it, for a model. */
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly annotations: Hints
  run(given: Arguments, perform: Perform): Promise<Answer>
}

/** An argument: a few words about it, or none where its name says all; `json` where it is a value as text. */
export interface Argument {
  readonly about?: string
  readonly json?: Written
  readonly type?: string
  readonly among?: readonly string[]
  readonly required?: boolean
}

/** Taken by every tool that acts in a session; it must lie within the reach of the caller. */
export const sessionMeant: { readonly [name: string]: Argument } = { session_id: {} }

interface Described {
  readonly name: string
  readonly description: string
  readonly takes: { readonly [name: string]: Argument }
  /** Taken as well, and listed nowhere. */
  readonly alsoTakes?: { readonly [name: string]: Argument }
  readonly annotations: Hints
  run(given: Arguments, perform: Perform): Promise<Answer>
}

/** Taken by every tool that changes something. These stand in no schema: what clients are told at the start, and the refusal that they answer, say it once for all. */
const unlisted: { readonly [name: string]: Argument } = {
  request_id: {},
  call: {},
  fence: {},
  allow_secret: { type: 'boolean' },
}

/** A tool whose arguments were read: those that are JSON text are values, and those that are not known are refused. */
export function describedTool({ takes, alsoTakes = {}, run, ...said }: Described): Tool {
  const taken = { ...(said.annotations.readOnlyHint ? {} : unlisted), ...takes, ...alsoTakes }
  return {
    ...said,
    inputSchema: schemaOf(takes),
    run: async (given, perform) => run(accepted(readArguments(taken, given)), perform),
  }
}

/** An argument of an operation, which itself says what kind of value it is. */
interface Taken extends Omit<Argument, 'json'> {
  readonly json?: true
}

interface OperationTool {
  readonly description: string
  readonly takes: { readonly [member: string]: Taken }
  readonly annotations: Hints
}

/** The tool of one operation: its name, and the types of its arguments, are those of the operation. */
export function toolOf(operation: AnyAnswered, { takes, ...said }: OperationTool): Tool {
  const { members } = operation.input
  const described = Object.entries(takes).map(([member, argument]) => [member, typed(members[member], argument)])
  const aliases = Object.entries(operation.input.aliases).filter(([, member]) => Object.hasOwn(takes, member))
  const inSession = members.session === undefined ? {} : sessionMeant
  return describedTool({
    ...said,
    name: toolName(operation),
    takes: { ...Object.fromEntries(described), ...inSession },
    alsoTakes: Object.fromEntries(aliases.map(([alias]) => [alias, {}])),
    run: (given, perform) => perform(operation, inputOf(byMember(given, operation.input.aliases))),
  })
}

/** Arguments under the names of members. */
function byMember(given: Arguments, aliases: Aliases): Arguments {
  const name = (alias: string) => (Object.hasOwn(aliases, alias) && alias !== 'session_id' ? aliases[alias] : alias)
  return Object.fromEntries(Object.entries(given).map(([alias, value]) => [name(alias), value]))
}

export function toolName({ name }: Pick<AnyAnswered, 'name'>): string {
  return name.replace('.', '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function typed(member: Schema<unknown> | undefined, { json, ...argument }: Taken): Argument {
  if (member === undefined) throw new Error('a tool takes what its operation does not')
  const { type, enum: among } = member.json as { type?: string; enum?: string[] }
  const kept = among === undefined ? {} : { among }
  const written: Pick<Argument, 'json'> = json ? { json: takesAnyValue(member) ? 'value' : 'json' } : {}
  return { required: !isOptional(member), type: json ? 'string' : (type ?? 'string'), ...kept, ...written, ...argument }
}

/** The session is called `session_id` by tools, and `session` by operations. */
export function inputOf({ session_id: session, ...rest }: Arguments): object {
  return session === undefined ? rest : { ...rest, session }
}

/** As short as it can be said: each word of it stands in the context of every agent. */
function schemaOf(all: { readonly [name: string]: Argument }): JsonSchema {
  const entries = Object.entries(all)
  const properties = entries.map(([name, { type = 'string', among, about }]): [string, Json] => [
    name,
    { type, ...(among ? { enum: [...among] } : {}), ...(about === undefined ? {} : { description: about }) },
  ])
  const required = entries.filter(([, argument]) => argument.required).map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  }
}

function readArguments(all: { readonly [name: string]: Argument }, given: Arguments): Arguments | Refusal {
  const read: { [name: string]: Json } = {}
  for (const [name, value] of Object.entries(given)) {
    const argument = Object.hasOwn(all, name) ? all[name] : undefined
    if (argument === undefined) return unknownArgument(name, Object.keys(all))
    // Many models say null for what they leave out.
    if (value === null && !argument.required) continue
    const taken = argument.json ? readJsonText(name, value, argument.json) : value
    if (taken instanceof Refusal) return taken
    read[name] = taken
  }
  return read
}

function unknownArgument(name: string, known: readonly string[]): Refusal {
  const shown = JSON.stringify(name.slice(0, 64))
  return refuse('invalid_input', `Unknown argument ${shown}.`, `Allowed arguments: ${known.join(', ')}.`, {
    path: name.slice(0, 64),
  })
}

function accepted(read: Arguments | Refusal): Arguments {
  if (read instanceof Refusal) throw new CairnRefusal(read)
  return read
}
