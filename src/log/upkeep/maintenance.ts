import type { Clock } from '../../clock.ts'
import type { Limits } from '../../domain/log/limits.ts'
import type { Parts } from '../../domain/log/part.ts'
import { askRow } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { sessions } from '../../domain/sessions/tables.ts'
import { failpoint } from '../../failpoint.ts'
import type { Tools } from '../../operations/store/maintenance-port.ts'
import type { Engine } from '../../store/engine.ts'
import type { Tokens } from '../access/tokens.ts'
import { adopt } from '../adopt/adopt.ts'
import { type ForeignEvent, readForeign } from '../adopt/foreign-event.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { FolderKeeping } from '../folders/folder-records.ts'
import { familyOf, writeToFamily } from '../forks/family.ts'
import type { RootNumbers } from '../write/root-numbers.ts'
import { compact } from './compact.ts'
import { examine, examineModes, type OwnFiles } from './doctor.ts'
import { eraseKey } from './erase.ts'
import { forgetRequests } from './forget-requests.ts'
import { removeRoot, sharersOf } from './remove.ts'
import { removeHidden } from './remove-hidden.ts'

/** How long a repeated request is promised to get its first answer. */
const requestsKeptMs = 7 * 24 * 3_600_000

export interface Around {
  readonly engine: Engine
  readonly parts: Parts
  readonly clock: Clock
  readonly limits: Limits
  readonly numbers: RootNumbers
  /** Tells those who follow roots in this process. */
  readonly moved: (roots: readonly number[]) => void
  /** Forgets a root that was removed, and tells those who follow it, in this process and in others. */
  readonly gone: (root: number) => void
  readonly tokens: Tokens
  readonly files: OwnFiles | undefined
  readonly blobs: Blobs
  readonly folders: FolderKeeping | undefined
  readonly placeOf: Tools['placeOf']
  readonly change: Tools['change']
  /** Records what has fallen due; says how much. */
  readonly fallDue: () => Promise<number>
}

export function toolsOf(around: Around): Tools {
  const { engine, parts, clock, limits, numbers, moved, gone, change, tokens, blobs, placeOf } = around
  return {
    examine: async (repair) => {
      const modes = around.files === undefined ? [] : [examineModes(around.files, repair)]
      const checks = await examine(engine, parts, repair)
      const folders = around.folders === undefined ? [] : [await around.folders.examine(repair)]
      return [...modes, ...folders, ...checks]
    },
    backup: (path) => engine.backup(path),
    restore: async (path) => {
      const restored = await restore(engine, parts, path)
      numbers.forget()
      return restored
    },
    compact: (root, olderThanMs) => compact(engine, parts, root, clock.now() - olderThanMs),
    async collect(hiddenMs) {
      const hidden = await removeHidden(engine, parts, clock.now() - hiddenMs)
      const requests = await forgetRequests(engine, clock.now() - requestsKeptMs)
      const uploads = await blobs.collect()
      await engine.scrub()
      return { requests, uploads, hidden }
    },
    lapse: around.fallDue,
    slugOf: async (root) => (await engine.read(askRow(sessions, root, 0), false))?.slug ?? String(root),
    async erase(root, key) {
      const { holders, ...erased } = await writeToFamily(engine, root, (family) => eraseKey(parts, root, family, key))
      const stay = holders.map((id) => `what ${id} has from before the fork: erase it there too`)
      const inFolder = (await around.folders?.erased(root)) ?? []
      return { ...erased, beyond_reach: [...stay, ...inFolder, ...(await engine.scrub())] }
    },
    async remove(root, force) {
      const held = await tokens.ofRoot(root)
      const folder = await around.folders?.placeOf(root)
      const contents = await blobs.contentsOf(root)
      const attempt = (number?: number) =>
        writeToFamily(engine, root, (family) => removeRoot(parts, root, family, force, number))
      const first = await attempt()
      const removed = first === 'has forks' ? await attempt(await numbers.next()) : first
      if (removed === 'has forks') throw new Error('a number for what forks share was given, and not taken')
      if (removed instanceof Refusal) return removed
      gone(root)
      tokens.ended(held)
      // By now no blob of the root names them. What a crash leaves here is found by gc.
      await blobs.drop(contents)
      const { events, sharers } = removed
      const inFolder = (await around.folders?.removed(folder, sharers)) ?? []
      return { events, beyond_reach: [...sharedWith(sharers), ...inFolder, ...(await engine.scrub())] }
    },
    sharedOf: async (root) => sharedWith(sharersOf(root, await engine.read(familyOf(root), true)))[0],
    async adopt(root, given) {
      const events = given.map((event, at) => readForeign(event, at))
      const wrong = events.find((event) => event instanceof Refusal)
      if (wrong instanceof Refusal) return wrong
      const done = await adopt(
        { engine, parts, limits, numbers, newId: () => clock.id() },
        root,
        events as ForeignEvent[],
      )
      failpoint('answer')
      if (done instanceof Refusal) return done
      moved([done.root.root])
      return { root_session_id: done.root.id, adopted: done.adopted, forked_at: done.forkedAt ?? null }
    },
    ...folderTools(around.folders),
    tokens,
    placeOf,
    change,
  }
}

function folderTools(folders: FolderKeeping | undefined): Pick<Tools, 'onboard' | 'openProject' | 'files'> {
  const none = async () => noFolders()
  if (folders === undefined) return { onboard: none, openProject: none, files: { list: none, read: none } }
  return {
    files: folders.files,
    onboard: (dirs, which) => folders.onboard(dirs, which),
    openProject: (dir) => folders.openProject(dir).then(() => undefined),
  }
}

function noFolders(): Refusal {
  return refuse('unavailable', 'This store was opened without session folders.', 'Ask one that has them.')
}

function sharedWith(forks: readonly string[]): string[] {
  if (forks.length === 0) return []
  const who = forks.length === 1 ? '1 fork shares' : `${forks.length} forks share`
  return [`what ${who} from before the fork: ${forks.join(', ')}`]
}

async function restore(engine: Engine, parts: Parts, path: string): Promise<{ roots: number; events: number }> {
  const { restoreRows } = await import('../../store/backup.ts')
  const filled = await restoreRows(path, engine, (file) => refuseDamaged(file, parts, path))
  return { roots: filled.get('roots') ?? 0, events: filled.get('events') ?? 0 }
}

/** What is wrong in a backup would be wrong in the store. */
async function refuseDamaged(file: Engine, parts: Parts, path: string): Promise<void> {
  const wrong = (await examine(file, parts, false)).filter(({ ok }) => !ok)
  if (wrong.length === 0) return
  const found = wrong.map(({ name, detail }) => `${name}: ${detail}`).join('; ')
  const hint = `Use another backup, or see what cairn doctor --repair --store sqlite:${path} can do for this one.`
  throw refuse('storage_error', `${path} is damaged: ${found.slice(0, 1000)}.`, hint, { path })
}
