import type { Clock } from '../../clock.ts'
import type { Parts } from '../../domain/log/part.ts'
import { type Asking, ask, askRow } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { type RootRow, roots } from '../../domain/log/tables.ts'
import { sessions } from '../../domain/sessions/tables.ts'
import type { Tools } from '../../operations/store/maintenance-port.ts'
import type { Engine } from '../../store/engine.ts'
import type { Tokens } from '../access/tokens.ts'
import { compact } from './compact.ts'
import { examine } from './doctor.ts'
import { eraseKey } from './erase.ts'
import { removeRoot } from './remove.ts'

/** How long a repeated request is promised to get its first answer. */
const requestsKeptMs = 7 * 24 * 3_600_000

export interface Around {
  readonly engine: Engine
  readonly parts: Parts
  readonly clock: Clock
  readonly tokens: Tokens
  readonly placeOf: Tools['placeOf']
  /** Deletes a key as an ordinary operation, if it lives. */
  readonly deleteKey: (id: string, key: string) => Promise<void>
  /** Records what has fallen due; says how much. */
  readonly fallDue: () => Promise<number>
}

export function toolsOf(around: Around): Tools {
  const { engine, parts, clock, deleteKey, tokens, placeOf } = around
  return {
    examine: (repair) => examine(engine, parts, repair),
    backup: (path) => engine.backup(path),
    restore: (path) => restore(engine, parts, path),
    compact: (root, olderThanMs) => compact(engine, root, clock.now() - olderThanMs),
    async collect() {
      const requests = await forgetRequests(engine, clock.now() - requestsKeptMs)
      await engine.scrub()
      return requests
    },
    lapse: around.fallDue,
    slugOf: async (root) => (await engine.read(askRow(sessions, root, 0), false))?.slug ?? String(root),
    async erase({ root, rootId }, key) {
      await deleteKey(rootId, key)
      const forks = await engine.read(forksSharing(root), false)
      const held = [root, ...forks.map((fork) => fork.root)].sort((a, b) => a - b)
      const erased = await engine.write(held, (heads) => {
        const head = heads.find((each) => each.root === root)
        return eraseKey(parts, root, head, key)
      })
      const stay = forks.map(({ id }) => `what the fork ${id} shares: erase it there too`)
      return { ...erased, beyond_reach: [...stay, ...(await engine.scrub())] }
    },
    async remove(root, force) {
      const held = await tokens.ofRoot(root)
      const removed = await engine.write([root], (heads) => removeRoot(parts, root, heads[0], force))
      if (!(removed instanceof Refusal)) tokens.ended(held)
      return removed
    },
    tokens,
    placeOf,
  }
}

/** The forks that share rows of a root. */
function* forksSharing(root: number): Asking<RootRow[]> {
  const forks: RootRow[] = []
  for (const number of new Set((yield* ask('sharers', root)).map((segment) => segment.root))) {
    const head = yield* askRow(roots, number)
    if (head !== undefined) forks.push(head)
  }
  return forks
}

async function restore(engine: Engine, parts: Parts, path: string): Promise<{ roots: number; events: number }> {
  const { restoreRows } = await import('../../store/backup.ts')
  const filled = await restoreRows(path, engine, (file) => refuseDamaged(file, parts, path))
  return { roots: filled.get('roots') ?? 0, events: filled.get('events') ?? 0 }
}

/** What is wrong in a backup would be wrong in the store; how its file may be read by others is no matter here. */
async function refuseDamaged(file: Engine, parts: Parts, path: string): Promise<void> {
  const wrong = (await examine(file, parts, false)).filter(({ ok, name }) => !ok && name !== 'modes')
  if (wrong.length === 0) return
  const found = wrong.map(({ name, detail }) => `${name}: ${detail}`).join('; ')
  const hint = `Use another backup, or see what cairn doctor --repair --store sqlite:${path} can do for this one.`
  throw refuse('storage_error', `${path} is damaged: ${found.slice(0, 1000)}.`, hint, { path })
}

async function forgetRequests(engine: Engine, before: number): Promise<number> {
  return engine.write([], function* () {
    const [old] = yield [{ ask: 'requests_before', with: [before] }]
    const { count = 0 } = (old?.[0] ?? {}) as { count?: number }
    return { changes: count === 0 ? [] : [{ deed: 'forget_requests_before', each: [[before]] }], out: count }
  })
}
