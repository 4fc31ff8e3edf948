import type { Parts, Problem } from '../../domain/log/part.ts'
import { type Asking, ask, askBytes } from '../../domain/log/questions.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { type AnyTable, type RootRow, roots } from '../../domain/log/tables.ts'
import type { Work } from '../../store/engine.ts'
import { touched } from '../upkeep/touched.ts'
import { asLoads } from '../write/as-loads.ts'

/** What the store has of each root in these tables. */
function* bytesByRoot(tables: readonly AnyTable[]): Asking<Map<number, number>> {
  const found = new Map<number, number>()
  for (const table of tables.filter(({ counted }) => counted !== undefined))
    for (const { root, bytes } of yield* askBytes(table)) found.set(root, (found.get(root) ?? 0) + bytes)
  return found
}

export function* bytesOfRoot(tables: readonly AnyTable[], root: number): Asking<number> {
  return (yield* bytesByRoot(tables)).get(root) ?? 0
}

/** Each root counts the bytes that its own rows take up. */
export function* verifyDiskBytes(parts: Parts): Asking<Problem[]> {
  const counted = yield* bytesByRoot(parts.tables)
  const problems: Problem[] = []
  for (const { root, id, bytes } of yield* ask(aboutLog.all_roots)) {
    const found = counted.get(root) ?? 0
    if (found !== bytes)
      problems.push({ root: id, where: roots.name, what: `counts ${bytes} bytes, its rows have ${found}` })
  }
  return problems
}

/** A head with what its rows take up. */
export function* countedAnew(parts: Parts, head: RootRow | undefined): Work<void> {
  if (head === undefined) return { changes: [], out: undefined }
  const bytes = yield* asLoads(bytesOfRoot(parts.tables, head.root))
  return { changes: touched({ ...head, bytes }), out: undefined }
}
