import pg from 'pg'
import type { Asking } from '../domain/questions.ts'
import { Refusal } from '../domain/refusal.ts'
import { type RootRow, requests } from '../domain/tables.ts'
import { failpoint } from '../failpoint.ts'
import { aboutToWrite, type Changes, type Engine, type Load, Lost, type Work } from './engine.ts'
import { pending, statementsOf } from './migrations.ts'
import { refusalOf } from './postgres-errors.ts'
import { selectRow, statements, writeRows } from './statements.ts'

/** Groups that run at once, each with a connection of its own. */
const connectionsMax = 16

/** Nothing waits for ever: not for a connection, a lock, a statement or a lost network. */
const limits = {
  connectionTimeoutMillis: 5000,
  query_timeout: 15_000,
  statement_timeout: 10_000,
  lock_timeout: 5000,
  idle_in_transaction_session_timeout: 15_000,
  keepAlive: true,
}

/** One after another on any number of starting processes; the number is ours alone. */
const migrationLock = 0x43726e31

type Client = pg.PoolClient

export class PostgresEngine implements Engine {
  readonly locksByRoot = true
  readonly #pool: pg.Pool
  readonly #names = new Map<string, string>()

  private constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  static async open(url: string): Promise<PostgresEngine> {
    const config = { connectionString: url, max: connectionsMax, types, pipeline: true, ...limits }
    const pool = new pg.Pool(config as pg.PoolConfig)
    // Without a listener a connection that breaks while idle would end the process; the next query gets a new one.
    pool.on('error', () => undefined)
    const engine = new PostgresEngine(pool)
    try {
      await engine.#migrate()
      return engine
    } catch (error) {
      await pool.end()
      throw refusalOf(error)
    }
  }

  async read<Out>(reading: Asking<Out>, snapshot: boolean): Promise<Out> {
    try {
      if (!snapshot) return await this.#answer(this.#pool, reading)
      return await this.#onClient(async (client) => {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        const answer = await this.#answer(client, reading)
        await client.query('COMMIT')
        return answer
      })
    } catch (error) {
      throw refusalOf(error)
    }
  }

  async write<Out>(held: readonly string[], work: (heads: RootRow[]) => Work<Out>): Promise<Out> {
    let committing = false
    try {
      return await this.#onClient(async (client) => {
        const heads = await this.#lock(client, held)
        failpoint('begin')
        const { changes, out } = await this.#perform(client, work(heads))
        const written = changes.map((change) => this.#flush(client, change))
        failpoint('commit')
        committing = true
        const [commit] = await settled([client.query('COMMIT'), ...written])
        if (commit?.command !== 'COMMIT') throw new Error(`the transaction ended with ${commit?.command}`)
        return out
      })
    } catch (error) {
      if (error instanceof Lost) throw error
      throw refusalOf(error, committing)
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  /** A connection that met an error is not given back: what state it is in is not known. */
  async #onClient<Out>(use: (client: Client) => Promise<Out>): Promise<Out> {
    const client = await this.#pool.connect()
    let failure: unknown = new Error('not finished')
    try {
      const out = await use(client)
      failure = undefined
      return out
    } catch (error) {
      failure = error
      throw error
    } finally {
      client.release(failure !== undefined)
    }
  }

  /** In one round trip: both are sent before either is answered. */
  async #lock(client: Client, held: readonly string[]): Promise<RootRow[]> {
    const lock = `${statements.head} FOR UPDATE`
    const sent = [client.query('BEGIN'), ...held.map((root) => client.query(this.#named(lock, [root])))]
    const [, ...heads] = await settled(sent)
    return heads.flatMap((result) => result.rows)
  }

  async #answer<Out>(client: Client | pg.Pool, reading: Asking<Out>): Promise<Out> {
    let step = reading.next()
    while (!step.done) {
      const { rows } = await client.query(this.#named(statements[step.value.ask], step.value.with))
      step = reading.next(rows)
    }
    return step.value
  }

  async #perform<Out>(client: Client, work: Work<Out>): Promise<{ changes: readonly Changes[]; out: Out }> {
    let step = work.next()
    while (!step.done) {
      const results = await settled(step.value.map((load) => client.query(this.#loading(load))))
      step = work.next(results.map((result) => result.rows))
    }
    return step.value
  }

  #loading(load: Load): pg.QueryConfig {
    return 'ask' in load ? this.#named(statements[load.ask], load.with) : this.#named(selectRow(load.table), load.key)
  }

  /** All rows of a table in one statement: a column is an array. */
  #flush(client: Client, change: Changes): Promise<pg.QueryResult> {
    aboutToWrite(change)
    const { table, rows } = change
    const columns = Object.entries(table.columns) as [string, 'text' | 'integer'][]
    const arrays = columns.map(([, kind], at) => `$${at + 1}::${kind === 'text' ? 'text' : 'bigint'}[]`)
    const text = writeRows(table, `SELECT * FROM unnest(${arrays.join(', ')})`)
    const ordered = table.name === requests.name ? byKey(rows) : rows
    const values = columns.map(([column]) => ordered.map((row) => (row as Record<string, unknown>)[column]))
    return client.query(this.#named(text, values))
  }

  #named(text: string, values: readonly unknown[]): pg.QueryConfig {
    let name = this.#names.get(text)
    if (name === undefined) {
      name = `cairn_${this.#names.size}`
      this.#names.set(text, name)
    }
    return { name, text, values: values as unknown[] }
  }

  async #migrate(): Promise<void> {
    await this.#onClient(async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
      await client.query('CREATE TABLE IF NOT EXISTS cairn_format (format BIGINT NOT NULL)')
      const { rows } = await client.query('SELECT format FROM cairn_format')
      const todo = pending(rows[0]?.format ?? 0)
      if (todo instanceof Refusal) throw todo
      for (const migration of todo) {
        for (const statement of statementsOf(migration)) {
          failpoint('migrate')
          await client.query(inPostgres(statement))
        }
        await client.query('DELETE FROM cairn_format')
        await client.query('INSERT INTO cairn_format VALUES ($1)', [migration.number])
      }
      await client.query('COMMIT')
    })
  }
}

/** Two groups that remember the same request ids in different orders would wait for each other for ever. */
function byKey(rows: readonly object[]): readonly object[] {
  return [...rows].sort((a, b) => (requests.place(a as never) < requests.place(b as never) ? -1 : 1))
}

/** Whole numbers are 64 bits and text sorts by code point, as in SQLite. */
function inPostgres(statement: string): string {
  return statement.replace(/\bINTEGER\b/g, 'BIGINT').replace(/\bTEXT\b/g, 'TEXT COLLATE "C"')
}

/** int8 comes as text unless it is told otherwise; ours never leave the range that is exact. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** Waits for all that was sent, then fails with the first failure: none may be left behind unheard. */
async function settled(sent: readonly Promise<pg.QueryResult>[]): Promise<pg.QueryResult[]> {
  const results = await Promise.allSettled(sent)
  const failed = results.find((result) => result.status === 'rejected' && !isAftermath(result.reason))
  const any = failed ?? results.find((result) => result.status === 'rejected')
  if (any?.status === 'rejected') throw any.reason
  return results.map((result) => (result as PromiseFulfilledResult<pg.QueryResult>).value)
}

/** 25P02: an earlier statement of the transaction failed; that one tells why. */
function isAftermath(error: unknown): boolean {
  return (error as { code?: string }).code === '25P02'
}
