// The stores that every suite runs over: `for (const store of STORES) describe(`… on ${store.name}`, …)`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest'
import { type Cairn, type OpenOptions, openCairn, openLog } from '../../src/open.ts'
import { freshDatabase } from './postgres-server.ts'
import { engineOf } from './store-engine.ts'
import { expectNone, Verifier } from './verifying.ts'

export type OpenedLog = Awaited<ReturnType<typeof openLog>>

/** One store of its own, empty at first. */
export interface TestStore {
  readonly kind: 'SQLite' | 'Postgres'
  /** The data folder; for SQLite the store is `cairn.db` in it. */
  readonly home: string
  /** With these another process opens the same store: `openCairn(store.options)`. */
  readonly options: { readonly home: string; readonly store?: string }
  open(options?: OpenOptions): Promise<Cairn>
  openLog(options?: OpenOptions): Promise<OpenedLog>
  /** Closes everything that was opened here, then opens anew: nothing is left of what was in memory. */
  reopen(options?: OpenOptions): Promise<Cairn>
  /**
   * A statement past the program, for looking underneath and for damaging. Parameters are `$1`, `$2` …, bytes are written `x'0f'`
   * and given as their hex digits.
   */
  sql(text: string, ...parameters: (string | number | null)[]): Promise<Record<string, unknown>[]>
  /** A new root, made through a library that stays open: opening one takes longer than most tests. */
  createRoot(): Promise<string>
  /** Fails unless the hash chain of every root holds and its views are what a replay gives. */
  verify(): Promise<void>
  /** Closes what was opened here; the store stays. */
  close(): Promise<void>
  remove(): Promise<void>
}

export interface StoreKind {
  readonly name: 'SQLite' | 'Postgres'
  /** An empty store that nobody has opened. */
  make(): Promise<TestStore>
  /** The same, whose tables are there already: to make them in Postgres takes longer than most tests. */
  makeReady(): Promise<TestStore>
}

const makeSqlite = async () => storeIn('SQLite', newHome(), undefined, besideSqlite, async () => {})

async function makePostgres(like?: string): Promise<TestStore> {
  const { url, drop } = await freshDatabase(inject('postgres'), like)
  return storeIn('Postgres', newHome(), url, besidePostgres(url), drop)
}

export const STORES: readonly StoreKind[] = [
  { name: 'SQLite', make: makeSqlite, makeReady: makeSqlite },
  { name: 'Postgres', make: () => makePostgres(), makeReady: () => makePostgres(inject('ready')) },
]

type Parameters = (string | number | null)[]

/** A way to the database beside the program's. */
interface Beside {
  sql(store: TestStore, text: string, parameters: Parameters): Promise<object[]>
  close(): Promise<void>
}

function newHome(): string {
  return join(mkdtempSync(join(tmpdir(), 'cairn-test-')), 'home')
}

function storeIn(
  kind: TestStore['kind'],
  home: string,
  url: string | undefined,
  beside: Beside,
  drop: () => Promise<void>,
): TestStore {
  const options = url === undefined ? { home } : { home, store: url }
  const opened = new Set<{ close(): Promise<void> }>()
  let maker: Cairn | undefined
  const store: TestStore = {
    kind,
    home,
    options,
    async open(given) {
      const cairn = await openCairn({ ...options, ...given })
      opened.add(cairn)
      return cairn
    },
    async openLog(given) {
      const one = await openLog({ ...options, ...given })
      opened.add(one.log)
      return one
    },
    async reopen(given) {
      await store.close()
      return store.open(given)
    },
    async sql(text, ...parameters) {
      return (await beside.sql(store, byNumber(text, parameters), parameters)).map(inHex)
    },
    async createRoot() {
      maker ??= await openCairn(options)
      return (await maker.session.create({ topic: 'a test' })).session_id
    },
    async verify() {
      const { log } = await openLog(options)
      expectNone(await log.verify().finally(() => log.close()))
    },
    async close() {
      const all = [...opened]
      opened.clear()
      await Promise.all([beside.close(), ...all.map((each) => each.close())])
    },
    async remove() {
      await store.close()
      await maker?.close()
      await drop()
      rmSync(join(home, '..'), { recursive: true, force: true })
    },
  }
  return store
}

/** Tests name a root by its id; its rows have its number. */
function byNumber(text: string, parameters: readonly unknown[]): string {
  return text.replace(/((?:\b\w+\.)?\broot) (=|<>) \$(\d+)/g, (given, column, is, at) =>
    typeof parameters[at - 1] === 'string' ? `${column} ${is} (SELECT root FROM roots WHERE id = $${at})` : given,
  )
}

function inHex(row: object): Record<string, unknown> {
  const shown = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, shown(value)]))
}

/** Opened for each statement: a connection that stays would hold the file. */
const besideSqlite: Beside = {
  async sql(store, text, parameters) {
    const db = new DatabaseSync(join(store.home, 'cairn.db'), { timeout: 5000 })
    try {
      return db.prepare(text.replace(/\$(\d+)/g, '?$1')).all(...parameters) as object[]
    } finally {
      db.close()
    }
  },
  async close() {},
}

function besidePostgres(url: string): Beside {
  let client: pg.Client | undefined
  return {
    async sql(_store, text, parameters) {
      if (client === undefined) {
        client = new pg.Client({ connectionString: url })
        await client.connect()
      }
      return (await client.query(text.replace(/(?<= )x'/g, `bytea '\\x`), parameters)).rows as object[]
    },
    async close() {
      await client?.end()
      client = undefined
    },
  }
}

/** One store for the tests of a `describe`, each in roots of its own: what a test wrote is verified after it, all at the end. */
export function sharedStore(kind: StoreKind): () => TestStore {
  let store: TestStore | undefined
  let verifier: Verifier | undefined
  beforeAll(async () => {
    store = await kind.makeReady()
    verifier = new Verifier(await engineOf(store))
  })
  afterEach(async () => {
    await store?.close()
    expectNone((await verifier?.moved()) ?? [])
  })
  afterAll(async () => {
    try {
      expectNone((await verifier?.all()) ?? [])
    } finally {
      await verifier?.close()
      await store?.remove()
    }
  })
  return () => made(store)
}

/** An empty store for each test, verified at its end unless the test damaged it on purpose; one without tables is `unmade`. */
export function freshStore(kind: StoreKind, options: { damaged?: boolean; unmade?: boolean } = {}): () => TestStore {
  let store: TestStore | undefined
  beforeEach(async () => {
    store = await (options.unmade ? kind.make() : kind.makeReady())
  })
  afterEach(async () => {
    try {
      await store?.close()
      if (!options.damaged) await store?.verify()
    } finally {
      await store?.remove()
    }
  })
  return () => made(store)
}

function made(store: TestStore | undefined): TestStore {
  if (store === undefined) throw new Error('a store is there only while a test runs')
  return store
}
