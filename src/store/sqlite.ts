import {
  backup,
  DatabaseSync as Database,
  type DatabaseSyncInstance,
  type StatementSyncInstance,
} from '@photostructure/sqlite'
import { bootTime } from '../clock.ts'
import type { Asking } from '../domain/questions.ts'
import { Refusal } from '../domain/refusal.ts'
import type { RootRow, Table } from '../domain/tables.ts'
import { failpoint, isPlanted } from '../failpoint.ts'
import { Answering } from './answering.ts'
import { dumpTables } from './dump.ts'
import {
  aboutToWrite,
  type Changes,
  type Engine,
  hintMs,
  type Load,
  type Moved,
  type RowsWritten,
  type Starts,
  type Work,
} from './engine.ts'
import { damaged, isBusy, isOfDisk, outcomeUnknown, refusalOf, replaced } from './sqlite-errors.ts'
import {
  type Check,
  checkSettings,
  examineFile,
  filesOf,
  isWhole,
  makePrivate,
  makePrivateFile,
  notWritable,
  refuseDamaged,
  refuseForeign,
  writeWhole,
} from './sqlite-file.ts'
import { lockWaitMsMax, onceFree, type SqliteOptions } from './sqlite-lock.ts'
import { migrate } from './sqlite-migrate.ts'
import { deeds, selectRow, statements, writeRows } from './statements.ts'

export class SqliteEngine implements Engine {
  readonly locksByRoot = false
  readonly #options: SqliteOptions
  readonly #path: string
  readonly #db: DatabaseSyncInstance
  readonly #prepared = new Map<string, StatementSyncInstance>()
  readonly #asks = { prepare: (text: string) => this.#prepare(text) }
  #openedFiles = ''
  /** The commit that a planted fault puts off. */
  #late: NodeJS.Timeout | undefined

