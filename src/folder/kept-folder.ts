import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Parts } from '../domain/log/part.ts'
import type { Refusal } from '../domain/log/refusal.ts'
import type { FolderRecords } from '../log/folders/folder-records.ts'
import type { FolderLocks } from './folder-lock.ts'
import type { Perform } from './inbox.ts'
import { checkWithin, ignored, names, projectOf } from './layout.ts'
import { Mirror, type MirrorEnd, Unlike } from './mirror.ts'
import type { MirrorHead } from './mirror-line.ts'
import type { Rendering } from './rendering.ts'

/** Events that are read and written at once. */
const pageEvents = 500

/** A root that has a folder here. */
export interface FolderOf {
  readonly root: number
  readonly id: string
  readonly dir: string
  readonly replica: string
  readonly after: number
  readonly origin?: MirrorHead['origin']
  /** What its files looked like when it was onboarded. */
  readonly seen: string | null
}

export interface Keeping {
  readonly records: FolderRecords
  readonly parts: Parts
  readonly locks: FolderLocks
  /** Does what somebody's edit says. */
  readonly asHuman: Perform
  readonly now: () => number
}

/** The folder of one root, as it is kept up to date by this process. */
export class KeptFolder {
  readonly of: FolderOf
  readonly #keeping: Keeping
  readonly #mirror: Mirror

  constructor(of: FolderOf, keeping: Keeping) {
    this.of = of
    this.#keeping = keeping
    const { id: root, replica, after, origin } = of
    this.#mirror = new Mirror(of.dir, { cairn: 1, root, replica, after, ...(origin && { origin }) }, keeping.parts)
  }

  /** Makes the folder. It is not made again by a write once somebody has taken it away. */
  make(): void {
    const { dir } = this.of
    checkWithin(projectOf(dir), dir)
    mkdirSync(join(dir, names.log), { recursive: true })
    if (!existsSync(join(dir, names.ignore))) writeFileSync(join(dir, names.ignore), ignored, { flag: 'wx' })
  }

  /** Writes what the mirror does not have yet; with `durable` it is on disk when it is done. */
  async catchUp(durable: boolean, render = false): Promise<void> {
    const { dir } = this.of
    for (const name of [names.log, names.transcripts]) checkWithin(projectOf(dir), join(dir, name))
    await this.#keeping.locks.within(join(dir, names.lock), async () => {
      await this.#catchUp(durable)
      if (render && (await (await rendering()).renderViews(this.#rendering()))) await this.#catchUp(durable)
    })
  }

  async #catchUp(durable: boolean): Promise<void> {
    let end = (await this.#mirror.end()) ?? (await this.#mirror.begin(durable))
    for (let more = true; more; ) {
      const events = await this.#following(end)
      const last = events.at(-1)
      if (last === undefined) return
      more = events.length >= pageEvents
      await this.#mirror.add(events, durable)
      end = { seq: last.seq, hash: last.hash }
    }
  }

  #rendering(): Rendering {
    const { root, id, replica, dir, seen } = this.of
    const { records, asHuman, now } = this.#keeping
    const rows = async () => {
      const { rowsToRender } = await import('./render/index.ts')
      const found = await records.read(rowsToRender(root, id, replica))
      if (found === undefined) throw new Error('the root is gone')
      return found
    }
    return { dir, replica, seen, rows, asHuman, now }
  }

  /** Changes the root to what somebody wrote into its manifest. */
  async importManifest(edited: string): Promise<Refusal | 'later' | undefined> {
    return (await rendering()).importEdited(this.#rendering(), edited)
  }

  /** The events after an end, if the log has that. */
  async #following({ seq, hash }: MirrorEnd) {
    const { root } = this.of
    if (hash === undefined) return this.#keeping.records.eventsAfter(root, seq, pageEvents)
    const [known, ...events] = await this.#keeping.records.eventsAfter(root, seq - 1, pageEvents + 1)
    if (known?.hash === hash) return events
    throw new Unlike(
      known === undefined ? `it ends at ${seq}, after the log` : `its event ${seq} is not that of the log`,
    )
  }

  /** What is wrong with the mirror; undefined where it has all that the log has. */
  async problem(): Promise<string | undefined> {
    if (!existsSync(this.of.dir)) return 'is missing'
    try {
      const end = await this.#mirror.end()
      const { seq, hash } = end ?? { seq: this.of.after, hash: undefined }
      const missing = await this.#following({ seq, hash })
      return missing.length === 0 ? undefined : `lacks events after ${seq}`
    } catch (error) {
      if (error instanceof Unlike) return `has a mirror that is not of this log: ${error.message}`
      return `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'an error'})`
    }
  }

  /** Whether the mirror says something else than the log. */
  async isUnlike(): Promise<boolean> {
    try {
      const end = await this.#mirror.end()
      if (end !== undefined) await this.#following(end)
      return false
    } catch (error) {
      return error instanceof Unlike
    }
  }
}

/** Whoever only waits for the mirror does not load it. */
const rendering = () => import('./rendering.ts')
