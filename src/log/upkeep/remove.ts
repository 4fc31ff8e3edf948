import { blobs } from '../../domain/blobs/tables.ts'
import type { Parts } from '../../domain/log/part.ts'
import { type Asking, ask, askRows } from '../../domain/log/questions.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import { type AnyTable, type RootRow, roots } from '../../domain/log/tables.ts'
import { hasEnded } from '../../domain/sessions/lifecycle.ts'
import { type SessionRow, sessions } from '../../domain/sessions/tables.ts'
import type { Changes, Work } from '../../store/engine.ts'
import { asLoads } from '../write/as-loads.ts'

/** What was removed, and the content of blobs that this root may have been the last to name. */
export interface Gone {
  readonly events: number
  readonly contents: readonly string[]
}

export function* removeRoot(
  parts: Parts,
  root: number,
  head: RootRow | undefined,
  force: boolean,
): Work<Gone | Refusal> {
  const [found] = yield [{ table: sessions, root, range: {} }]
  const open = ((found ?? []) as SessionRow[]).filter((row) => !hasEnded(row.status))
  if (open.length > 0 && !force) {
    const message = `${open.length} of its sessions have not ended, ${open[0]?.name} among them.`
    const hint = 'End it first with `cairn session end`, or remove it anyway with --force.'
    return { changes: [], out: refuse('illegal_transition', message, hint, { open: open.length }) }
  }
  const shared = yield* asLoads(ask('sharers', root))
  const unshared = yield* asLoads(ask('unshared', root))
  const upto = Math.max(0, ...shared.map((segment) => segment.upto))
  const changes: Changes[] = [{ deed: 'leave_project', each: [[root]] }]
  if (head !== undefined && upto > 0) changes.push(...hidden(parts, head, upto, yield* asLoads(hashAt(root, upto))))
  else changes.push(...cleared(parts, root))
  for (const gone of unshared) if (gone.root !== root) changes.push(...cleared(parts, gone.root))
  const contents = (yield* asLoads(askRows(blobs, root))).map(({ content }) => content)
  return { changes, out: { events: head?.seq ?? 0, contents } }
}

/** Everything of a root. */
function cleared(parts: Parts, root: number): Changes[] {
  return parts.tables.filter(({ columns }) => 'root' in columns).map((table) => ({ clear: table, root }))
}

/** What forks share of a root stays, under a head that nobody finds. */
function hidden(parts: Parts, head: RootRow, upto: number, hash: string): Changes[] {
  const { root } = head
  const kept = new Set<AnyTable>([roots])
  const changes: Changes[] = []
  for (const table of parts.tables.filter(({ shared }) => shared)) {
    for (const each of table.indexedBy ? [table, table.indexedBy] : [table]) {
      kept.add(each)
      changes.push({ cut: each, root, after: upto })
    }
  }
  const rest = parts.tables.filter((table) => 'root' in table.columns && !kept.has(table))
  changes.push(...rest.map((table): Changes => ({ clear: table, root })))
  const row: RootRow = { ...head, seq: upto, hash, generation: head.generation + 1, hidden: 1 }
  return [...changes, { table: roots, rows: [row] }]
}

function* hashAt(root: number, seq: number): Asking<string> {
  const [event] = yield* ask('log_since', root, seq - 1, 1)
  return event?.hash ?? ''
}
