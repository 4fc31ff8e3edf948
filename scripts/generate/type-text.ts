// A type of the compiler, written out in full with a comment on each member.
import ts from 'typescript'
import type { JsonSchema } from '../../src/domain/log/input-schema.ts'
import { checker, isJson, isOptional } from './signatures.mjs'

/** Types that keep their name; all others are written out. */
const kept = new Set(['Json', 'JsonObject', 'RefusalCode'])

export interface Writing {
  /** What types that contain themselves, and so need a name, begin with. */
  readonly name: string
  /** What is said of a member; `schema` is that of the object it belongs to, where there is one. */
  comment(member: ts.Symbol, schema: JsonSchema | undefined): string | undefined
  /** Whether what may be left out may be given as undefined too. */
  readonly takesUndefined: boolean
}

export class TypeText {
  readonly #writing: Writing
  /** The objects that are being written, with their name where something within refers to them. */
  readonly #open = new Map<ts.Type, string | undefined>()
  /** By name, those that contain themselves. */
  readonly recursive = new Map<string, string>()

  constructor(writing: Writing) {
    this.#writing = writing
  }

  of(type: ts.Type, schema?: JsonSchema, indent = ''): string {
    const alias = type.aliasSymbol?.name
    if (isJson(type)) return 'Json'
    if (alias !== undefined && kept.has(alias)) return alias
    if (type.isUnion()) return this.#union(type, schema, indent)
    if (checker.isArrayType(type)) return this.#list(type, schema, indent)
    if (type.flags & ts.TypeFlags.Object || type.isIntersection()) return this.#object(type, schema, indent)
    return checker.typeToString(type)
  }

  #union(type: ts.UnionType, schema: JsonSchema | undefined, indent: string): string {
    const parts = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined))
    const isBoolean = ({ flags }: ts.Type) => (flags & ts.TypeFlags.BooleanLiteral) !== 0
    const both = parts.filter(isBoolean).length === 2
    const texts = parts.map((part) =>
      both && isBoolean(part) ? 'boolean' : this.of(part, shapeOf(part, schema), indent),
    )
    // The compiler's order changes with whatever else it has seen before.
    return [...new Set(texts)].sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1)).join(' | ')
  }

  #list(type: ts.Type, schema: JsonSchema | undefined, indent: string): string {
    const [item] = checker.getTypeArguments(type as ts.TypeReference) as [ts.Type]
    const text = this.of(item, schema?.items as JsonSchema | undefined, indent)
    const name = type.symbol.name === 'ReadonlyArray' ? 'ReadonlyArray' : 'Array'
    return /^\w+$/.test(text) && name === 'Array' ? `${text}[]` : `${name}<${text}>`
  }

  #object(type: ts.Type, schema: JsonSchema | undefined, indent: string): string {
    if (this.#open.has(type)) {
      const name = `${this.#writing.name}${(type.aliasSymbol ?? type.symbol).name}`
      this.#open.set(type, name)
      return name
    }
    this.#open.set(type, undefined)
    const text = this.#members(type, schema, indent)
    const name = this.#open.get(type)
    this.#open.delete(type)
    if (name === undefined) return text
    this.recursive.set(name, text.replaceAll(`\n${indent}`, '\n'))
    return name
  }

  #members(type: ts.Type, schema: JsonSchema | undefined, indent: string): string {
    const inner = `${indent}  `
    const members = inOrder(checker.getPropertiesOfType(type), schema)
      .filter((member) => !(checker.getTypeOfSymbol(member).flags & ts.TypeFlags.Undefined))
      .map((member) => this.#member(member, schema, inner))
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String)
    if (members.length === 0 && index !== undefined) return recordText(this.of(index.type, undefined, indent))
    if (index !== undefined) members.push(`${inner}[key: string]: ${this.of(index.type, undefined, inner)}\n`)
    return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('')}${indent}}`
  }

  #member(member: ts.Symbol, schema: JsonSchema | undefined, indent: string): string {
    const inside = (schema?.properties as Record<string, JsonSchema> | undefined)?.[member.name]
    const text = this.of(checker.getTypeOfSymbol(member), inside, indent)
    const [mark, rest] = isOptional(member) ? ['?', this.#writing.takesUndefined ? ' | undefined' : ''] : ['', '']
    const comment = commentText(this.#writing.comment(member, schema), indent)
    return `${comment}${indent}${isReadonly(member) ? 'readonly ' : ''}${member.name}${mark}: ${text}${rest}\n`
  }
}

/** A record of JSON has a name. */
function recordText(value: string): string {
  return value === 'Json' ? 'JsonObject' : `Record<string, ${value}>`
}

function rank(text: string): number {
  return text === 'null' ? 1 : 0
}

/** As the schema has them, and other names last. */
function inOrder(members: readonly ts.Symbol[], schema: JsonSchema | undefined): readonly ts.Symbol[] {
  if (schema?.properties === undefined) return members
  const names = Object.keys(schema.properties as object)
  const placeOf = ({ name }: ts.Symbol) => (names.includes(name) ? names.indexOf(name) : names.length)
  return [...members].sort((one, other) => placeOf(one) - placeOf(other) || (one.name < other.name ? -1 : 1))
}

export function commentText(comment: string | undefined, indent = ''): string {
  return comment ? `${indent}/** ${comment.replace(/\s*\n\s*/g, ' ').replaceAll('*/', '*\\/')} */\n` : ''
}

function isReadonly({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((each) => ts.getCombinedModifierFlags(each) & ts.ModifierFlags.Readonly)
}

/** Of a schema with several shapes, the one that a part of the union is made from: it has its members, and their values. */
function shapeOf(part: ts.Type, schema: JsonSchema | undefined): JsonSchema | undefined {
  if (!Array.isArray(schema?.oneOf)) return schema
  const members = checker.getPropertiesOfType(part)
  return (schema.oneOf as { properties: Record<string, { enum?: string[] }> }[]).find(({ properties }) =>
    members.every(({ name }, at) => {
      const type = checker.getTypeOfSymbol(members[at] as ts.Symbol)
      const among = properties[name]?.enum
      return name in properties && (!type.isStringLiteral() || among === undefined || among.includes(type.value))
    }),
  ) as JsonSchema | undefined
}
