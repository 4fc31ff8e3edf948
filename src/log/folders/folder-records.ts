import { rootProjects } from '../../domain/access/tables.ts'
import { aboutFolders, type FolderFound, type FolderLinked } from '../../domain/folders/questions.ts'
import { folderProjects, removedRoots, type SessionFolderRow, sessionFolders } from '../../domain/folders/tables.ts'
import { type Answers, type Asking, ask, askRow } from '../../domain/log/questions.ts'
import type { Refusal } from '../../domain/log/refusal.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import type { EventRow, RootRow } from '../../domain/log/tables.ts'
import type { Check, FileTools, Onboarded, Slice } from '../../operations/store/maintenance-port.ts'
import type { RowsWritten } from '../../store/engine.ts'
import { type Adopted, adopt } from '../adopt/adopt.ts'
import { adoptNew, known } from '../adopt/adopt-new.ts'
import type { ForeignEvent } from '../adopt/foreign-event.ts'
import type { Adopting } from '../adopt/start.ts'

/** The folder of a root that the store is only now told of. */
export interface NewFolder {
  readonly dir: string
  readonly seen: string
  readonly replica: string
  readonly project: string | undefined
}

/** What a store knows of the session folders of one host, what goes into them, and what comes out of them. */
export class FolderRecords {
  readonly host: string
  readonly #adopting: Adopting
  readonly #now: () => number
  readonly #moved: (roots: readonly number[]) => void

  constructor(adopting: Adopting, host: string, now: () => number, moved: (roots: readonly number[]) => void) {
    this.#adopting = adopting
    this.host = host
    this.#now = now
    this.#moved = moved
  }

  get #engine() {
    return this.#adopting.engine
  }

  /** What is to be known of a root, all of one moment. */
  read<Out>(asking: Asking<Out>): Promise<Out> {
    return this.#engine.read(asking, true)
  }

  async of(root: number): Promise<FolderFound | undefined> {
    return (await this.#engine.read(ask(aboutFolders.folder_of_root, this.host, root), false))[0]
  }

  async named(id: string): Promise<FolderFound | undefined> {
    return (await this.#engine.read(ask(aboutFolders.folder_of_id, this.host, id), false))[0]
  }

  /** All roots that have a folder here. */
  all(): Promise<Answers<FolderFound>> {
    return this.#engine.read(ask(aboutFolders.folders_of_host, this.host), false)
  }

  /** The same, and what their files looked like when they were onboarded. */
  seen(): Promise<readonly FolderLinked[]> {
    return this.#engine.read(ask(aboutFolders.folders_in, this.host), false)
  }

  /** Events of a root in their order, as they are kept. */
  eventsAfter(root: number, seq: number, most: number): Promise<readonly EventRow[]> {
    return this.#engine.read(ask(aboutLog.log_since, root, seq, most), false)
  }

  /** The same up to one of them, as another store would be given them. */
  async historyOf(root: number, upto: number): Promise<ForeignEvent[]> {
    const rows = await this.eventsAfter(root, 0, upto)
    return rows.map(({ root: _, ...event }) => event)
  }

  /** Links a root to a folder unless it has one here by now; answers with the one that it has. */
  async claim(row: Omit<SessionFolderRow, 'host'>): Promise<SessionFolderRow> {
    const mine: SessionFolderRow = { ...row, host: this.host }
    return this.#engine.write([row.root], function* () {
      const [found] = yield [{ table: sessionFolders, key: [mine.root, mine.host] }]
      const there = (found as SessionFolderRow[])[0]
      return { changes: there ? [] : [{ table: sessionFolders, rows: [mine] }], out: there ?? mine }
    })
  }

  keep(row: Omit<SessionFolderRow, 'host'>): Promise<void> {
    return this.link(row, undefined)
  }

  /** Links a root to its folder, and to the project that it is in. */
  async link(row: Omit<SessionFolderRow, 'host'>, project: string | undefined): Promise<void> {
    const { root } = row
    const changes: RowsWritten[] = [{ table: sessionFolders, rows: [{ ...row, host: this.host }] }]
    if (project !== undefined) changes.push({ table: rootProjects, rows: [{ root, dir: project }] })
    await this.#write([root], changes)
  }

  /** From now on sessions of these working directories have folders. */
  async openProjects(dirs: readonly string[]): Promise<void> {
    const wanted = [...new Set(dirs)]
    const has = await this.#engine.read(
      (function* () {
        const found: string[] = []
        for (const dir of wanted) if (yield* askRow(folderProjects, dir)) found.push(dir)
        return found
      })(),
      false,
    )
    const rows = wanted.filter((dir) => !has.includes(dir)).map((dir) => ({ dir, at: this.#now() }))
    if (rows.length > 0) await this.#write([], [{ table: folderProjects, rows }])
  }

  /** A root that was removed is not taken in again by itself. */
  async removedRoot(id: string): Promise<void> {
    await this.#write([], [{ table: removedRoots, rows: [{ id, at: this.#now() }] }])
  }

  known(ids: readonly string[]): Promise<Map<string, RootRow>> {
    return this.#engine.read(known(ids), false)
  }

  /** Those of these roots that were removed here. */
  removed(ids: readonly string[]): Promise<Set<string>> {
    return this.#engine.read(
      (function* () {
        const found = new Set<string>()
        for (const id of ids) if (yield* askRow(removedRoots, id)) found.add(id)
        return found
      })(),
      false,
    )
  }

  async adopt(id: string, events: readonly ForeignEvent[]): Promise<Adopted | Refusal> {
    const done = await adopt(this.#adopting, id, events)
    if ('root' in done) this.#moved([done.root.root])
    return done
  }

  /** Takes in roots that are not here yet, each with its folder. */
  async adoptNew(
    histories: readonly { id: string; events: readonly ForeignEvent[]; row: NewFolder }[],
  ): Promise<(Adopted | Refusal)[]> {
    const beside =
      ({ project, ...row }: NewFolder) =>
      (root: number, after: number) => [
        { table: sessionFolders, row: { ...row, root, host: this.host, after } },
        ...(project === undefined ? [] : [{ table: rootProjects, row: { root, dir: project } }]),
      ]
    const given = histories.map(({ id, events, row }) => ({ id, events, beside: beside(row) }))
    const done = await adoptNew(this.#adopting, given)
    for (const [at, each] of done.entries()) {
      const { row, id } = histories[at] as (typeof histories)[number]
      if (!('root' in each)) continue
      this.#moved([each.root.root])
      // What was too long for a page, or was made by somebody else meanwhile, has no folder yet.
      const found = await this.named(id)
      const { project, ...folder } = row
      if (found?.dir === null) await this.link({ ...folder, root: found.root, after: found.seq }, project)
    }
    return done
  }

  async #write(roots: readonly number[], changes: readonly RowsWritten[]): Promise<void> {
    await this.#engine.write(roots, function* () {
      yield []
      return { changes, out: undefined }
    })
  }
}

