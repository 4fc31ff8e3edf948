import { type Json, type JsonObject, sameJson } from '../../../../json/value.ts'
import { type Edit, type Edits, newlineOf } from '../text/edits.ts'
import { TextFault } from '../text/text-fault.ts'
import { type KeyValue, readToml } from './document.ts'
import { type Placed, placedIn, startsWith } from './places.ts'
import { keyText, tableText, valueText } from './text.ts'

type Path = readonly string[]

/** The table at a path as a value, however it is written; undefined where nothing defines it. */
export function tableAt(text: string, path: Path): Json | undefined {
  const inside = placedIn(readToml(text)).filter(({ full }) => startsWith(full, path))
  if (inside.length === 0) return undefined
  const [only] = inside
  if (only?.statement.kind === 'value' && only.full.length === path.length) return only.statement.value.json
  const table: JsonObject = {}
  for (const { full, statement } of inside) {
    const keys = full.slice(path.length)
    if (statement.kind === 'value') put(table, keys, statement.value.json)
    else put(table, keys, undefined)
  }
  return table
}

function put(table: JsonObject, keys: Path, value: Json | undefined): void {
  const [key, ...rest] = keys
  if (key === undefined) return
  if (rest.length === 0 && value !== undefined) {
    table[key] = value
    return
  }
  const inner = Object.hasOwn(table, key) ? table[key] : {}
  table[key] = inner as JsonObject
  put(inner as JsonObject, rest, value)
}

/** Where the first statement about a path stands. */
export function placeOf(text: string, path: Path): number | undefined {
  return placedIn(readToml(text)).find(({ full }) => startsWith(full, path))?.statement.start
}

/** Adds a table at the end of the file. */
export function addingTable(text: string, path: Path, table: JsonObject): Edits {
  const newline = newlineOf(text)
  const inline = placedIn(readToml(text)).find(
    ({ full, statement }) => statement.kind !== 'table' && startsWith(path, full),
  )
  if (inline !== undefined) {
    throw new TextFault(`${keyText(...inline.full)} is not written as a [table]`, text, inline.statement.start)
  }
  const isBlank = text.trim() === '' && text.length < 2
  const before = isBlank ? '' : text.endsWith('\n') ? newline : newline + newline
  return [{ at: text.length, took: '', put: before + tableText(path, table, newline) }]
}

/** Sets a value within a table that is there. No edits where it has that value already. */
export function settingValue(text: string, path: Path, wanted: Json): Edits {
  const placed = placedIn(readToml(text))
  const found = placed.find(({ full }) => same(full, path))
  if (found?.statement.kind === 'value') {
    const { start, end, json } = found.statement.value
    return sameJson(json, wanted) ? [] : [{ at: start, took: text.slice(start, end), put: valueText(wanted) }]
  }
  const parent = path.slice(0, -1)
  const [key = ''] = path.slice(-1)
  const above = placed.find(({ full }) => same(full, parent))
  if (above === undefined) {
    const dotted = placed.find(({ full }) => startsWith(full, parent))
    if (dotted === undefined && parent.length > 0) return settingValue(text, parent, { [key]: wanted })
    throw new TextFault(`${keyText(...parent)} is not written as a [table]`, text, dotted?.statement.start ?? 0)
  }
  const shown = `${keyText(key)} = ${valueText(wanted)}`
  if (above.statement.kind === 'value') return [inlineMember(text, above.statement, shown)]
  const at = endOf(lastOf(placed, above))
  return [{ at, took: '', put: `${newlineOf(text)}${indentAt(text, above.statement.start)}${shown}` }]
}

/** Takes a value or a table out, however it is written, and nothing else. */
export function removing(text: string, path: Path): Edits {
  const placed = placedIn(readToml(text))
  const isOurs = ({ full }: Placed) => startsWith(full, path)
  const member = placed.find((each) => each.within !== undefined && isOurs(each))
  const lines = placed.filter(({ within }) => within === undefined)
  if (member?.within !== undefined && !lines.some(isOurs)) {
    return [cutMember(text, member.within, member.statement as KeyValue)]
  }
  const cuts: Edit[] = []
  for (const [index, each] of lines.entries()) {
    if (!isOurs(each)) continue
    const from = lineStart(text, each.statement.start)
    const until = lineEnd(text, endOf(each))
    const before = lines[index - 1]
    const last = cuts.at(-1)
    const isValue = each.statement.kind === 'value'
    // What stands between two statements of one table goes with them.
    if (isValue && last !== undefined && before !== undefined && isOurs(before)) {
      cuts[cuts.length - 1] = cut(text, last.at, until)
    } else cuts.push(cut(text, isValue ? from : withoutBlankLine(text, from), until))
  }
  return cuts
}

const same = (a: Path, b: Path) => a.length === b.length && startsWith(a, b)

const cut = (text: string, from: number, to: number): Edit => ({ at: from, took: text.slice(from, to), put: '' })

function endOf({ statement }: Placed): number {
  return statement.kind === 'value' ? statement.value.end : statement.end
}

/** The last statement in the section of a header, or the header itself. */
function lastOf(placed: readonly Placed[], header: Placed): Placed {
  const inSection = placed.filter(({ header: own, within }) => own === header.statement && within === undefined)
  return inSection.at(-1) ?? header
}

function inlineMember(text: string, { value }: KeyValue, shown: string): Edit {
  const { members } = value
  if (members === undefined) throw new TextFault('This is not a table', text, value.start)
  const last = members.at(-1)
  const inside = text.slice(value.start + 1, value.end - 1)
  if (last === undefined) return { at: value.start + 1, took: inside, put: ` ${shown} ` }
  return { at: last.value.end, took: '', put: `, ${shown}` }
}

function cutMember(text: string, within: KeyValue, member: KeyValue): Edit {
  const members = within.value.members ?? []
  const index = members.indexOf(member)
  const before = members[index - 1]
  const next = members[index + 1]
  if (next !== undefined) return cut(text, member.start, next.start)
  return cut(text, before?.value.end ?? member.start, member.value.end)
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** Behind the end of the line. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end < 0 ? text.length : end + 1
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? ''
}

/** A line that only parts a table from what stands before it goes with the table. */
function withoutBlankLine(text: string, from: number): number {
  const before = /(\r?\n)\r?\n$/.exec(text.slice(0, from))
  return before === null ? from : from - (before[0].length - (before[1]?.length ?? 0))
}
