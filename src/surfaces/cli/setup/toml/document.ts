import type { Json } from '../../../../json/value.ts'
import { Scanner } from './scanner.ts'
import { TableTree } from './table-tree.ts'

/** A value and where it stands. */
export interface Value {
  readonly start: number
  readonly end: number
  /** What it is, whatever its notation; dates are their text. */
  readonly json: Json
  /** Of an inline table only. */
  readonly members?: readonly KeyValue[]
}

/** `a.b = value` */
export interface KeyValue {
  readonly kind: 'value'
  readonly start: number
  readonly keys: readonly string[]
  readonly value: Value
}

/** `[a.b]`, or `[[a.b]]` of an array of tables. */
export interface Header {
  readonly kind: 'table' | 'array'
  readonly start: number
  readonly end: number
  readonly keys: readonly string[]
}

/** What a file says, in its order. */
export type Statement = Header | KeyValue

/** Deeper than any configuration, and far from the end of the stack. */
const depthMax = 200

/** Reads TOML with its places; throws a `TextFault`, also for what is defined twice. */
export function readToml(text: string): readonly Statement[] {
  const scanner = new Scanner(text)
  const tree = new TableTree(text)
  const statements: Statement[] = []
  for (scanner.skip(true); scanner.at < text.length; scanner.skip(true)) {
    const statement = scanner.text[scanner.at] === '[' ? header(scanner) : keyValue(scanner, 0)
    scanner.endOfLine()
    tree.define(statement)
    statements.push(statement)
  }
  return statements
}

function header(scanner: Scanner): Header {
  const start = scanner.at
  const kind = scanner.take('[[') ? 'array' : 'table'
  if (kind === 'table') scanner.take('[')
  const keys = scanner.dottedKey()
  const closing = kind === 'array' ? ']]' : ']'
  if (!scanner.take(closing)) throw scanner.fault(`Expected "${closing}"`)
  return { kind, keys, start, end: scanner.at }
}

function keyValue(scanner: Scanner, depth: number): KeyValue {
  const start = scanner.at
  const keys = scanner.dottedKey()
  if (!scanner.take('=')) throw scanner.fault('Expected "="')
  scanner.skip(false)
  return { kind: 'value', start, keys, value: readValue(scanner, depth) }
}

function readValue(scanner: Scanner, depth: number): Value {
  const start = scanner.at
  if (depth > depthMax) throw scanner.fault(`More than ${depthMax} levels`)
  if (scanner.take('[')) return { start, json: items(scanner, depth), end: scanner.at }
  if (scanner.take('{')) return inlineTable(scanner, start, depth)
  return { start, json: scanner.string() ?? scanner.plain(), end: scanner.at }
}

function items(scanner: Scanner, depth: number): Json[] {
  const found: Json[] = []
  for (;;) {
    scanner.skip(true)
    if (scanner.take(']')) return found
    found.push(readValue(scanner, depth + 1).json)
    scanner.skip(true)
    if (scanner.take(',')) continue
    if (scanner.take(']')) return found
    throw scanner.fault('Expected "," or "]"')
  }
}

/** TOML 1.1 allows several lines and a last comma, which older readers refuse: what is there is taken as it is. */
function inlineTable(scanner: Scanner, start: number, depth: number): Value {
  const members: KeyValue[] = []
  const tree = new TableTree(scanner.text)
  for (;;) {
    scanner.skip(true)
    if (scanner.take('}')) return { start, json: tree.json(), members, end: scanner.at }
    const member = keyValue(scanner, depth + 1)
    tree.define(member)
    members.push(member)
    scanner.skip(true)
    if (!scanner.take(',') && scanner.text[scanner.at] !== '}') throw scanner.fault('Expected "," or "}"')
  }
}