/** A root and its folder. */
export interface FolderPlace {
  readonly id: string
  readonly dir: string
}

/** Keeps the folders of roots as their logs are. */
export interface FolderKeeping {
  /** Told where logs end now, within a write: it does nothing yet, and never fails. */
  moved(roots: readonly number[]): void
  /** Waits until the folder of a root has all that is in its log by now, but not for long; says whether it was in time. */
  settled(root: number): Promise<'in time' | 'late' | 'no folder'>
  /** Where the folder of a root is or will be, if it has one. */
  dirOf(id: string): Promise<string | undefined>
  /** Takes in what the folders of projects say that the store does not know. */
  onboard(dirs: readonly string[], which: Slice): Promise<Onboarded>
  /** From now on the sessions of a working directory have folders. */
  openProject(dir: string): Promise<void>
  readonly files: FileTools
  /** Where the folder of a root is on this host, if it is there. */
  placeOf(root: number): Promise<FolderPlace | undefined>
  /** A root was removed: takes away what was written for it, save what git has; says what stays. Its forks get all of their events. */
  removed(place: FolderPlace | undefined, forks: readonly string[]): Promise<string[]>
  /** Bodies of a root were removed: its mirrors are written anew. Says what stays. */
  erased(root: number): Promise<string[]>
  /** Whether the folders of this host have what their logs have; a repair writes what they lack. */
  examine(repair: boolean): Promise<Check>
  /** From now on looks into folders for what programs have put there. For a process that stays. */
  watch(report: (error: unknown) => void): void
  /** Does what programs have asked for in the folders that this process wrote to. The log still takes changes. */
  finish(): Promise<void>
  /** Writes what is still to be written. */
  close(): Promise<void>
}
