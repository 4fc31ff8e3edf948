import { checkJson, type Json } from '../../json/value.ts'
import { defaultLimits, type InputLimits } from './limits.ts'
import { Refusal, refuse } from './refusal.ts'
import { givenTwice, tooLong, unknownMember, wrong } from './text/input-refusals.ts'

/**
 * What an operation takes, said once: the check of an input, its TypeScript type, its JSON Schema and the flags of its
 * command all come from here. Our own few lines, because a schema library costs more time and memory at every start of
 * the command than all the rest of a read (docs/decisions/0006-own-schemas.md).
 */
export interface Schema<T> {
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'json' | 'list' | 'object'
  /** JSON Schema of the same. */
  readonly json: JsonSchema
  readonly about: string
  /** It names a time; a command line may also give a time of day or how long ago it was. */
  readonly isTime?: true
  /** It is a text of any length; a command line may also read it from a file. */
  readonly isProse?: true
  /** It is a list of short items; a command line gives each of them with a flag of its own. */
  readonly each?: Schema<unknown>
  /** The value if it fits, as a copy where its owner could still change it, else a refusal that names the path. `limits` are those of the store. */
  check(value: unknown, path: string, limits?: InputLimits): T | Refusal
}

export type JsonSchema = { readonly [key: string]: Json }

/** A member that answers have under another name: that is taken for it as well. */
export interface Renamed<Alias extends string> {
  readonly alias: Alias
}

export interface Optional<T> extends Schema<T> {
  readonly optional: true
}

export type Members = { readonly [name: string]: Schema<unknown> }

export type Output<S> = S extends Schema<infer T> ? T : never

type OptionalNames<M> = { [K in keyof M]: M[K] extends Optional<unknown> ? K : never }[keyof M]

export type Shape<M> = { [K in Exclude<keyof M, OptionalNames<M>>]: Output<M[K]> } & {
  [K in OptionalNames<M>]?: Output<M[K]>
} & {
  [K in keyof M as M[K] extends Renamed<infer Alias> ? Alias : never]?: Output<M[K]>
}

export interface ObjectSchema<T> extends Schema<T> {
  readonly kind: 'object'
  readonly members: Members
  /** Other names of members. */
  readonly aliases: Aliases
}

export type Aliases = Readonly<Record<string, string>>

/** What is wrong inside of a member, with the way to it from the input instead of from `$`, the member's own value. */
export function within(path: string, { code, message, hint, details }: Refusal): Refusal {
  const { path: inside = '$' } = details as { path?: string }
  if (!inside.startsWith('$')) return refuse(code, message, hint, details)
  return refuse(
    code,
    message.replace(/^\$/, () => path),
    hint,
    { ...details, path: path + inside.slice(1) },
  )
}

/** A JSON value as it was at the call: it is written later, and its owner may go on changing it. */
function keptJson(value: unknown, path: string, { depth }: InputLimits = defaultLimits): Json | Refusal {
  const checked = checkJson(value, [], depth)
  if (!(checked instanceof Refusal)) return copyOf(checked)
  // The value of a member is a document of its own, `$`; only among many it has to be said which one is meant.
  return path.includes('[') ? within(path, checked) : checked
}

function copyOf(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyOf)
  const copy: { [key: string]: Json } = {}
  for (const name of Object.keys(value)) copy[name] = copyOf(value[name] as Json)
  return copy
}

interface TextRules {
  min?: number
  max?: number
  among?: readonly string[]
  check?: (text: string, limits: InputLimits) => Refusal | undefined
}

export function text<T extends string = string>(about: string, rules: TextRules = {}): Schema<T> {
  const { min = 1, max = 4096, among } = rules
  const wanted = among ? `one of ${among.join(', ')}` : `text of ${min} to ${max} characters`
  const json: JsonSchema = among
    ? { type: 'string', enum: [...among], description: about }
    : { type: 'string', minLength: min, maxLength: max, description: about }
  return {
    kind: 'text',
    json,
    about,
    check(value, path, limits = defaultLimits) {
      if (typeof value !== 'string' || (among && !among.includes(value))) return wrong(path, wanted, value, about)
      const unfit = rules.check?.(value, limits)
      if (unfit !== undefined) return within(path, unfit)
      if (!among && value.length < min)
        return refuse('invalid_input', `${path} is empty.`, `${path}: ${about}`, { path })
      if (!among && value.length > max) return tooLong(path, value.length, max)
      const refusal = checkJson(value)
      return refusal instanceof Refusal ? within(path, refusal) : (value as T)
    },
  }
}

export function oneOf<const T extends readonly string[]>(about: string, among: T): Schema<T[number]> {
  return text<T[number]>(about, { among })
}

export function integer(about: string, rules: { min?: number; max?: number } = {}): Schema<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = rules
  return {
    kind: 'integer',
    json: { type: 'integer', minimum: min, maximum: max, description: about },
    about,
    check(value, path) {
      const isWhole = Number.isSafeInteger(value) && !Object.is(value, -0)
      const fits = isWhole && (value as number) >= min && (value as number) <= max
      return fits ? (value as number) : wrong(path, `a whole number from ${min} to ${max}`, value, about)
    },
  }
}

export function number(about: string): Schema<number> {
  return {
    kind: 'number',
    json: { type: 'number', description: about },
    about,
    check(value, path) {
      if (typeof value !== 'number') return wrong(path, 'a number', value, about)
      const checked = checkJson(value)
      return checked instanceof Refusal ? within(path, checked) : value
    },
  }
}

