import { type AnyTable, type ColumnKind, table } from '../../domain/log/tables.ts'

/**
 * A table without row ids is lean: its rows lie in the order of their key, and no index beside them. But a search in it reads every row
 * that it compares with whole, so that one text of a megabyte makes all its neighbours slow. So the long texts of a table whose rows
 * are never changed lie in a table of their own, and whoever reads does so through a view that bears the name of both.
 */
export interface Split {
  readonly rows: AnyTable
  readonly texts: AnyTable
  readonly long: readonly string[]
}

/** Characters of a text that stays in its row. SQLite compares rows of up to 1002 bytes where they lie. */
const shortMax = 750

/** Stands in a row for a text that lies beside it. */
const elsewhere = ''

const splits = new Map<AnyTable, Split>()

/** How a table is kept, of those whose long texts lie beside their rows. */
export function splitOf(whole: AnyTable): Split | undefined {
  if (!hasLongTexts(whole) || !whole.appendOnly) return undefined
  const known = splits.get(whole)
  if (known !== undefined) return known
  const keys = Object.fromEntries(keyOf(whole).map((name) => [name, whole.columns[name] as ColumnKind]))
  const split = {
    rows: { ...whole, name: `${whole.name}_rows` },
    texts: table<Record<string, unknown>>(
      `${whole.name}_texts`,
      [...(whole.key as string[]), 'name'],
      { ...keys, name: 'text', text: 'text' },
      { appendOnly: true },
    ),
    long: whole.long as readonly string[],
  }
  splits.set(whole, split)
  return split
}

function hasLongTexts({ long, columns }: AnyTable): boolean {
  return long.length > 0 && long.every((name) => columns[name] === 'text')
}

/** The tables that a table really is. */
export function keptAs(whole: AnyTable): readonly AnyTable[] {
  const split = splitOf(whole)
  return split === undefined ? [whole] : [split.rows, split.texts]
}

/** A row without its long texts, which are put among others. */
export function apart({ long }: Split, row: Record<string, unknown>, texts: object[]): object {
  let rest = row
  for (const name of long) {
    const text = row[name]
    if (typeof text !== 'string' || text.length <= shortMax) continue
    texts.push({ ...row, name, text })
    rest = { ...rest, [name]: elsewhere }
  }
  return rest
}

/** The view through which both are read and, where it is rarely done, written. */
export function viewStatements(whole: AnyTable): string[] {
  const split = splitOf(whole)
  if (split === undefined) return []
  const { name } = whole
  const { rows, texts } = split
  const columns = Object.keys(whole.columns)
  const keys = keyOf(whole)
  const same = (a: string, b: string) => keys.map((key) => `${a}.${key} = ${b}.${key}`).join(' AND ')
  const shown = columns.map((column) =>
    split.long.includes(column)
      ? `CASE WHEN r.${column} = '${elsewhere}' THEN COALESCE((SELECT t.text FROM ${texts.name} t
        WHERE ${same('t', 'r')} AND t.name = '${column}'), '') ELSE r.${column} END AS ${column}`
      : `r.${column}`,
  )
  const take = (from: string) => `DELETE FROM ${from} WHERE ${same(from, 'OLD')};`
  const put = `INSERT INTO ${rows.name} VALUES (${columns.map((column) => `NEW.${column}`).join(', ')});`
  return [
    `CREATE VIEW ${name} AS SELECT ${shown.join(', ')} FROM ${rows.name} r`,
    `CREATE TRIGGER ${name}_added INSTEAD OF INSERT ON ${name} BEGIN ${put} END`,
    `CREATE TRIGGER ${name}_changed INSTEAD OF UPDATE ON ${name} BEGIN ${take(texts.name)} ${take(rows.name)} ${put} END`,
    `CREATE TRIGGER ${name}_removed INSTEAD OF DELETE ON ${name} BEGIN ${take(texts.name)} ${take(rows.name)} END`,
  ]
}

/** Texts are found by row id: their rows are long by nature. */
export function textsStatement(whole: AnyTable): string | undefined {
  const texts = splitOf(whole)?.texts
  if (texts === undefined) return undefined
  const columns = Object.entries(texts.columns).map(([name, kind]) => `${name} ${kind.toUpperCase()} NOT NULL`)
  return `CREATE TABLE ${texts.name} (${columns.join(', ')}, PRIMARY KEY (${keyOf(texts).join(', ')})) STRICT`
}

function keyOf(of: AnyTable): string[] {
  return of.ofRoot ? ['root', ...(of.key as string[])] : [...(of.key as string[])]
}
