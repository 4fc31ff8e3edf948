import { safe } from './output.ts'
import type { Style, Terminal } from './terminal.ts'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
  readonly right?: boolean
  /** May be cut so that the line fits the screen. */
  readonly flexible?: boolean
  readonly style?: (row: Row) => Style | undefined
}

const gap = '  '
const narrowest = 8
/** Enough of a long value for the widest screen; the rest is never looked at. */
const unitsMax = 1000

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
const weightless = /[\p{M}\u200c\u200d]/u

function columnsOf(character: string): number {
  if (character >= ' ' && character <= '~') return 1
  return weightless.test(character) ? 0 : wide.test(character) || character > '\u{1ffff}' ? 2 : 1
}

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += columnsOf(character)
  return width
}

/** The beginning of a text that fits into so many columns, with … where it was cut. */
export function cut(text: string, columns: number): string {
  let width = 0
  let end = 0
  for (const character of text) {
    width += columnsOf(character)
    if (width > columns) return `${text.slice(0, end)}…`
    if (width < columns) end += character.length
  }
  return text
}

function fitted(natural: readonly number[], flexible: readonly boolean[], columns: number): number[] {
  const widths = [...natural]
  const total = () => widths.reduce((sum, width) => sum + width + gap.length, -gap.length)
  while (total() > columns) {
    const widest = Math.max(...widths.filter((_, at) => flexible[at]))
    if (widest <= narrowest) break
    widths[widths.findIndex((width, at) => flexible[at] && width === widest)] = widest - 1
  }
  return widths
}

/** Lines that come one by one: each column has a width of its own from the start, and the last one what is left of the screen. */
export class LineTable<Row> {
  readonly #columns: readonly Column<Row>[]
  readonly #widths: readonly number[]
  readonly #terminal: Terminal

  constructor(columns: readonly (Column<Row> & { readonly width: number })[], terminal: Terminal) {
    const used = columns.slice(0, -1).reduce((sum, { width }) => sum + width + gap.length, 0)
    this.#columns = columns
    this.#widths = columns.map(({ width }, at) =>
      at === columns.length - 1 ? Math.max(width, terminal.columns - used) : width,
    )
    this.#terminal = terminal
  }

  head(): string {
    return this.#line(
      ({ title }) => title,
      () => 'dim',
    )
  }

  line(row: Row): string {
    return this.#line(
      ({ cell }) => safe(cell(row).slice(0, unitsMax)),
      ({ style }) => style?.(row),
    )
  }

  #line(text: (column: Column<Row>) => string, style: (column: Column<Row>) => Style | undefined): string {
    const cells = this.#columns.map((column, at) => {
      const width = this.#widths[at] ?? 0
      const shown = cut(text(column), width)
      const space = ' '.repeat(Math.max(0, width - widthOf(shown)))
      const painted = this.#terminal.paint(style(column), shown)
      return column.right ? space + painted : painted + space
    })
    return `${cells.join(gap).trimEnd()}\n`
  }
}

/** Lines of aligned columns under their titles. Whatever a cell holds, nothing in it reaches the terminal unescaped. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], terminal: Terminal): string {
  const cells = rows.map((row) => columns.map(({ cell }) => safe(cell(row).slice(0, unitsMax))))
  const natural = columns.map(({ title }, at) =>
    Math.max(title.length, ...cells.map((line) => widthOf(line[at] ?? ''))),
  )
  const widths = fitted(
    natural,
    columns.map(({ flexible }) => flexible ?? false),
    terminal.columns,
  )
  const line = (texts: readonly string[], style: (at: number) => Style | undefined) =>
    texts
      .map((text, at) => {
        const shown = cut(text, widths[at] ?? 0)
        const space = ' '.repeat((widths[at] ?? 0) - widthOf(shown))
        const painted = terminal.paint(style(at), shown)
        return columns[at]?.right ? space + painted : at === texts.length - 1 ? painted : painted + space
      })
      .join(gap)
      .trimEnd()
  const head = line(
    columns.map(({ title }) => title),
    () => 'dim',
  )
  const body = cells.map((texts, at) => line(texts, (column) => columns[column]?.style?.(rows[at] as Row)))
  return `${[head, ...body].join('\n')}\n`
}
