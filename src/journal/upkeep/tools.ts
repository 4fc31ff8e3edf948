import type { Clock } from '../../clock.ts'
import { ask } from '../../domain/questions.ts'
import { type Refusal, refuse } from '../../domain/refusal.ts'
import type { Tools } from '../../operations/tools.ts'
import type { Engine } from '../../store/engine.ts'
import { compact } from './compact.ts'
import { examine } from './doctor.ts'
import { eraseKey } from './erase.ts'
import { removeRoot } from './remove.ts'

/** How long a repeated request is promised to get its first answer. */
const requestsKeptMs = 7 * 24 * 3_600_000

export interface Around {
  readonly engine: Engine
  readonly clock: Clock
  /** Deletes a key as an ordinary operation, if it lives. */
  readonly deleteKey: (root: string, key: string) => Promise<void>
}

export function toolsOf({ engine, clock, deleteKey }: Around): Tools {
  return {
    examine: (repair) => examine(engine, repair),
    backup: (path) => backup(engine, path),
    restore: (path) => restore(engine, path),
    compact: (root, olderThanMs) => compact(engine, root, clock.now() - olderThanMs),
    async collect() {
      const requests = await forgetRequests(engine, clock.now() - requestsKeptMs)
      await engine.scrub()
      return requests
    },
    slugOf: async (root) => (await engine.read(ask('session_by_id', root), false))[0]?.slug ?? root,
    async erase(root, key) {
      await deleteKey(root, key)
      const erased = await engine.write([root], (heads) => eraseKey(root, heads[0], key))
      return { ...erased, beyond_reach: await engine.scrub() }
    },
    remove: (root, force) => engine.write([root], (heads) => removeRoot(root, heads[0], force)),
  }
}

async function backup(engine: Engine, path: string): Promise<{ bytes: number; roots: number }> {
  const bytes = await engine.backup(path)
  const roots = await engine.read(ask('all_roots'), false)
  return { bytes, roots: roots.length }
}

async function restore(engine: Engine, path: string): Promise<{ roots: number; events: number } | Refusal> {
  if ((await engine.read(ask('all_roots'), false)).length > 0) {
    return refuse('already_exists', 'This store is not empty.', 'Restore into a new CAIRN_HOME or an empty database.')
  }
  const { restoreRows } = await import('../../store/backup.ts')
  const copied = await restoreRows(path, engine)
  return { roots: copied.get('roots') ?? 0, events: copied.get('events') ?? 0 }
}

async function forgetRequests(engine: Engine, before: number): Promise<number> {
  return engine.write([], function* () {
    const [old] = yield [{ ask: 'requests_before', with: [before] }]
    const { count = 0 } = (old?.[0] ?? {}) as { count?: number }
    return { changes: count === 0 ? [] : [{ deed: 'forget_requests_before', each: [[before]] }], out: count }
  })
}
