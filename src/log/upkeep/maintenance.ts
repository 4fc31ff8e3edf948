import type { Clock } from '../../clock.ts'
import type { Parts } from '../../domain/log/part.ts'
import { ask, askRow, askRows } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { sessions } from '../../domain/sessions/tables.ts'
import { dueBy } from '../../domain/state/expiry.ts'
import { stateLapses } from '../../domain/state/tables.ts'
import type { Tools } from '../../operations/store/maintenance-port.ts'
import type { Engine } from '../../store/engine.ts'
import type { Tokens } from '../access/tokens.ts'
import { adopt } from '../adopt/adopt.ts'
import { type ForeignEvent, readForeign } from '../adopt/foreign-event.ts'
import { writeToFamily } from '../forks/family.ts'
import type { RootNumbers } from '../write/root-numbers.ts'
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
  readonly numbers: RootNumbers
  /** Tells those who follow roots in this process. */
  readonly moved: (roots: readonly number[]) => void
  readonly tokens: Tokens
  readonly placeOf: Tools['placeOf']
  /** Deletes a key as an ordinary operation, if it lives. */
  readonly deleteKey: (id: string, key: string) => Promise<void>
  /** Records some of the keys of a root that have expired; says how many of those are left. */
  readonly lapseKeys: (id: string, until: number) => Promise<number>
}

export function toolsOf(around: Around): Tools {
  const { engine, parts, clock, numbers, moved, deleteKey, tokens, placeOf } = around
  return {
    examine: (repair) => examine(engine, parts, repair),
    backup: (path) => engine.backup(path),
    restore: (path) => restore(engine, parts, path),
    compact: (root, olderThanMs) => compact(engine, parts, root, clock.now() - olderThanMs),
    async collect() {
      const requests = await forgetRequests(engine, clock.now() - requestsKeptMs)
      await engine.scrub()
      return requests
    },
    lapse: () => lapseAll(around),
    slugOf: async (root) => (await engine.read(askRow(sessions, root, 0), false))?.slug ?? String(root),
    async erase({ root, rootId }, key) {
      await deleteKey(rootId, key)
      const { holders, ...erased } = await writeToFamily(engine, root, (family) => eraseKey(parts, root, family, key))
      const stay = holders.map((id) => `what ${id} has from before they parted: erase it there too`)
      return { ...erased, beyond_reach: [...stay, ...(await engine.scrub())] }
    },
    async remove(root, force) {
      const held = await tokens.ofRoot(root)
      const attempt = (number?: number) =>
        writeToFamily(engine, root, (family) => removeRoot(parts, root, family, force, number))
      const first = await attempt()
      const removed = first === 'has forks' ? await attempt(await numbers.next()) : first
      if (removed === 'has forks') throw new Error('a number for what forks share was given, and not taken')
      if (!(removed instanceof Refusal)) tokens.ended(held)
      return removed
    },
    async adopt(root, given) {
      const events = given.map((event, at) => readForeign(event, at))
      const wrong = events.find((event) => event instanceof Refusal)
      if (wrong instanceof Refusal) return wrong
      const done = await adopt({ engine, parts, numbers, newId: () => clock.id() }, root, events as ForeignEvent[])
      if (done instanceof Refusal) return done
      moved([done.root.root])
      return { root_session_id: done.root.id, adopted: done.adopted, forked_at: done.forkedAt ?? null }
    },
    tokens,
    placeOf,
  }
}

async function lapseAll({ engine, clock, lapseKeys }: Around): Promise<number> {
  const until = clock.now()
  let lapsed = 0
  for (const { root, id } of await engine.read(ask('roots_with_due', until), false)) {
    for (let left = 0; left === 0; ) {
      const due = await engine.read(askRows(stateLapses, root, dueBy(until).range), false)
      if (due.length === 0) break
      left = await lapseKeys(id, until)
      lapsed += due.length - left
    }
  }
  return lapsed
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
