import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { elapsed } from '../clock.ts'
import type { FolderFound } from '../domain/folders/questions.ts'
import { type Refusal, refuse } from '../domain/log/refusal.ts'
import type { FolderKeeping, FolderPlace, FolderRecords } from '../log/folders/folder-records.ts'
import type { Check, FileTools, Onboarded, Slice } from '../operations/store/maintenance-port.ts'
import type { FolderTools, FolderWriter } from './folder-writer.ts'
import { names } from './layout.ts'
import { Repeating } from './repeating.ts'

/** Who waits for a folder waits no longer than this. */
const waitMs = 200
/** What nobody waits for is written together with what follows within this time. */
const gatherMs = 100
/** Views are rendered at most so often. */
const renderMs = 200
/** For so long it is remembered that a root has no folder. */
const noneMs = 2000
/** How often a process that stays looks into folders for what others have put there. */
const watchMs = 1000

interface Known {
  /** Until then it is known to have none. */
  noneUntil: number
  /** What is being written now. */
  running: Promise<boolean> | undefined
  /** What is written after that, and whether somebody waits for it. */
  next: Promise<boolean> | undefined
  durable: boolean
  timer: NodeJS.Timeout | undefined
  /** When its views were written last. */
  renderedAt: number
}

/** Sees to it that folders follow their logs: soon, and at once where somebody waits for it. */
export class SessionFolders implements FolderKeeping {
  readonly #records: FolderRecords
  readonly #tools: Omit<FolderTools, 'records'>
  readonly #known = new Map<number, Known>()
  #writer: Promise<FolderWriter> | undefined
  #watching: Repeating | undefined
  #finishing = false

  constructor(records: FolderRecords, tools: Omit<FolderTools, 'records'>) {
    this.#records = records
    this.#tools = tools
  }

  moved(roots: readonly number[]): void {
    for (const root of roots) {
      const known = this.#of(root)
      if (known.timer !== undefined || known.next !== undefined || known.noneUntil > elapsed()) continue
      this.#soon(root, known, gatherMs)
    }
  }