export function flag(about: string): Schema<boolean> {
  return {
    kind: 'boolean',
    json: { type: 'boolean', description: about },
    about,
    check: (value, path) => (typeof value === 'boolean' ? value : wrong(path, 'true or false', value, about)),
  }
}

/** Any JSON value, held to the rules of a state value. */
export function json(about: string): Schema<Json> {
  return { kind: 'json', json: { description: about }, about, check: keptJson }
}

/** Whether any JSON value will do, so that a text may be meant by what is no JSON. */
export function takesAnyValue({ kind, json }: Schema<unknown>): boolean {
  return kind === 'json' && json.type === undefined && json.oneOf === undefined
}

export function jsonObject(about: string): Schema<{ [key: string]: Json }> {
  return {
    kind: 'json',
    json: { type: 'object', description: about },
    about,
    check(value, path, limits) {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return wrong(path, 'a JSON object', value, about)
      return keptJson(value, path, limits) as { [key: string]: Json } | Refusal
    },
  }
}

export function jsonList(about: string): Schema<Json[]> {
  return {
    kind: 'json',
    json: { type: 'array', description: about },
    about,
    check(value, path, limits) {
      return Array.isArray(value)
        ? (keptJson(value, path, limits) as Json[] | Refusal)
        : wrong(path, 'a JSON array', value, about)
    },
  }
}

export function list<T>(about: string, item: Schema<T>): Schema<T[]> {
  return {
    kind: 'list',
    json: { type: 'array', items: item.json, description: about },
    about,
    check(value, path, limits) {
      if (!Array.isArray(value)) return wrong(path, 'a list', value, about)
      const items: T[] = []
      for (let at = 0; at < value.length; at++) {
        const checked = item.check(value[at], `${path}[${at}]`, limits)
        if (checked instanceof Refusal) return checked
        items.push(checked)
      }
      return items
    },
  }
}

/** An object of one of several shapes; the member `tag` says which. */
export function variants<const V extends Variants, const Tag extends string>(
  about: string,
  tag: Tag,
  shapes: V,
): Schema<Variant<V, Tag>> {
  const names = Object.keys(shapes)
  const objects = names.map((name) => [name, object({ [tag]: oneOf('Which one.', [name]), ...shapes[name] })] as const)
  const named = new Map(objects)
  const which = oneOf(about, names)
  return {
    kind: 'json',
    json: { oneOf: objects.map(([, shape]) => shape.json), description: about },
    about,
    check(value, path, limits) {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return wrong(path, 'an object', value, about)
      const name = which.check((value as Record<string, unknown>)[tag], `${path}.${tag}`)
      if (name instanceof Refusal) return name
      return (named.get(name) as Schema<unknown>).check(value, path, limits) as Variant<V, Tag> | Refusal
    },
  }
}

type Variants = { readonly [name: string]: Members }

type Variant<V, Tag extends string> = { [Name in keyof V]: { [T in Tag]: Name } & Shape<V[Name]> }[keyof V]

export function optional<T>(schema: Schema<T>): Optional<T> {
  return { ...schema, optional: true }
}

/** One name for a thing in requests and answers: what is answered as `alias` can be given as that. */
export function alsoCalled<const Alias extends string, S extends Schema<unknown>>(
  alias: Alias,
  schema: S,
): S & Renamed<Alias> {
  return { ...schema, alias }
}

function aliasesOf(members: Members): Aliases {
  const renamed = Object.entries(members).flatMap(([name, schema]) =>
    'alias' in schema ? [[String(schema.alias), name] as const] : [],
  )
  return Object.fromEntries(renamed)
}

export function isOptional(schema: Schema<unknown>): boolean {
  return 'optional' in schema
}

/** Members that are not named are refused, so that a misspelt one is not silently without effect. */
export function object<const M extends Members>(members: M, about = ''): ObjectSchema<Shape<M>> {
  const names = Object.keys(members)
  const aliases = aliasesOf(members)
  const required = names.filter((name) => !isOptional(members[name] as Schema<unknown>))
  const properties = Object.fromEntries(names.map((name) => [name, members[name]?.json as JsonSchema]))
  return {
    kind: 'object',
    members,
    aliases,
    about,
    json: { type: 'object', properties, required, additionalProperties: false, description: about },
    check(value, path, limits) {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return wrong(path || 'the input', 'an object', value, about)
      const rules = { members, aliases, required }
      return checkMembers(rules, value as Record<string, unknown>, path, limits) as Shape<M> | Refusal
    },
  }
}

interface Rules {
  readonly members: Members
  readonly aliases: Aliases
  readonly required: readonly string[]
}

function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function checkMembers(
  { members, aliases, required }: Rules,
  value: Record<string, unknown>,
  path: string,
  limits: InputLimits | undefined,
): Refusal | Record<string, unknown> {
  const inside = path === '' ? '' : `${path}.`
  for (const name of required) {
    const alias = (members[name] as Partial<Renamed<string>>).alias ?? name
    if (own(value, name) === undefined && own(value, alias) === undefined) {
      const about = members[name]?.about ?? ''
      return refuse('invalid_input', `${inside}${name} is missing.`, `Give ${inside}${name}: ${about}`, {
        path: inside + name,
      })
    }
  }
  const all: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const meant = own(aliases, name) ?? name
    const member = own(members, meant)
    if (member === undefined) return unknownMember(inside + name, Object.keys(members))
    const given = value[name]
    if (given === undefined) continue
    if (meant !== name && own(value, meant) !== undefined) return givenTwice(inside, name, meant)
    const checked = member.check(given, inside + name, limits)
    if (checked instanceof Refusal) return checked
    all[meant] = checked
  }
  return all
}
