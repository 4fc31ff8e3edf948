import {
  backup,
  DatabaseSync as Database,
  type DatabaseSyncInstance,
  type StatementSyncInstance,
} from '@photostructure/sqlite'
import { bootTime, type Clock, elapsed, sleep, sleepBlocking } from '../clock.ts'
import type { Asking } from '../domain/questions.ts'
import { Refusal, refuse } from '../domain/refusal.ts'
import type { RootRow, Table } from '../domain/tables.ts'
import { failpoint, isPlanted } from '../failpoint.ts'
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
import { pending, statementsOf } from './migrations.ts'
import { isBusy, refusalOf } from './sqlite-errors.ts'
import {
  applicationId,
  type Check,
  checkSettings,
  examineFile,
  makePrivate,
  makePrivateFile,
  notWritable,
  refuseForeign,
  writeWhole,
} from './sqlite-file.ts'
import { deeds, selectRow, statements, writeRows } from './statements.ts'

/** How long a writer waits for the lock before it is told `busy`. */
const lockWaitMsMax = 5000

/** SQLite's own busy handler starves whoever comes second; short random waits of our own give equal shares. */
const waitMs = { blocking: [0.05, 0.5], yielding: [1, 2] } as const

export interface SqliteOptions {
  readonly path: string
  readonly clock: Clock
  /** `blocking` for processes that live for one command, `yielding` for servers, whose event loop must go on. */
  readonly waits: 'blocking' | 'yielding'
}

export class SqliteEngine implements Engine {
  readonly locksByRoot = false
  readonly #path: string
  readonly #db: DatabaseSyncInstance
  readonly #clock: Clock
  readonly #waits: 'blocking' | 'yielding'
  readonly #prepared = new Map<string, StatementSyncInstance>()

  private constructor(db: DatabaseSyncInstance, options: SqliteOptions) {
    this.#db = db
    this.#path = options.path
    this.#clock = options.clock
    this.#waits = options.waits
  }

  static async open(options: SqliteOptions): Promise<SqliteEngine> {
    makePrivate(options.path)
    const deadline = elapsed() + lockWaitMsMax
    const wait = () => waitForLock(options, deadline)
    try {
      const db = await untilFree(() => connect(options.path), wait)
      const engine = new SqliteEngine(db, options)
      await untilFree(() => engine.#migrate(), wait)
      return engine
    } catch (error) {
      throw refusalOf(error, options.path)
    }
  }

  async read<Out>(reading: Asking<Out>, snapshot: boolean): Promise<Out> {
    try {
      if (!snapshot) return this.#answer(reading)
      this.#db.exec('BEGIN')
      try {
        return this.#answer(reading)
      } finally {
        this.#db.exec('COMMIT')
      }
    } catch (error) {
      throw refusalOf(error, this.#path)
    }
  }

  async write<Out>(held: readonly string[], work: Starts<Out>): Promise<Out> {
    const options = { path: this.#path, clock: this.#clock, waits: this.#waits }
    const deadline = elapsed() + lockWaitMsMax
    const wait = () => waitForLock(options, deadline)
    return untilFree(() => this.#transact(held, work), wait).catch((error: unknown) => {
      throw refusalOf(error, this.#path)
    })
  }

  /**
   * Fails as busy only before anything was done. Nothing between BEGIN and COMMIT gives up the thread, so that reads on
   * this connection never see a half-done group.
   */
  #transact<Out>(held: readonly string[], work: Starts<Out>): Out {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      failpoint('begin')
      const heads = held.flatMap((root) => this.#all<RootRow>(statements.head, [root]))
      const { changes, out } = this.#perform(work(heads, bootTime()))
      for (const change of changes) this.#flush(change)
      if (isPlanted('ack-before-commit')) setImmediate(() => this.#commit())
      else this.#commit()
      return out
    } catch (error) {
      // After some errors SQLite has rolled back by itself.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw isBusy(error) ? refusalOf(error, this.#path) : error
    }
  }

  #commit(): void {
    failpoint('commit')
    this.#db.exec('COMMIT')
  }

  /** `data_version` moves when another connection has committed, whatever it wrote. */
  watch(moved: Moved): { stop(): void } {
    const version = () => this.#all<{ data_version: number }>('PRAGMA data_version', [])[0]?.data_version
    let seen = version()
    const timer = setInterval(() => {
      const now = this.#db.isOpen ? version() : seen
      if (now === seen) return
      seen = now
      moved(undefined)
    }, hintMs)
    return { stop: () => clearInterval(timer) }
  }

  announce(): void {
    // Others see it in the file itself.
  }

  async examine(): Promise<Check[]> {
    return examineFile(this.#db, this.#path)
  }

  /** For a file that nobody writes to, such as a backup: pages are read one after the other. */
  dump(): AsyncIterable<RowsWritten> {
    return dumpTables((text, parameters) => this.#all(text, parameters))
  }

  async backup(path: string): Promise<number> {
    return writeWhole(path, async (file) => {
      makePrivateFile(file)
      await backup(this.#db, file)
    }).catch((error: unknown) => {
      throw error instanceof Refusal ? error : notWritable(path)
    })
  }

  /** Freed pages keep their old bytes until the file is written anew. */
  async scrub(): Promise<string[]> {
    const deadline = elapsed() + lockWaitMsMax
    const wait = () => waitForLock({ path: this.#path, clock: this.#clock, waits: this.#waits }, deadline)
    try {
      await untilFree(() => this.#db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)'), wait)
      return []
    } catch {
      return ['freed pages of the store: the file was in use; run cairn gc later']
    }
  }

  async close(): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  #answer<Out>(reading: Asking<Out>): Out {
    let step = reading.next()
    while (!step.done) step = reading.next(this.#all(statements[step.value.ask], step.value.with))
    return step.value
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

  #migrate(): void {
    refuseForeign(this.#db, this.#path)
    const applied = (this.#db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
    const todo = pending(applied)
    if (todo instanceof Refusal) throw todo
    if (todo.length === 0) return
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      this.#apply()
      this.#db.exec('COMMIT')
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw error
    }
  }

  /** Looks again under the lock: another process may have migrated meanwhile. */
  #apply(): void {
    const { user_version: applied } = this.#db.prepare('PRAGMA user_version').get() as { user_version: number }
    const todo = pending(applied)
    if (todo instanceof Refusal) throw todo
    for (const migration of todo) {
      for (const statement of statementsOf(migration)) {
        failpoint('migrate')
        this.#db.exec(statement.startsWith('CREATE TABLE') ? `${statement} STRICT` : statement)
      }
      this.#db.exec(`PRAGMA user_version = ${migration.number}`)
    }
    this.#db.exec(`PRAGMA application_id = ${applicationId}`)
  }
}

function connect(path: string): DatabaseSyncInstance {
  const db = new Database(path, { timeout: 0 })
  try {
    db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY',
    )
    checkSettings(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Tries until the lock is free; `wait` gives up by throwing. */
async function untilFree<T>(attempt: () => T, wait: () => Promise<void> | void): Promise<T> {
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error)) throw error
    }
    await wait()
  }
}

function waitForLock({ path, clock, waits }: SqliteOptions, deadline: number): Promise<void> | void {
  if (elapsed() > deadline) {
    const message = `Another process held the write lock of ${path} for more than ${lockWaitMsMax} ms.`
    throw refuse('busy', message, 'Try again; if it stays so, look for a process that hangs.', { path })
  }
  const [least, most] = waitMs[waits]
  const ms = least + clock.jitter() * (most - least)
  return waits === 'blocking' ? sleepBlocking(ms) : sleep(ms)
}
