import type { RowsOfPast } from '../../log/part.ts'
import { type Asking, ask, askRows } from '../../log/questions.ts'
import { aboutState } from '../questions.ts'
import { type KeyRow, stateKeys, stateVersions, type VersionRow } from '../tables.ts'

/** Versions that are looked at at once; one key is never taken apart. */
const pieceVersions = 2000

/** The versions of all keys that nobody needs once the past begins at a floor. */
export function* pruneVersions(root: number, floor: number): Asking<readonly (() => Asking<RowsOfPast[]>)[]> {
  return [...piecesOf(yield* askRows(stateKeys, root))].map((keys) => () => pruneKeys(root, keys, floor))
}

function* piecesOf(rows: readonly KeyRow[]): Generator<string[]> {
  let piece: string[] = []
  let versions = 0
  for (const { key, version } of rows) {
    if (piece.length > 0 && versions + version > pieceVersions) {
      yield piece
      piece = []
      versions = 0
    }
    piece.push(key)
    versions += version
  }
  if (piece.length > 0) yield piece
}

function* pruneKeys(root: number, keys: readonly string[], floor: number): Asking<RowsOfPast[]> {
  const rows: { seq: number; key: string; bytes: number }[] = []
  for (const key of keys) {
    const links = yield* ask(aboutState.version_links, root, key)
    rows.push(...unneeded(links, floor).map(({ seq, bytes }) => ({ seq, key, bytes })))
  }
  return [{ table: stateVersions, rows }]
}

type Link = Pick<VersionRow, 'seq' | 'prior'> & { bytes: number }

/** Of the versions up to the floor, only those stay that the newest of them or a later one builds on. */
function unneeded(rows: readonly Link[], floor: number): Link[] {
  const prior = new Map(rows.map((row) => [row.seq, row.prior]))
  const newest = rows.filter((row) => row.seq <= floor).at(-1)?.seq ?? 0
  const needed = new Set<number>()
  for (const { seq } of rows.filter((row) => row.seq >= newest)) {
    for (let at = seq; at > 0 && !needed.has(at); at = prior.get(at) ?? 0) needed.add(at)
  }
  return rows.filter((row) => !needed.has(row.seq))
}