  #soon(root: number, known: Known, ms: number): void {
    if (known.timer !== undefined) return
    known.timer = setTimeout(() => {
      known.timer = undefined
      void this.#write(root, known, false)
    }, ms)
    known.timer.unref()
  }

  async settled(root: number): Promise<'in time' | 'late' | 'no folder'> {
    const known = this.#of(root)
    if (known.noneUntil > elapsed()) return 'no folder'
    const written = this.#write(root, known, true)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), waitMs)
    })
    const isThere = await Promise.race([written, late])
    clearTimeout(timer)
    if (!isThere) return 'late'
    return known.noneUntil > elapsed() ? 'no folder' : 'in time'
  }

  async dirOf(id: string): Promise<string | undefined> {
    const found = await this.#records.named(id)
    if (found?.dir) return found.dir
    if (found === undefined || found.wanted === null) return undefined
    const folder = await (await this.#loaded()).folderOf(found)
    return folder?.of.dir
  }

  readonly files: FileTools = {
    list: async (root) => {
      const dir = (await this.placeOf(root))?.dir
      return dir === undefined ? noFolder() : (await import('./files.ts')).listFiles(dir)
    },
    read: async (root, path, which) => {
      const dir = (await this.placeOf(root))?.dir
      return dir === undefined ? noFolder() : (await import('./files.ts')).readFileIn(dir, path, which)
    },
  }

  async placeOf(root: number): Promise<FolderPlace | undefined> {
    const found = await this.#records.of(root)
    return found?.dir ? { id: found.id, dir: found.dir } : undefined
  }

  async removed(place: FolderPlace | undefined, forks: readonly string[]): Promise<string[]> {
    const left: string[] = []
    if (place !== undefined) {
      const { removeFiles } = await import('./removed-folder.ts')
      await this.#records.removedRoot(place.id)
      left.push(...(await removeFiles(place.dir)))
    }
    for (const fork of forks) {
      const found = await this.#records.named(fork)
      if (found?.dir) left.push(...(await (await this.#loaded()).rewrite(found, 0)))
    }
    return left
  }

  async erased(root: number): Promise<string[]> {
    const found = await this.#records.of(root)
    return found?.dir ? (await this.#loaded()).rewrite(found, found.forked_at ?? 0) : []
  }

  watch(report: (error: unknown) => void): void {
    const look = async () => {
      const all = await this.#records.all()
      if (all.length === 0) return
      const { lookInto } = await import('./watch.ts')
      await lookInto(await this.#loaded(), all, (root) => this.moved([root]), this.#tools.now)
    }
    this.#watching ??= new Repeating(look, watchMs, report)
  }

  async onboard(dirs: readonly string[], which: Slice): Promise<Onboarded> {
    const { onboard } = await import('./onboard/onboard.ts')
    const takeIn = async (root: string, edited: string) => {
      const found = await this.#records.named(root)
      return found === undefined ? undefined : (await this.#loaded()).takeIn(found, edited)
    }
    return onboard({ records: this.#records, newReplica: this.#tools.newReplica, takeIn }, dirs, which)
  }

  openProject(dir: string): Promise<void> {
    return this.#records.openProjects([dir])
  }

  async examine(repair: boolean): Promise<Check> {
    const all = await this.#records.all()
    if (all.length === 0) return { name: 'folders', ok: true, detail: 'no session folder on this host' }
    const { examineFolders } = await import('./examine-folders.ts')
    return examineFolders(await this.#loaded(), all, repair)
  }

  async finish(): Promise<void> {
    this.#finishing = true
    await this.#flush()
    for (const [root, { noneUntil }] of this.#known) {
      if (noneUntil > elapsed()) continue
      const found = await this.#records.of(root)
      if (found?.dir && existsSync(join(found.dir, names.inbox))) await (await this.#loaded()).workOff(found)
    }
  }

  async close(): Promise<void> {
    this.#watching?.stop()
    await this.#watching?.settled()
    await this.#flush()
    ;(await this.#writer)?.close()
  }

  /** Writes at once what was to be written soon. */
  async #flush(): Promise<void> {
    for (const [root, known] of this.#known) {
      if (known.timer === undefined) continue
      clearTimeout(known.timer)
      known.timer = undefined
      void this.#write(root, known, false)
    }
    await Promise.all([...this.#known.values()].flatMap(({ running, next }) => [running, next]))
  }

  #of(root: number): Known {
    let known = this.#known.get(root)
    if (known === undefined) {
      known = {
        noneUntil: 0,
        running: undefined,
        next: undefined,
        durable: false,
        timer: undefined,
        renderedAt: Number.NEGATIVE_INFINITY,
      }
      this.#known.set(root, known)
    }
    return known
  }

  /** Writes all that is in the log by now. What begins while it waits for its turn is written with it. Never fails; says whether it is done. */
  #write(root: number, known: Known, durable: boolean): Promise<boolean> {
    if (durable) known.durable = true
    if (known.next !== undefined) return known.next
    const before = known.running ?? Promise.resolve(true)
    const next: Promise<boolean> = before.then(() => {
      known.running = next
      known.next = undefined
      const { durable } = known
      known.durable = false
      return this.#written(root, known, durable).finally(() => {
        if (known.running === next) known.running = undefined
      })
    })
    known.next = next
    return next
  }

  async #written(root: number, known: Known, durable: boolean): Promise<boolean> {
    try {
      const found = await this.#records.of(root)
      if (found === undefined || !mayHaveOne(found)) {
        known.noneUntil = elapsed() + noneMs
        return true
      }
      const folder = await (await this.#loaded()).folderOf(found)
      // Whoever waits for the mirror does not wait for what is rendered from it.
      const render = !durable && (this.#finishing || elapsed() - known.renderedAt >= renderMs)
      await folder?.catchUp(durable, render)
      if (render) known.renderedAt = elapsed()
      else this.#soon(root, known, durable ? gatherMs : renderMs)
      return true
    } catch {
      // The log has it, and the next write tries again: whoever waits is told, and so is whoever asks the doctor.
      return false
    }
  }

  /** A process that writes into no folder loads nothing of it. */
  #loaded(): Promise<FolderWriter> {
    this.#writer ??= import('./folder-writer.ts').then(
      ({ FolderWriter }) => new FolderWriter({ ...this.#tools, records: this.#records }),
    )
    return this.#writer
  }
}

function noFolder(): Refusal {
  const hint = 'Run cairn init in its project; sessions get folders from then on.'
  return refuse('not_found', 'This session has no folder on this host.', hint)
}

function mayHaveOne({ dir, wanted }: FolderFound): boolean {
  return dir !== null || wanted !== null
}
