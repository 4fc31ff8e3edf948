import pg from 'pg'
import { elapsed } from '../../clock.ts'
import type { LeaseTime } from '../../domain/log/lease-time.ts'
import type { Asking } from '../../domain/log/questions.ts'
import { type RootRow, roots } from '../../domain/log/tables.ts'
import { failpoint, isPlanted } from '../../failpoint.ts'
import { dumpTables, type Filled, fillTables } from '../dump.ts'
import {
  aboutToWrite,
  byTable,
  type Changes,
  type Copied,
  type Engine,
  type Moved,
  type RowsWritten,
  type Starts,
} from '../engine.ts'
import type { Layout } from '../layout.ts'
import { drawNumbers, type Statement, statementOf } from '../statements.ts'
import { answer, perform } from './answering.ts'
import { Clients, connectionTimeoutMillis } from './clients.ts'
import { Combining, type Guarded } from './combining.ts'
import { isOutcomeUnknown, lossOf, refusalOf, settled } from './errors.ts'
import { LeaseClock } from './lease-clock.ts'
import { migrate } from './migrate.ts'
import { listen, Notices } from './notices.ts'
import { OwnHeads } from './own-heads.ts'
import { Queries } from './queries.ts'
import { selected } from './selecting.ts'
import { type Check, checksOf, refuseUnsafe, type Settings, settings } from './settings.ts'

/** Groups that run at once, each with a connection of its own. */
const connectionsMax = 16

/** Nothing waits for ever: not for a connection, a lock, a statement or a lost network. */
const limits = {
  connectionTimeoutMillis,
  query_timeout: 15_000,
  statement_timeout: 10_000,
  lock_timeout: 5000,
  idle_in_transaction_session_timeout: 15_000,
  keepAlive: true,
}

/** The database's clock is the one that leases run by: those of the servers may differ. */
const now = 'SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS ms'

type Client = pg.PoolClient

/** The driver leaves open what failed to sign in: the program could not end, and the server would wait for a minute. */
class Connection extends pg.Client {
  override connect(): never
  override connect(done: (error: Error) => void): void
  override connect(done?: (error: Error) => void): void {
    super.connect((error: Error) => {
      if (error) void this.end().catch(() => undefined)
      done?.(error)
    })
  }
}

/** A statement failed before it had any effect; its connection is not used again. */
class Unwritten extends Error {}

export class PostgresEngine implements Engine {
  readonly locksByRoot = true
  readonly layout: Layout
  readonly #pool: pg.Pool
  readonly #clients: Clients<Client>
  readonly #queries = new Queries()
  readonly #own = new OwnHeads()
  readonly #leaseClock = new LeaseClock()
  readonly #combining = new Combining((group) => this.#sendGuarded(group))
  readonly #url: string
  readonly #notices: Notices

  private constructor(pool: pg.Pool, url: string, layout: Layout) {
    this.layout = layout
    this.#pool = pool
    this.#clients = new Clients(pool)
    this.#url = url
    this.#notices = new Notices(pool)
  }

  static async open(url: string, layout: Layout): Promise<PostgresEngine> {
    const pool = openPool(url)
    const engine = new PostgresEngine(pool, url, layout)
    try {
      await engine.#clients.use((client) => migrate(client, layout.migrations))
      refuseUnsafe((await pool.query(settings)).rows[0] as Settings, layout.migrations.length)
      return engine
    } catch (error) {
      await pool.end()
      throw refusalOf(error)
    }
  }

