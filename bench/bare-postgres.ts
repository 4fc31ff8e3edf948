// The limit of Postgres: one durable upsert for each operation, prepared, on connections of their own.
import pg from 'pg'
import { bareRoot, tableStatements } from './bare.ts'
import { rateOfCallers } from './measure.ts'

const upsert = `INSERT INTO state_keys
    (root, key, version, seq, type, partial, deltas, items, bytes, created_at, updated_at, updated_by, value)
  VALUES ($1, $2, 1, 1, 'number', 0, 0, NULL, 1, $3, $3, 0, '1')
  ON CONFLICT (root, key) DO UPDATE SET version = state_keys.version + 1, updated_at = excluded.updated_at`

export class BarePostgres {
  readonly #clients: readonly pg.Client[]

  private constructor(clients: readonly pg.Client[]) {
    this.#clients = clients
  }

  static async create(url: string, connections: number): Promise<BarePostgres> {
    const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }))
    await Promise.all(clients.map((client) => client.connect()))
    for (const statement of tableStatements()) {
      const text = statement.replace(/\bINTEGER\b/g, 'BIGINT').replace(/\bTEXT\b/g, 'TEXT COLLATE "C"')
      await clients[0]?.query(text)
    }
    return new BarePostgres(clients)
  }

  /** Every connection goes round through keys of its own, so that none waits for the row of another. */
  rate(ms: number, keys: number): Promise<number> {
    let turn = 0
    return rateOfCallers(ms, this.#clients.length, (caller) => {
      const key = `counter-${100 + ((turn++ * this.#clients.length + caller) % keys)}`
      const query = { name: 'upsert', text: upsert, values: [bareRoot, key, Date.now()] }
      return (this.#clients[caller] as pg.Client).query(query)
    })
  }

  async version(): Promise<string> {
    const { rows } = await (this.#clients[0] as pg.Client).query('SHOW server_version')
    return rows[0].server_version
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.end()))
  }
}