  private constructor(db: DatabaseSyncInstance, options: SqliteOptions) {
    this.#db = db
    this.#options = options
    this.#path = options.path
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
      await engine?.close()
      throw refusalOf(error, options.path)
    }
  }

  async read<Out>(reading: Asking<Out>, snapshot: boolean): Promise<Out> {
    const answering = new Answering(reading, (question) => this.#all(statements[question.ask], question.with))
    return this.#onceFree(() => (snapshot ? this.#atOneMoment(answering) : answering.goOn()))
  }

  /** A snapshot is taken by its first question: none is told busy after that. */
  #atOneMoment<Out>(answering: Answering<Out>): Out {
    this.#prepare('BEGIN').run()
    try {
      return answering.goOn()
    } finally {
      this.#undo()
    }
  }

  async write<Out>(held: readonly string[], work: Starts<Out>): Promise<Out> {
    return this.#onceFree(() => this.#transact(held, work))
  }

  async #onceFree<Out>(attempt: () => Out): Promise<Out> {
    return onceFree(this.#options, attempt).catch((error: unknown) => {
      const refusal = refusalOf(error, this.#path)
      // Rows of a broken page can be of any shape, and whoever reads them fails in any way.
      throw refusal instanceof Refusal || isWhole(this.#asks) ? refusal : damaged(this.#path, 'a row cannot be read')
    })
  }

  /**
   * Fails as busy only before anything was done. Nothing between BEGIN and COMMIT gives up the thread, so that reads on
   * this connection never see a half-done group.
   */
  #transact<Out>(held: readonly string[], work: Starts<Out>): Out {
    if (this.#late !== undefined) this.#commit()
    this.#prepare('BEGIN IMMEDIATE').run()
    try {
      failpoint('begin')
      const heads = held.flatMap((root) => this.#all<RootRow>(statements.head, [root]))
      const { changes, out } = this.#perform(work(heads, bootTime()))
      for (const change of changes) this.#flush(change)
      if (isPlanted('ack-before-commit')) this.#late = setTimeout(() => this.#commit(), 50)
      else this.#commit()
      return out
    } catch (error) {
      this.#undo()
      throw isBusy(error) ? refusalOf(error, this.#path) : error
    }
  }

  /** After some errors SQLite has rolled back by itself. */
  #undo(): void {
    if (this.#db.isTransaction) this.#prepare('ROLLBACK').run()
  }

  #commit(): void {
    clearTimeout(this.#late)
    this.#late = undefined
    failpoint('commit')
    if (filesOf(this.#path) !== this.#openedFiles) throw replaced(this.#path)
    try {
      this.#prepare('COMMIT').run()
    } catch (error) {
      throw isOfDisk(error) && !this.#forget() ? outcomeUnknown(this.#path) : error
    }
  }

  /**
   * A commit that could not be synced lies whole in the write-ahead log: whoever opens the store after a crash would find it
   * there and take it for made. So the log is emptied.
   */
  #forget(): boolean {
    try {
      this.#undo()
      return this.#all<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)', [])[0]?.busy === 0
    } catch {
      return false
    }
  }

  /** `data_version` moves when another connection has committed, whatever it wrote. */
  watch(moved: Moved): { stop(): void } {
    let seen = this.#version()
    const timer = setInterval(() => {
      const now = this.#version() ?? seen
      if (now === seen) return
      seen = now
      moved(undefined)
    }, hintMs)
    return { stop: () => clearInterval(timer) }
  }

  /** Nothing where it cannot be had: it is looked at again soon, and whoever reads is told what is wrong. */
  #version(): number | undefined {
    try {
      return this.#all<{ data_version: number }>('PRAGMA data_version', [])[0]?.data_version
    } catch {
      return undefined
    }
  }

  announce(): void {
    // Others see it in the file itself.
  }

  async examine(): Promise<Check[]> {
    return this.#onceFree(() => examineFile(this.#asks, this.#path))
  }

  /** For a file that nobody writes to, such as a backup: pages are read one after the other. */
  dump(): AsyncIterable<RowsWritten> {
    return dumpTables((text, parameters) => this.#all(text, parameters))
  }

  async backup(path: string): Promise<number> {
    return writeWhole(path, (file) => this.#copyTo(file)).catch((error: unknown) => {
      throw error instanceof Refusal ? error : notWritable(path)
    })
  }

  /** From a connection that stays at one moment: one that saw others write would begin again at each of their commits. */
  async #copyTo(file: string): Promise<void> {
    makePrivateFile(file)
    const reader = new Database(this.#path, { readOnly: true, timeout: lockWaitMsMax })
    try {
      reader.exec('BEGIN; SELECT count(*) FROM roots')
      await backup(reader, file)
    } finally {
      reader.close()
    }
  }

  /** Everything is in the one file afterwards, and nothing beside it. */
  seal(): void {
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  /** Freed pages keep their old bytes until the file is written anew. */
  async scrub(): Promise<string[]> {
    try {
      await onceFree(this.#options, () => this.#db.exec('VACUUM'))
      const [log] = this.#all<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)', [])
      if (log?.busy === 0) return []
    } catch {
      // Said below, as when others hold the log.
    }
    return ['freed pages of the store, while others read it: run cairn gc later']
  }

  /** SQLite keeps the files open as long as it has statements, and the driver lets go of one only when nobody holds it. */
  async close(): Promise<void> {
    if (!this.#db.isOpen || this.#late !== undefined) return
    this.#prepared.clear()
    this.#db.close()
  }

  #perform<Out>(work: Work<Out>): { changes: readonly Changes[]; out: Out } {
    let step = work.next()
    while (!step.done) step = work.next(step.value.map((load) => this.#load(load)))
    return step.value
  }

  #load(load: Load): object[] {
    return 'ask' in load ? this.#all(statements[load.ask], load.with) : this.#all(selectRow(load.table), load.key)
  }

  #flush(change: Changes): void {
    aboutToWrite(change)
    if ('table' in change) this.#writeRows(change)
    else for (const parameters of change.each) this.#prepare(deeds[change.deed]).run(...parameters)
  }

  #writeRows({ table, rows }: RowsWritten): void {
    const columns = Object.keys(table.columns)
    const statement = this.#writing(table, columns.length)
    const values: (string | number | null)[] = new Array(columns.length)
    for (const row of rows as readonly Record<string, string | number | null>[]) {
      for (let at = 0; at < columns.length; at++) values[at] = row[columns[at] as string] as string | number | null
      statement.run(...values)
    }
  }

  /** The text is made once: making it anew for each group would cost more than the prepared statement saves. */
  #writing(table: Table<never>, columns: number): StatementSyncInstance {
    const known = this.#prepared.get(table.name)
    if (known !== undefined) return known
    const values = Array.from({ length: columns }, (_, at) => `$${at + 1}`).join(', ')
    const statement = this.#prepare(writeRows(table, `VALUES (${values})`))
    this.#prepared.set(table.name, statement)
    return statement
  }

  #all<Row extends object>(text: string, parameters: readonly (string | number | null)[]): Row[] {
    return this.#prepare(text).all(...parameters) as Row[]
  }

  #prepare(text: string): StatementSyncInstance {
    const known = this.#prepared.get(text)
    if (known !== undefined) return known
    // `$1` would be a name to SQLite, and names are bound through an object at twice the cost; `?1` is a number.
    const statement = this.#db.prepare(text.replace(/\$(\d+)/g, '?$1'))
    this.#prepared.set(text, statement)
    return statement
  }

  #begin(): void {
    refuseForeign(this.#asks, this.#path)
    this.#db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY',
    )
    checkSettings(this.#asks)
    migrate(
      this.#db,
      () => this.#format(),
      () => this.#undo(),
    )
    this.#openedFiles = filesOf(this.#path)
  }

  #format(): number {
    return this.#all<{ user_version: number }>('PRAGMA user_version', [])[0]?.user_version ?? 0
  }
}
