import { backup, DatabaseSync as Database } from '@photostructure/sqlite'
import { bootTime } from '../../clock.ts'
import type { LeaseTime } from '../../domain/log/lease-time.ts'
import type { Asking } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { failpoint, isPlanted } from '../../failpoint.ts'
import { dumpTables, type Filled, fillTables } from '../dump.ts'
import {
  aboutToWrite,
  type Changes,
  type Copied,
  type Engine,
  type Moved,
  type RowsWritten,
  type Starts,
  statementsFor,
} from '../engine.ts'
import type { Layout } from '../layout.ts'
import { drawNumbers, type Statement } from '../statements.ts'
import { Answering, perform } from './answering.ts'
import { SqliteAnswers } from './answers.ts'
import { readInSlices, runAside, selectedBy } from './aside.ts'
import { checkpointSettings, SqliteCheckpoints } from './checkpoints.ts'
import { copyDatabase, emptyCopy } from './copy.ts'
import { watchVersion } from './data-version.ts'
import { damaged, isBusy, isOfDisk, isWithoutCode, outcomeUnknown, refusalOf, replaced } from './errors.ts'
import { refusedAsOld } from './fewer-columns.ts'
import {
  type Check,
  checkSettings,
  examineFile,
  makePrivate,
  notWritable,
  openSettings,
  refuseDamaged,
  refuseForeign,
  writeWhole,
} from './file.ts'
import { SqliteHeads } from './heads.ts'
import { faultsStatement, Wholeness } from './integrity.ts'
import { lockWaitMsMax, onceFree, type SqliteOptions } from './lock.ts'
import { keptAs } from './long-texts.ts'
import { migrate } from './migrate.ts'
import { SqliteNames } from './names.ts'
import { SqliteRows } from './rows.ts'
import { type Held, holdBeside, lockOn } from './server-lock.ts'

export class SqliteEngine implements Engine {
  readonly locksByRoot = false
  readonly layout: Layout
  readonly #options: SqliteOptions
  readonly #path: string
  /** Others are served by this process, and must not stand still. */
  readonly #yields: boolean
  readonly #db: InstanceType<typeof Database>
  readonly #rows: SqliteRows
  readonly #heads: SqliteHeads
  readonly #answers: SqliteAnswers
  readonly #checkpoints: SqliteCheckpoints
  readonly #wholeness: Wholeness
  #names: SqliteNames | undefined
  /** The commit that a planted fault puts off. */
  #late: NodeJS.Timeout | undefined

  private constructor(db: InstanceType<typeof Database>, options: SqliteOptions) {
    this.#db = db
    this.#rows = new SqliteRows(db)
    this.#heads = new SqliteHeads(this.#rows)
    this.#answers = new SqliteAnswers(this.#rows)
    this.#wholeness = new Wholeness(this.#rows, () => options.clock.now())
    this.#options = options
    this.layout = options.layout
    this.#path = options.path
    this.#yields = options.waits === 'yielding'
    this.#checkpoints = new SqliteCheckpoints(this.#rows, options.thorough ? this.#path : undefined)
  }