  async read<Out>(reading: Asking<Out>, snapshot: boolean | 'aside'): Promise<Out> {
    try {
      if (!snapshot) return await this.#clients.use((client) => answer(client, this.#queries, reading))
      return await this.#clients.use(async (client) => {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        const answered = await answer(client, this.#queries, reading)
        await client.query('COMMIT')
        return answered
      })
    } catch (error) {
      throw refusalOf(error)
    }
  }

  async write<Out>(held: readonly number[], work: Starts<Out>): Promise<Out> {
    try {
      return (await this.#writeAtOnce(held, work)) ?? (await this.#writeLocked(held, work))
    } catch (error) {
      throw lossOf(error)
    }
  }

  /**
   * Where this process was the last to write below a root and the work needs nothing loaded, one statement is the whole
   * transaction: it moves the head only from where it was left, and fails otherwise. Undefined when that is not so.
   */
  async #writeAtOnce<Out>(held: readonly number[], work: Starts<Out>): Promise<Out | undefined> {
    const [root] = held
    const head = held.length === 1 && root !== undefined ? this.#own.get(root) : undefined
    if (head === undefined) return undefined
    // Leases are always loaded, so work that needs nothing loaded never looks at the time.
    const step = work([head], { ms: 0, boot: '' }).next()
    if (!step.done) return undefined
    const { changes, out } = step.value
    const rows = changes.filter((change) => 'table' in change)
    if (rows.length < changes.length || rows.every(({ table }) => table.name !== roots.name)) return undefined
    if (rows.some(({ table }) => !('root' in table.columns))) return undefined
    failpoint('begin')
    for (const change of changes) aboutToWrite(change)
    failpoint('commit')
    // Until it is known where the head is now, it is not this process's own.
    this.#own.lose(head.root)
    if (!(await this.#combining.write({ head, rows }))) return undefined
    this.#own.left(changes)
    return out
  }

  /** A statement that failed as a whole has written nothing, for whichever of its roots: each is then tried alone. */
  async #sendGuarded(group: readonly Guarded[]): Promise<ReadonlySet<number>> {
    const query = this.#queries.guarded(
      group.map(({ head }) => head),
      byTable(group.flatMap(({ rows }) => rows)),
    )
    const moved = await this.#clients
      .use((client) =>
        client.query(query).catch((error: unknown) => {
          const refusal = refusalOf(error, true)
          throw isOutcomeUnknown(refusal) ? refusal : new Unwritten()
        }),
      )
      .catch((error: unknown) => {
        if (error instanceof Unwritten) return undefined
        throw error
      })
    return new Set(moved?.rows.map((row) => row.root))
  }

  async #writeLocked<Out>(held: readonly number[], work: Starts<Out>): Promise<Out> {
    return this.#clients.use(async (client) => {
      const { heads, time } = await this.#lock(client, held)
      failpoint('begin')
      const { changes, out } = await perform(client, this.#queries, work(heads, time))
      for (const change of changes) aboutToWrite(change)
      failpoint('commit')
      const committed = this.#commit(client, changes)
      if (!isPlanted('ack-before-commit')) await committed
      this.#own.left(changes, heads)
      return out
    })
  }

  async #commit(client: Client, changes: readonly Changes[]): Promise<void> {
    try {
      const sent = [...this.#queries.writing(changes), { text: 'COMMIT' }]
      const commit = (await settled(sent.map((query) => client.query(query)))).at(-1)
      if (commit?.command !== 'COMMIT') throw new Error(`the transaction ended with ${commit?.command}`)
    } catch (error) {
      throw lossOf(error, true)
    }
  }

  watch(moved: Moved): { stop(): void } {
    const connect = () => new pg.Client({ connectionString: this.#url, keepAlive: true, connectionTimeoutMillis })
    return listen(connect, moved)
  }

  async draw(kind: string, count: number): Promise<number> {
    const query = this.#queries.named(drawNumbers, [kind, count])
    const { rows } = await this.#clients
      .use((client) => client.query(query))
      .catch((error: unknown) => {
        throw refusalOf(error)
      })
    return rows[0].value - count + 1
  }

  announce(roots: readonly number[]): void {
    this.#notices.add(roots)
  }

  async examine(): Promise<Check[]> {
    const { rows } = await this.#pool.query(settings)
    return checksOf(rows[0] as Settings, this.layout.migrations.length)
  }

  async *dump(): AsyncGenerator<RowsWritten, void> {
    const client = await this.#pool.connect()
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      yield* dumpTables(this.layout.tables, (statement) => selected(client, statement))
    } finally {
      client.release(true)
    }
  }

  /** A backup is always a SQLite store: it can be opened, checked and restored anywhere. */
  async backup(path: string): Promise<Copied> {
    const { backupRows } = await import('../backup.ts')
    return backupRows(this.dump(), path, this.layout)
  }

  async fill(pages: AsyncIterable<RowsWritten>): Promise<Filled> {
    return this.#clients
      .use(async (client) => {
        await client.query('BEGIN')
        // Whoever would make a root meanwhile waits.
        await client.query('LOCK TABLE roots IN SHARE ROW EXCLUSIVE MODE')
        const select = (statement: Statement) => selected(client, statement)
        const filled = await fillTables(this.layout.tables, pages, select, async (page) => {
          aboutToWrite(page)
          await client.query(this.#queries.flushing([page]))
        })
        failpoint('commit')
        await this.#commit(client, [])
        return filled
      })
      .catch((error: unknown) => {
        throw refusalOf(error)
      })
  }

  async scrub(): Promise<string[]> {
    return ['freed pages and the write-ahead log of the Postgres server']
  }

  async leaseTime(): Promise<LeaseTime> {
    try {
      const { rows } = await this.#clients.use((client) => client.query(this.#queries.named(now, [])))
      return this.#leaseClock.at(rows[0]?.ms ?? 0, elapsed())
    } catch (error) {
      throw refusalOf(error)
    }
  }

  async close(): Promise<void> {
    if (this.#pool.ending) return
    await this.#notices.sent()
    await this.#pool.end()
  }

  /** In one round trip: all is sent before any of it is answered. */
  async #lock(client: Client, held: readonly number[]): Promise<{ heads: RootRow[]; time: LeaseTime }> {
    const { text } = statementOf({ table: roots, key: [0] })
    const lock = `${text} FOR UPDATE`
    const queries = [
      // Heads are held, so nothing below them moves; a database may ask for more by default, at the cost of conflicts.
      { text: 'BEGIN ISOLATION LEVEL READ COMMITTED' },
      ...held.map((root) => this.#queries.named(lock, [root])),
      this.#queries.named(now, []),
    ]
    const [, ...results] = await settled(queries.map((query) => client.query(query)))
    const clock = results.pop()
    return {
      heads: results.flatMap((result) => result.rows),
      time: this.#leaseClock.at(clock?.rows[0]?.ms ?? 0, elapsed()),
    }
  }
}

function openPool(url: string): pg.Pool {
  const config = { connectionString: url, max: connectionsMax, types, pipeline: true, Client: Connection, ...limits }
  const pool = new pg.Pool(config as pg.PoolConfig)
  // Without listeners a connection that breaks, idle or in use, would end the process; the next query gets a new one.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Bytes come as `\\x` and their hex digits. */
function hexOf(text: string): string {
  return text.slice(2)
}

/** int8 comes as text unless it is told otherwise; ours never leave the range that is exact. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') => {
    if (oid === pg.types.builtins.INT8) return Number
    if (oid === pg.types.builtins.BYTEA) return hexOf
    return pg.types.getTypeParser(oid, format)
  }) as typeof pg.types.getTypeParser,
}
