import type { Part, Parts, RowsOfPast } from '../../domain/log/part.ts'
import { type Asking, askRows } from '../../domain/log/questions.ts'
import { type RowVersionRow, rowVersions, type StreamRow, streams } from '../../domain/log/tables.ts'

/** A stream whose bodies may be removed, and the part it belongs to. */
export interface Removable {
  readonly stream: StreamRow
  readonly part: Part
}

export function* removableStreams(parts: Parts, root: number): Asking<Removable[]> {
  const found: Removable[] = []
  for (const stream of yield* askRows(streams, root)) {
    const part = parts.owner(stream.stream)
    if (part !== undefined && isRemovable(part, stream.stream)) found.push({ stream, part })
  }
  return found
}

function isRemovable({ bodies, ownPast }: Part, stream: string): boolean {
  return bodies === 'removable' && (ownPast === undefined || ownPast.streams.includes(stream))
}

/** The rows that views of a part keep of their past, if its bodies may be removed altogether. */
export function* pastOf({ tables }: Part, root: number): Asking<RowVersionRow[]> {
  const rows: RowVersionRow[] = []
  for (const { name, past } of tables) {
    if (past) rows.push(...(yield* askRows(rowVersions, root, { column: 'tbl', from: name, to: `${name} ` })))
  }
  return rows
}

/** Of the past of a part's views up to a floor, only the newest of each row stays. */
export function* prunePast(part: Part, root: number, floor: number): Asking<RowsOfPast[]> {
  const newest = new Map<string, number>()
  const rows = (yield* pastOf(part, root)).filter(({ seq }) => seq <= floor)
  for (const { tbl, place, seq } of rows) {
    const name = `${tbl} ${place}`
    newest.set(name, Math.max(seq, newest.get(name) ?? 0))
  }
  const unneeded = rows.filter(({ tbl, place, seq }) => seq < (newest.get(`${tbl} ${place}`) ?? 0))
  return [{ table: rowVersions, rows: unneeded }]
}
