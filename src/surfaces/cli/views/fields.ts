import type { Json } from '../../../json/value.ts'
import { safe } from '../output.ts'
import { type Column, table } from '../table.ts'
import type { View } from './view.ts'

type Row = { readonly [name: string]: Json }

/** Name and value, one a line, then a table of each list; what is empty is left out. */
export const fields: View = (answer, terminal) => {
  const lists = Object.values(answer).filter(isList)
  const shown = Object.entries(answer).filter(([, value]) => !isEmpty(value) && !isList(value))
  const width = Math.max(0, ...shown.map(([name]) => name.length))
  const lines = shown.map(
    ([name, value]) => `${terminal.paint('dim', safe(name).padEnd(width))}  ${safe(textOf(value))}\n`,
  )
  const tables = lists.map((rows) => table(columnsOf(rows), rows, terminal))
  return lines.length + tables.length === 0 ? 'Nothing to show.\n' : [...lines, ...tables].join('')
}

function columnsOf(rows: readonly Row[]): Column<Row>[] {
  const names = Object.keys(rows[0] ?? {})
  return names.map((name) => ({
    title: name.toUpperCase().replaceAll('_', ' '),
    cell: (row) => textOf(row[name] ?? null),
    flexible: true,
  }))
}

function textOf(value: Json): string {
  if (value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Objects one after the other; a list of plain values stays in its line. */
function isList(value: Json): value is { [name: string]: Json }[] {
  const isRow = (each: Json) => typeof each === 'object' && each !== null && !Array.isArray(each)
  return Array.isArray(value) && value.length > 0 && value.every(isRow)
}

function isEmpty(value: Json): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
}
