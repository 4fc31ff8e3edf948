// The limit: the rows that an increment would write in a straightforward layout, through the raw driver, with nothing of src/ in between.
// Statements are prepared once and numbered (`?1`), which this driver binds at half the cost of names.
import { readFileSync } from 'node:fs'
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite'

interface Head {
  seq: number
  bytes: number
}

interface Key {
  version: number
  bytes: number
  created_at: number
  value: string
}

/** As long as the real ones. */
export const bareRoot = `sess_${'0'.repeat(32)}`
const hash = 'f'.repeat(64)
const delta = '{"delta":1}'
const keyColumns =
  'root, key, version, seq, type, partial, deltas, items, bytes, created_at, updated_at, updated_by, traits, value'

/** The straightforward tables, statement by statement. */
export function tableStatements(): string[] {
  const text = readFileSync('bench/bare.sql', 'utf8').replace(/^--.*$/gm, '')
  const statements = text.split(';').map((statement) => statement.trim())
  return statements.filter((statement) => statement !== '')
}

function connect(path: string): DatabaseSyncInstance {
  const db = new DatabaseSync(path, { timeout: 0 })
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000')
  db.exec('PRAGMA temp_store = MEMORY; PRAGMA busy_timeout = 0')
  return db
}

function prepareAll(db: DatabaseSyncInstance) {
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    head: db.prepare(
      'SELECT root, seq, hash, sessions, keys, bytes, generation, origin, origin_seq FROM roots WHERE root = ?1',
    ),
    key: db.prepare(`SELECT ${keyColumns} FROM state_keys WHERE root = ?1 AND key = ?2`),
    request: db.prepare('SELECT caller, id, root, fingerprint, answer, at FROM requests WHERE caller = ?1 AND id = ?2'),
    addEvent: db.prepare(`INSERT INTO events (root, seq, id, session_no, stream, version, key, type, data, actor, at,
      request, cause, hash, digest) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)`),
    addVersion:
      db.prepare(`INSERT INTO state_versions (root, key, seq, version, kind, prior, at, session_no, traits, body)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`),
    addRequest: db.prepare(`INSERT INTO requests (caller, id, root, fingerprint, answer, at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)`),
    putKey: db.prepare(`INSERT INTO state_keys (${keyColumns})
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
      ON CONFLICT (root, key) DO UPDATE SET version = excluded.version, seq = excluded.seq, type = excluded.type,
        partial = excluded.partial, deltas = excluded.deltas, items = excluded.items, bytes = excluded.bytes,
        created_at = excluded.created_at, updated_at = excluded.updated_at, updated_by = excluded.updated_by,
        traits = excluded.traits, value = excluded.value`),
    putStream: db.prepare('UPDATE streams SET version = ?2, updated_at = ?3 WHERE root = ?1 AND stream = ?4'),
    putHead: db.prepare('UPDATE roots SET seq = ?2, hash = ?3, keys = ?4, bytes = ?5 WHERE root = ?1'),
  } satisfies Record<string, StatementSyncInstance>
}

export class Bare {
  readonly #db: DatabaseSyncInstance
  readonly #run: ReturnType<typeof prepareAll>
  #ids = 0

  private constructor(db: DatabaseSyncInstance) {
    this.#db = db
    this.#run = prepareAll(db)
  }

  /** A new store with one root in it. */
  static create(path: string): Bare {
    const db = connect(path)
    for (const statement of tableStatements()) {
      db.exec(statement.startsWith('CREATE TABLE') ? `${statement} STRICT` : statement)
    }
    const at = Date.now()
    db.prepare(`INSERT INTO roots (root, seq, hash, sessions, keys, bytes, generation)
      VALUES (?1, 1, ?2, 1, 0, 0, 0)`).run(bareRoot, hash)
    db.prepare(`INSERT INTO streams (root, stream, version, created_at, updated_at)
      VALUES (?1, 'state', 0, ?2, ?2)`).run(bareRoot, at)
    return new Bare(db)
  }

  /** A store that is there already. */
  static open(path: string): Bare {
    return new Bare(connect(path))
  }

  /** One transaction with one increment of each key; the head and the stream are read and written once. */
  increment(keys: readonly string[], remembering = false): void {
    const run = this.#run
    run.begin.run()
    const head = run.head.get(bareRoot) as unknown as Head
    const at = Date.now()
    let { seq, bytes } = head
    for (const key of keys) {
      seq += 1
      const id = this.#newId()
      if (remembering) run.request.get('owner', id)
      const row = run.key.get(bareRoot, key) as unknown as Key | undefined
      const value = String(Number(row?.value ?? 0) + 1)
      const version = (row?.version ?? 0) + 1
      const made = row?.created_at ?? at
      const request = remembering ? id : null
      run.addEvent.run(
        bareRoot,
        seq,
        id,
        0,
        'state',
        seq - 1,
        key,
        'increment',
        delta,
        'library',
        at,
        request,
        null,
        hash,
        null,
      )
      run.addVersion.run(bareRoot, key, seq, version, 'whole', 0, at, 0, null, value)
      run.putKey.run(bareRoot, key, version, seq, 'number', 0, 0, null, value.length, made, at, 0, null, value)
      if (remembering)
        run.addRequest.run('owner', id, bareRoot, hash, `{"key":"${key}","value":${value},"version":${version}}`, at)
      bytes += value.length - (row?.bytes ?? 0)
    }
    run.putStream.run(bareRoot, seq - 1, at, 'state')
    run.putHead.run(bareRoot, seq, hash, keys.length, bytes)
    run.commit.run()
  }

  read(key: string): unknown {
    return this.#run.key.get(bareRoot, key)
  }

  sqliteVersion(): string {
    return (this.#db.prepare('SELECT sqlite_version() AS version').get() as { version: string }).version
  }

  close(): void {
    this.#db.close()
  }

  #newId(): string {
    this.#ids += 1
    return String(this.#ids).padStart(32, '0')
  }
}
