import { type Json, sameJson } from '../../../../json/value.ts'
import type { Edit, Edits } from '../text/edits.ts'
import { TextFault } from '../text/text-fault.ts'
import { type Element, jsonOf, memberOf, type Node, readDocument } from './document.ts'
import { Layout } from './layout.ts'

type Container = Extract<Node, { kind: 'object' | 'array' }>

/** Members by their names, from the outermost on. */
export type Path = readonly string[]

/** What is edited: a text that is JSON, with comments where its readers know them. */
export interface Source {
  readonly text: string
  readonly comments: boolean
}

/** The node at a path, if it is there. */
export function nodeAt({ text, comments }: Source, path: Path): Node | undefined {
  let node: Node | undefined = readDocument(text, { comments })
  for (const key of path) node = node && memberOf(text, node, key)?.value
  return node
}

/** Sets a member; objects on the way to it are made. No edits where it has that value already. */
export function settingMember(source: Source, path: Path, value: Json): Edits {
  const { text, comments } = source
  const document = readDocument(text, { comments })
  const layout = new Layout(text, document)
  let container = asContainer(text, document, 'object', 'The document')
  for (const [at, key] of path.entries()) {
    const member = memberOf(text, container, key)
    if (member === undefined) return appended(source, layout, container, nested(path.slice(at + 1), value), key)
    if (at === path.length - 1) return replaced(text, layout, container, member, value)
    container = asContainer(text, member.value, 'object', JSON.stringify(key))
  }
  return []
}

/** Adds an item to the array at a path, unless it holds it already; what is missing on the way is made. */
export function addingItem(source: Source, path: Path, item: string): Edits {
  const { text, comments } = source
  const found = nodeAt(source, path)
  if (found === undefined) return settingMember(source, path, [item])
  const array = asContainer(text, found, 'array', JSON.stringify(path.at(-1)))
  if (array.elements.some(({ value }) => jsonOf(value) === item)) return []
  return appended(source, new Layout(text, readDocument(text, { comments })), array, item)
}

/** Takes a member out, and nothing else. */
export function removingMember(source: Source, path: Path): Edits {
  const parent = nodeAt(source, path.slice(0, -1))
  const member = parent && memberOf(source.text, parent, path.at(-1) as string)
  return member === undefined ? [] : removed(source, parent as Container, member)
}

/** Takes an item out of the array at a path. */
export function removingItem(source: Source, path: Path, item: string): Edits {
  const array = nodeAt(source, path)
  if (array?.kind !== 'array') return []
  const element = array.elements.find(({ value }) => jsonOf(value) === item)
  return element === undefined ? [] : removed(source, array, element)
}

function nested(path: Path, value: Json): Json {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value)
}

function asContainer(text: string, node: Node, kind: 'object' | 'array', name: string): Container {
  if (node.kind === kind) return node
  throw new TextFault(`${name} must be an ${kind}`, text, node.start)
}

function replaced(text: string, layout: Layout, container: Container, { value, start }: Element, wanted: Json): Edits {
  if (sameJson(jsonOf(value), wanted)) return []
  const indent = isOnOneLine(text, container) ? undefined : layout.indentAt(start)
  return [{ at: value.start, took: text.slice(value.start, value.end), put: layout.shown(wanted, indent) }]
}

function isOnOneLine(text: string, { start, end }: Container): boolean {
  return !text.slice(start, end).includes('\n')
}

/** Adds an element behind the last one. */
function appended(source: Source, layout: Layout, container: Container, value: Json, key?: string): Edits {
  const { text } = source
  const last = container.elements.at(-1)
  const isOneLine = last !== undefined && isOnOneLine(text, container)
  const inner = isOneLine ? undefined : layout.innerIndent(container)
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `
  const shown = `${name}${layout.shown(value, inner)}`
  const before = inner === undefined ? ' ' : layout.newline + inner
  // Behind the comments that belong to what is there.
  const at = container.start + 1 + text.slice(container.start + 1, container.end - 1).trimEnd().length
  const rest = text.slice(at, container.end - 1)
  if (last === undefined) {
    const isClosed = rest.includes('\n')
    const closing = isClosed ? rest : layout.newline + layout.indentAt(container.start)
    return [{ at, took: rest, put: `${before}${shown}${closing}` }]
  }
  if (last.comma !== undefined) return [{ at, took: '', put: `${before}${shown},` }]
  if (last.end === at) return [{ at, took: '', put: `,${before}${shown}` }]
  return [
    { at: last.end, took: '', put: ',' },
    { at, took: '', put: `${before}${shown}` },
  ]
}

function removed({ text }: Source, container: Container, element: Element): Edits {
  const index = container.elements.indexOf(element)
  const isLast = index === container.elements.length - 1
  const inside = text.slice(container.start + 1, element.start)
  const from = container.start + 1 + inside.trimEnd().length
  const to = element.comma === undefined ? element.end : element.comma + 1
  const cut = (start: number, end: number): Edit => ({ at: start, took: text.slice(start, end), put: '' })
  const isAlone = container.elements.length === 1
  const rest = text.slice(to, container.end - 1)
  // A container that holds nothing any more is closed where it was opened.
  if (isAlone && from === container.start + 1 && rest.trim() === '') return [cut(from, container.end - 1)]
  const before = container.elements[index - 1]
  const next = container.elements[index + 1]
  if (next !== undefined && text.slice(to, next.start).trim() === '') return [cut(element.start, next.start)]
  if (!isLast || element.comma !== undefined || before?.comma === undefined) return [cut(from, to)]
  const { comma } = before
  return comma + 1 === from ? [cut(comma, to)] : [cut(comma, comma + 1), cut(from, to)]
}
