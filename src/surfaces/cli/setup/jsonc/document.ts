import type { Json } from '../../../../json/value.ts'
import { TextFault } from '../text/text-fault.ts'
import { Scanner } from './scanner.ts'

interface Span {
  readonly start: number
  readonly end: number
}

/** A member of an object or an item of an array, with the place of the comma behind it. */
export interface Element extends Span {
  /** Of members only. */
  readonly key?: string
  readonly value: Node
  comma?: number
}

/** A value and where it stands. */
export type Node =
  | (Span & { readonly kind: 'scalar'; readonly value: Json })
  | (Span & { readonly kind: 'object' | 'array'; readonly elements: readonly Element[] })

/** Deeper than any configuration, and far from the end of the stack. */
const depthMax = 200

/** Reads JSON with its places; throws a `TextFault`. With `comments`, also comments and a comma behind the last element. */
export function readDocument(text: string, { comments }: { readonly comments: boolean }): Node {
  const scanner = new Scanner(text, comments)
  const document = valueAt(scanner, 0)
  scanner.skip()
  if (scanner.at < text.length) throw scanner.fault('Expected the end of the file')
  return document

  function valueAt(from: Scanner, depth: number): Node {
    from.skip()
    if (depth > depthMax) throw from.fault(`More than ${depthMax} levels`)
    const opened = text[from.at]
    if (opened === '{') return container(from, 'object', depth)
    if (opened === '[') return container(from, 'array', depth)
    const start = from.at
    const value = from.scalar()
    return { kind: 'scalar', value, start, end: from.at }
  }

  function container(from: Scanner, kind: 'object' | 'array', depth: number): Node {
    const start = from.at++
    const closing = kind === 'object' ? '}' : ']'
    const elements: Element[] = []
    for (;;) {
      from.skip()
      const last = elements.at(-1)
      const mayEnd = last?.comma === undefined || comments
      if (mayEnd && from.take(closing)) return { kind, elements, start, end: from.at }
      if (last !== undefined && last.comma === undefined) throw from.fault(`Expected "," or "${closing}"`)
      elements.push(element(from, kind, depth))
    }
  }

  function element(from: Scanner, kind: 'object' | 'array', depth: number): Element {
    const start = from.at
    const key = kind === 'object' ? from.key() : undefined
    const value = valueAt(from, depth + 1)
    const read: Element = { start, end: value.end, value, ...(key === undefined ? {} : { key }) }
    from.skip()
    const comma = from.at
    if (from.take(',')) read.comma = comma
    return read
  }
}

/** The member of an object; one that stands there twice is a fault, for readers differ in which of them counts. */
export function memberOf(text: string, node: Node, key: string): Element | undefined {
  if (node.kind !== 'object') return undefined
  const [found, again] = node.elements.filter((element) => element.key === key)
  if (again !== undefined) throw new TextFault(`Duplicate member ${JSON.stringify(key)}`, text, again.start)
  return found
}

/** The value without its places. */
export function jsonOf(node: Node): Json {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'array') return node.elements.map(({ value }) => jsonOf(value))
  return Object.fromEntries(node.elements.map(({ key, value }) => [key as string, jsonOf(value)]))
}