  static async open(options: SqliteOptions): Promise<SqliteEngine> {
    makePrivate(options.path)
    let engine: SqliteEngine | undefined
    try {
      refuseDamaged(options.path)
      const opened = new SqliteEngine(new Database(options.path, { timeout: 0 }), options)
      engine = opened
      await onceFree(options, () => opened.#begin())
      return opened
    } catch (error) {
      const meant = engine === undefined ? refusalOf(error, options.path) : engine.#meant(error)
      await engine?.close()
      throw meant
    }
  }

  async read<Out>(reading: Asking<Out>, snapshot: boolean | 'aside'): Promise<Out> {
    if (snapshot === 'aside' && this.#yields) {
      const db = new Database(this.#path, { readOnly: true, timeout: lockWaitMsMax })
      return readInSlices(db, reading).catch((error) => Promise.reject(this.#meant(error)))
    }
    const answering = new Answering(reading, (load) => this.#answers.to(load))
    return this.#onceFree(() => (snapshot ? this.#atOneMoment(answering) : answering.goOn()))
  }

  /** A snapshot is taken by its first question: none is told busy after that. */
  #atOneMoment<Out>(answering: Answering<Out>): Out {
    this.#rows.run('BEGIN')
    try {
      return answering.goOn()
    } finally {
      this.#undo()
    }
  }

  write<Out>(held: readonly number[], work: Starts<Out>): Out | Promise<Out> {
    return this.#onceFree(() => this.#transact(held, work))
  }

  #onceFree<Out>(attempt: () => Out): Out | Promise<Out> {
    const fail = (error: unknown) => {
      throw this.#meant(error)
    }
    try {
      const done = onceFree(this.#options, attempt)
      return done instanceof Promise ? done.catch(fail) : done
    } catch (error) {
      return fail(error)
    }
  }

  /** What a failure means to whoever asked. */
  #meant(error: unknown): unknown {
    const blank = () => new Database(':memory:')
    const refusal = refusedAsOld(error, this.#path, this.#db, this.layout, blank) ?? refusalOf(error, this.#path)
    const mayBeOfRows = !(refusal instanceof Refusal) && isWithoutCode(refusal)
    return mayBeOfRows && !this.#wholeness.holds() ? damaged(this.#path, 'a row cannot be read') : refusal
  }

  /**
   * Fails as busy only before anything was done. Nothing between BEGIN and COMMIT gives up the thread, so that reads on
   * this connection never see a half-done group.
   */
  #transact<Out>(held: readonly number[], work: Starts<Out>): Out {
    if (this.#late !== undefined) this.#commit()
    this.#rows.run('BEGIN IMMEDIATE')
    this.#answers.forget()
    try {
      failpoint('begin')
      const { changes, out } = perform(work(this.#heads.of(held), bootTime()), (load) => selectedBy(this.#rows, load))
      for (const change of changes) this.#flush(change)
      this.#heads.leave(changes)
      if (isPlanted('ack-before-commit')) this.#late = setTimeout(() => this.#commit(), 50)
      else this.#commit()
      return out
    } catch (error) {
      this.#heads.forget()
      this.#undo()
      throw isBusy(error) ? refusalOf(error, this.#path) : error
    }
  }

  /** After some errors SQLite has rolled back by itself. */
  #undo(): void {
    if (this.#db.isTransaction) this.#rows.run('ROLLBACK')
  }

  #commit(): void {
    clearTimeout(this.#late)
    this.#late = undefined
    failpoint('commit')
    if (!this.#names?.hold()) throw replaced(this.#path)
    try {
      this.#rows.run('COMMIT')
    } catch (error) {
      throw isOfDisk(error) && !this.#forget() ? outcomeUnknown(this.#path) : error
    }
    this.#checkpoints.committed()
  }

  /**
   * A commit that could not be synced lies whole in the write-ahead log: whoever opens the store after a crash would find it
   * there and take it for made. So the log is emptied.
   */
  #forget(): boolean {
    try {
      this.#undo()
      return this.#checkpoints.empty()
    } catch {
      return false
    }
  }

  leaseTime(): LeaseTime {
    return bootTime()
  }

  watch(moved: Moved): { stop(): void } {
    return watchVersion(this.#rows, moved)
  }

  async draw(kind: string, count: number): Promise<number> {
    const drawn = await this.#onceFree(() => this.#drawNow(kind, count))
    return drawn - count + 1
  }

  #drawNow(kind: string, count: number): number {
    if (this.#late !== undefined) this.#commit()
    const [drawn] = this.#rows.all<{ value: number }>(drawNumbers, [kind, count])
    return drawn?.value ?? 0
  }

  announce(): void {
    // Others see it in the file itself.
  }

  async examine(): Promise<Check[]> {
    const found = this.#yields ? await runAside(this.#path, faultsStatement).catch(() => undefined) : undefined
    return this.#onceFree(() => examineFile(this.#rows, this.layout.migrations.length, found))
  }

  /** For a file that nobody writes to, such as a backup: pages are read one after the other. */
  dump(): AsyncIterable<RowsWritten> {
    return dumpTables(this.layout.tables, ({ text, parameters, bytes }) => this.#rows.all(text, parameters, bytes))
  }

  async backup(path: string): Promise<Copied> {
    const reader = () => new Database(this.#path, { readOnly: true, timeout: lockWaitMsMax })
    const copied = async (file: string) => {
      const roots = await copyDatabase(reader(), file, backup)
      emptyCopy(new Database(file), this.layout.tables)
      return roots
    }
    return writeWhole(path, copied).catch((error: unknown) => {
      throw error instanceof Refusal ? error : notWritable(path)
    })
  }

  /** On a connection of its own: reads of this one never see the half of it. */
  async fill(pages: AsyncIterable<RowsWritten>): Promise<Filled> {
    const filling = await SqliteEngine.open(this.#options)
    try {
      await onceFree(this.#options, () => filling.#rows.run('BEGIN IMMEDIATE'))
      const select = ({ text, parameters, bytes }: Statement) => filling.#rows.all(text, parameters, bytes)
      const filled = await fillTables(this.layout.tables, pages, select, (page) => filling.#flush(page))
      filling.#commit()
      return filled
    } catch (error) {
      filling.#undo()
      throw refusalOf(error, this.#path)
    } finally {
      await filling.close()
    }
  }

  /** Everything is in the one file afterwards, and nothing beside it. */
  seal(): void {
    this.#checkpoints.empty()
  }

  /** Freed pages keep their old bytes until the file is written anew. */
  async scrub(): Promise<string[]> {
    try {
      if (this.#yields) await runAside(this.#path, 'VACUUM')
      else await onceFree(this.#options, () => this.#db.exec('VACUUM'))
      if (this.#checkpoints.empty()) return []
    } catch {
      // Said below, as when others hold the log.
    }
    return ['freed pages of the store, while others read it: run cairn gc later']
  }

  /** SQLite keeps the files open as long as it has statements, and the driver lets go of one only when nobody holds it. */
  async close(): Promise<void> {
    if (!this.#db.isOpen || this.#late !== undefined) return
    this.#rows.forget()
    this.#db.close()
    await this.#checkpoints.end()
  }

  #flush(change: Changes): void {
    aboutToWrite(change)
    if ('table' in change) this.#rows.write(change)
    else for (const { text, parameters } of statementsFor(change, keptAs)) this.#rows.run(text, parameters)
  }

  #begin(): void {
    refuseForeign(this.#rows, this.#path)
    this.#db.exec(`${openSettings}; ${checkpointSettings}`)
    checkSettings(this.#rows)
    migrate(this.#db, this.layout, () => this.#undo())
    if (this.#options.thorough && !this.#wholeness.holds()) throw damaged(this.#path, 'a page or a row cannot be read')
    this.#names = new SqliteNames(this.#path, this.#options.clock)
  }
}

/** Holds a store for one server; undefined when another one has it. */
export function holdForServer(storePath: string): Held | undefined {
  return holdBeside(storePath, (path) => new Database(path, { timeout: 0 }))
}

/** A lock of the system that is taken and given back. */
export const fileLock = (path: string) => lockOn(path, (file) => new Database(file, { timeout: 0 }))
