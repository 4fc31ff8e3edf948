import type { Ref, Rows } from '../domain/rows.ts'
import {
  type KeyRow,
  type RootRow,
  roots,
  type SessionRow,
  sessions,
  stateKeys,
  stateVersions,
  type Table,
  type VersionRow,
} from '../domain/tables.ts'
import type { Changes, Load } from '../store/engine.ts'

/** More remembered rows than this are forgotten: memory is for the rows in use, not for a copy of the store. */
const rememberedMax = 20_000
/** …and so are values beyond so many characters in all. */
const rememberedCharsMax = 4 * 1024 * 1024

/** The rows of one table in memory: `null` is a row that is known not to exist. */
interface Loaded {
  readonly table: Table<never>
  readonly rows: Map<string, object | null>
  readonly changed: Map<string, object>
}

type Undo = () => void

/**
 * The rows of one root, as the operations of a group see and change them. What the store has is loaded when it is named;
 * what changed is written at the end. Between groups the rows stay: as long as the head of the root has not moved, no
 * other process changed any of them.
 */
export class Overlay implements Rows {
  readonly root: string
  readonly #tables = new Map<string, Loaded>()
  readonly #complete = new Set<string>()
  #undo: Undo[] = []
  #chars = 0

  constructor(root: string, head: RootRow | undefined) {
    this.root = root
    this.learn(roots, '', head)
  }

  head(): RootRow | undefined {
    return this.get(roots)
  }

  setHead(head: RootRow): void {
    this.put(roots, head)
  }

  get<Row extends object>(table: Table<Row>, ...key: (string | number)[]): Row | undefined {
    const place = key.length === 1 ? String(key[0]) : key.join('\0')
    return (this.#loaded(table).rows.get(place) ?? undefined) as Row | undefined
  }

  all<Row extends object>(table: Table<Row>): Row[] {
    return [...this.#loaded(table).rows.values()].filter((row) => row !== null) as Row[]
  }

  put<Row extends object>(table: Table<Row>, row: Row): void {
    const place = table.place(row)
    const { rows, changed } = this.#loaded(table)
    const before = rows.get(place)
    const changedBefore = changed.get(place)
    this.#undo.push(() => {
      if (before === undefined) rows.delete(place)
      else rows.set(place, before)
      if (changedBefore === undefined) changed.delete(place)
      else changed.set(place, changedBefore)
    })
    rows.set(place, row)
    changed.set(place, row)
    this.#count(row)
  }

  missing(refs: readonly Ref[]): Ref[] {
    return refs.filter((ref) => {
      if ('table' in ref) return !this.#knows(ref.table, ref.key)
      if ('allKeys' in ref) return !this.#complete.has(stateKeys.name)
      if ('allSessions' in ref) return !this.#complete.has(sessions.name)
      return this.get(stateVersions, ref.chain, ref.from) === undefined
    })
  }

  #knows(table: Table<never>, key: readonly (string | number)[]): boolean {
    return this.#complete.has(table.name) || this.#loaded(table).rows.has(key.join('\0'))
  }

  /** How a missing row is asked for. */
  loading(ref: Ref): Load {
    if ('table' in ref) return { table: ref.table, key: ref.table.ofRoot ? [this.root, ...ref.key] : ref.key }
    if ('allKeys' in ref) return { ask: 'keys_of_root', with: [this.root] }
    if ('allSessions' in ref) return { ask: 'sessions_of_root', with: [this.root] }
    return { ask: 'chain', with: [this.root, ref.chain, ref.from, ref.above] }
  }

  /** Takes in what the store answered. What is already here is newer: it was changed by this group. */
  take(ref: Ref, found: readonly object[]): void {
    if ('table' in ref) this.learn(ref.table as unknown as Table<object>, ref.key.join('\0'), found[0])
    else if ('allKeys' in ref) this.#learnAll(stateKeys, found as KeyRow[])
    else if ('allSessions' in ref) this.#learnAll(sessions, found as SessionRow[])
    else for (const row of found as VersionRow[]) this.learn(stateVersions, stateVersions.place(row), row)
  }

  #learnAll<Row extends object>(table: Table<Row>, found: readonly Row[]): void {
    for (const row of found) this.learn(table, table.place(row), row)
    this.#complete.add(table.name)
  }

  learn<Row extends object>(table: Table<Row>, place: string, row: Row | undefined): void {
    const { rows } = this.#loaded(table)
    if (rows.has(place)) return
    rows.set(place, row ?? null)
    if (row !== undefined) this.#count(row)
  }

  #count(row: object): void {
    const { value } = row as Partial<KeyRow>
    if (typeof value === 'string') this.#chars += value.length
  }

  /** A point to go back to when the operation that follows is refused or throws. */
  mark(): number {
    return this.#undo.length
  }

  backTo(mark: number): void {
    for (const undo of this.#undo.splice(mark).reverse()) undo()
  }

  changes(): Changes[] {
    const found: Changes[] = []
    for (const { table, changed } of this.#tables.values()) {
      if (changed.size > 0) found.push({ table, rows: [...changed.values()] })
    }
    return found
  }

  /** The group was committed: what changed is what the store has. */
  settle(): void {
    this.#undo = []
    for (const { changed } of this.#tables.values()) changed.clear()
    this.#tables.delete(stateVersions.name)
    if (!this.#fits()) this.#forget()
  }

  #fits(): boolean {
    let rows = 0
    for (const loaded of this.#tables.values()) rows += loaded.rows.size
    return rows <= rememberedMax && this.#chars <= rememberedCharsMax
  }

  #forget(): void {
    const head = this.head()
    this.#tables.clear()
    this.#complete.clear()
    this.#chars = 0
    this.learn(roots, '', head)
  }

  #loaded<Row extends object>(table: Table<Row>): Loaded {
    let loaded = this.#tables.get(table.name)
    if (loaded === undefined) {
      loaded = { table: table as unknown as Table<never>, rows: new Map(), changed: new Map() }
      this.#tables.set(table.name, loaded)
    }
    return loaded
  }
}
