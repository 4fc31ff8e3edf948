import { existsSync, rmSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { FolderFound } from '../domain/folders/questions.ts'
import type { Parts } from '../domain/log/part.ts'
import { type Refusal, refuse } from '../domain/log/refusal.ts'
import type { Answer } from '../domain/log/rows.ts'
import { workTreeOf } from '../home/work-tree.ts'
import type { JsonObject } from '../json/value.ts'
import type { FolderRecords } from '../log/folders/folder-records.ts'
import { FolderLocks, type OpenLock } from './folder-lock.ts'
import { type Perform, workOff } from './inbox.ts'
import { KeptFolder } from './kept-folder.ts'
import { folderIn, names } from './layout.ts'
import { mirrorNames } from './onboard/files-seen.ts'

/** A root that its folder acts for. */
export type Acting = Pick<FolderFound, 'root' | 'id'>

export interface FolderTools {
  readonly records: FolderRecords
  readonly parts: Parts
  /** A name for a mirror that no other replica has. */
  readonly newReplica: () => string
  readonly jitter: () => number
  readonly openLock: OpenLock
  readonly now: () => number
  /** Does what an inbox asks for, as the root that it is of. */
  readonly perform: (of: Acting, operation: string, input: JsonObject, actor: string) => Promise<Answer>
}

/** Folders that are remembered; others are looked up again. */
const keptMax = 1000

/** Writes into the folders of roots. It is loaded once there is one. */
export class FolderWriter {
  readonly #tools: FolderTools
  readonly #locks: FolderLocks
  readonly #kept = new Map<number, KeptFolder>()

  constructor(tools: FolderTools) {
    this.#tools = tools
    this.#locks = new FolderLocks(tools.openLock, tools.jitter)
  }

  /** The folder of a root, made if it is to have one and has none yet. Undefined where it has none. */
  async folderOf(found: FolderFound): Promise<KeptFolder | undefined> {
    const kept = this.#kept.get(found.root)
    if (kept !== undefined && kept.of.dir === found.dir && kept.of.replica === found.replica) return kept
    if (found.dir === null && !isWanted(found)) return undefined
    const folder = found.dir === null ? await this.#make(found) : this.#of(found)
    if (this.#kept.size >= keptMax) this.#kept.clear()
    this.#kept.set(found.root, folder)
    return folder
  }

  async #make(found: FolderFound): Promise<KeptFolder> {
    const { root, project, slug, forked_at } = found
    const dir = folderIn(project as string, slug)
    const row = { root, dir, replica: this.#tools.newReplica(), after: forked_at ?? 0, seen: null }
    // Others may make it at the same time: all of them write to the one that was first.
    const folder = this.#of({ ...found, ...(await this.#tools.records.claim(row)) })
    folder.make()
    return folder
  }

  /** Begins another mirror beside one that says something else than the log: nothing in that is lost. */
  async replace(found: FolderFound): Promise<KeptFolder> {
    const { root, dir, forked_at } = found
    const row = { root, dir: dir as string, replica: this.#tools.newReplica(), after: forked_at ?? 0, seen: null }
    this.#kept.delete(root)
    await this.#tools.records.keep(row)
    return this.#of({ ...found, ...row })
  }

  /** Writes the mirror anew, from an event on and under another name, and takes away all that were there. Says what stays. */
  async rewrite(found: FolderFound, after: number): Promise<string[]> {
    const dir = found.dir as string
    try {
      const old = mirrorNames(dir)
      const row = { root: found.root, dir, replica: this.#tools.newReplica(), after, seen: null }
      const folder = this.#of({ ...found, ...row })
      await folder.catchUp(true)
      await this.#tools.records.keep(row)
      this.#kept.delete(found.root)
      for (const name of old) rmSync(join(dir, names.log, name), { force: true })
      return workTreeOf(join(dir, names.log)) === undefined ? [] : [`what git has of ${dir}`]
    } catch (error) {
      return [
        `${dir} (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}): cairn doctor --repair writes it anew`,
      ]
    }
  }

  #of({ root, id, dir, replica, after, seen, forked_at, origin }: FolderFound): KeptFolder {
    const { records, parts } = this.#tools
    const from =
      origin === null || forked_at === null || after !== forked_at ? {} : { origin: { root: origin, at: forked_at } }
    const of = { root, id, dir: dir ?? '', replica: replica ?? '', after: after ?? 0, seen, ...from }
    const { perform, now } = this.#tools
    const asHuman: Perform = (...asked) => perform({ root, id }, ...asked, 'human')
    return new KeptFolder(of, { records, parts, locks: this.#locks, asHuman, now })
  }

  /** Makes of a root what somebody wrote into its manifest, without a word in its folder. */
  async takeIn(found: FolderFound, edited: string): Promise<Refusal | undefined> {
    if (found.dir === null) return undefined
    const refusal = await this.#of(found).importManifest(edited)
    return refusal === 'later' ? refuse('busy', 'The store takes no changes at present.', 'Try again.') : refusal
  }

  /** Does what the inbox of a root asks for; says how much is left to be done. */
  workOff(found: FolderFound): Promise<number> {
    const { perform, now } = this.#tools
    return found.dir === null
      ? Promise.resolve(0)
      : workOff(found.dir, (...asked) => perform(found, ...asked, 'inbox'), now)
  }

  close(): void {
    this.#locks.close()
  }
}

/** A fork has none until something happens in it; a project on another host is not here. */
function isWanted({ wanted, seq, forked_at }: FolderFound): boolean {
  return wanted !== null && seq !== forked_at && isAbsolute(wanted) && existsSync(wanted)
}
