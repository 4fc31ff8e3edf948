import type { Parts, Problem } from '../../domain/log/part.ts'
import { ask } from '../../domain/log/questions.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import type { Check } from '../../operations/store/maintenance-port.ts'
import type { Engine } from '../../store/engine.ts'
import { verifyBlobs } from '../proof/blobs.ts'
import { countedAnew, verifyDiskBytes } from '../proof/disk-bytes.ts'
import { verifyUnlogged } from '../proof/unlogged-rows.ts'
import { verifyOrphans, verifyRoot } from '../proof/verify.ts'
import { rebuildViews } from './rebuild.ts'

/** Problems named in one line; the rest is counted. */
const namedMax = 5

/** What lies around a store for its owner only. */
export interface OwnFiles {
  /** The files that others may use. */
  open(): readonly string[]
  /** Makes them the owner's only, as far as can be; says which. */
  close(): readonly string[]
}

/** Whether only their owner may use the files. */
export function examineModes(files: OwnFiles, repair: boolean): Check {
  const closed = repair ? files.close() : []
  const open = files.open()
  const done = closed.length === 0 ? 'for the owner only' : `for the owner only from now on: ${listed(closed)}`
  return {
    name: 'modes',
    ok: open.length === 0,
    detail: open.length === 0 ? done : `others can read ${open.join(', ')}`,
  }
}

/** The engine first: what it says of its file and settings decides how far the rest can be believed. */
export async function examine(engine: Engine, parts: Parts, repair: boolean): Promise<Check[]> {
  const checks = await engine.examine()
  const problems: Problem[] = []
  const repaired: string[] = []
  for (const orphan of repair ? await engine.read(verifyOrphans(parts), 'aside') : []) {
    const { number: root, id } = orphan
    if (id !== undefined && (await rebuildViews(engine, parts, { root, id }))) repaired.push(shown(orphan))
  }
  const roots = await engine.read(ask(aboutLog.all_roots), false)
  let events = 0
  for (const root of roots) {
    events += root.seq
    const found = await engine.read(verifyRoot(parts, root), 'aside')
    if (found.length === 0) continue
    if (repair && found.every(isOfViews) && (await rebuildViews(engine, parts, root))) {
      repaired.push(...found.map(shown))
      problems.push(...(await engine.read(verifyRoot(parts, root), 'aside')))
    } else problems.push(...found)
  }
  const orphans = await engine.read(verifyOrphans(parts), 'aside')
  const unlogged = await engine.read(verifyUnlogged(parts), 'aside')
  const stored = await verifyBlobs(engine)
  // Where rows are wrong, so is the count of them, and that says nothing more.
  const rowsAreRight = [problems, orphans, unlogged, stored.problems].every((found) => found.length === 0)
  if (rowsAreRight && repair) repaired.push(...(await recount(engine, parts)))
  const miscounted = rowsAreRight ? await engine.read(verifyDiskBytes(parts), 'aside') : []
  checks.push(
    summary(
      'log',
      problems.filter((problem) => !isOfViews(problem)),
      `${events} events in ${roots.length} ${roots.length === 1 ? 'root' : 'roots'}`,
    ),
    summary('views', problems.filter(isOfViews), 'equal to a replay of the log'),
    summary('orphans', orphans, 'no rows without a root'),
    summary('plain', unlogged, 'requests, leases and projects are plausible'),
    summary('blobs', stored.problems, stored.detail),
    summary('disk', miscounted, 'each root counts what its rows take up'),
  )
  if (repair)
    checks.push({ name: 'repair', ok: true, detail: repaired.length === 0 ? 'nothing to do' : listed(repaired) })
  return checks
}

/** Counts anew what roots take up that count something else. */
async function recount(engine: Engine, parts: Parts): Promise<string[]> {
  const wrong = await engine.read(verifyDiskBytes(parts), true)
  for (const { root: id } of wrong) {
    const [head] = await engine.read(ask(aboutLog.root_by_id, id), false)
    if (head !== undefined) await engine.write([head.root], ([held]) => countedAnew(parts, held))
  }
  return wrong.map(shown)
}

function isOfViews(problem: Problem): boolean {
  return !problem.where.startsWith('event ')
}

function summary(name: string, problems: readonly Problem[], fine: string): Check {
  return { name, ok: problems.length === 0, detail: problems.length === 0 ? fine : listed(problems.map(shown)) }
}

function shown({ root, where, what }: Problem): string {
  return `${where} of ${root} ${what}`
}

function listed(lines: readonly string[]): string {
  const more = lines.length - namedMax
  return lines.slice(0, namedMax).join('; ') + (more > 0 ? `; and ${more} more` : '')
}
