import type { Load } from '../../domain/log/questions.ts'
import { rowVersion } from '../../domain/log/row-past.ts'
import type { FirstRef, PastRef, RangeRef, Ref, RowsWithPast } from '../../domain/log/rows.ts'
import { type AnyTable, placeOf, type RootRow, roots, rowVersions, type Table } from '../../domain/log/tables.ts'
import { isPlanted } from '../../failpoint.ts'
import type { RowsWritten } from '../../store/engine.ts'
import { diskBytesOf } from '../disk-space.ts'
import { Firsts } from './firsts.ts'
import { Missing } from './missing.ts'
import { nameOfPast, nameOfRange } from './ref-names.ts'
import { type Loaded, newLoaded, type Slot, type Undo } from './slots.ts'

/** More remembered rows than this are forgotten: memory is for the rows in use, not for a copy of the store. */
const rememberedMax = 20_000
/** …and so are values beyond so many characters in all. */
const rememberedCharsMax = 4 * 1024 * 1024

/**
 * The rows of one root, as the operations of a group see and change them. What the store has is loaded when it is named;
 * what changed is written at the end. Between groups the rows stay: as long as the head of the root has not moved, no
 * other process changed any of them.
 */
export class Overlay implements RowsWithPast {
  readonly root: number
  readonly id: string
  readonly #heads: Loaded = newLoaded(roots)
  readonly #head: Slot
  /** Where the log ended before this group. */
  #seqBefore: number
  readonly #tables = new Map<string, Loaded>()
  /** The tables of which rows were touched in this group. */
  #touched: Loaded[] = []
  /** Tables whose rows are not remembered when the group is over. */
  #passing: Loaded[] = []
  readonly #complete = new Set<string>()
  /** What the store answered about the past, for as long as a group runs. */
  readonly #past = new Map<string, readonly object[]>()
  /** The ranges that this group has asked for. */
  readonly #ranges = new Set<string>()
  readonly #firsts = new Firsts()
  lastMade: RowsWithPast['lastMade']
  #undo: Undo[] = []
  #rows = 0
  #chars = 0
  #written = 0
  #counted = 0

  constructor(root: number, id: string, head: RootRow | undefined) {
    this.root = root
    this.id = id
    this.#tables.set(roots.name, this.#heads)
    this.#head = this.#slotAt(this.#heads, '')
    this.#head.row = head ?? null
    this.#seqBefore = head?.seq ?? 0
  }

  head(): RootRow | undefined {
    return (this.#head.row ?? undefined) as RootRow | undefined
  }

  setHead(head: RootRow): void {
    this.put(roots, head)
  }

  get<Row extends object>(table: Table<Row>, ...key: (string | number)[]): Row | undefined {
    const place = placeOf(key)
    return (this.#loaded(table).slots.get(place)?.row ?? undefined) as Row | undefined
  }

  all<Row extends object>(table: Table<Row>): Row[] {
    const found: Row[] = []
    for (const { row } of this.#loaded(table).slots.values()) if (row) found.push(row as Row)
    return found
  }

  put<Row extends object>(table: Table<Row>, row: Row): void {
    const loaded = this.#loaded(table)
    const slot = this.#slotAt(loaded, table.place(row))
    if (table.counted !== undefined) this.#count(table, slot, row)
    this.#undo.push({ slot, row: slot.row, changed: slot.changed })
    slot.row = row
    slot.changed = true
    if (!slot.touched) this.#touch(loaded, slot)
    if (table.weight !== undefined) this.#weigh(table.weight(row))
    if (table.past && !isPlanted('skip-past'))
      this.put(rowVersions, rowVersion(table, this.root, this.head()?.seq ?? 0, row))
  }

  /** A row that one event puts twice is written once. */
  #count(table: AnyTable, { row: before, changed }: Slot, row: object): void {
    this.#counted += diskBytesOf(table, row) - (changed && before ? diskBytesOf(table, before) : 0)
  }

  /** What all rows that were ever put count against the disk space of the root, those that were taken back too. */
  get counted(): number {
    return this.#counted
  }

  #weigh(chars: number): void {
    this.#chars += chars
    this.#written += chars
  }

  /** Characters of all rows that were ever put, those that were replaced or taken back too: the work there was. */
  get written(): number {
    return this.#written
  }

  #touch(loaded: Loaded, slot: Slot): void {
    slot.touched = true
    if (loaded.touched.length === 0) this.#touched.push(loaded)
    loaded.touched.push(slot)
  }

  missing(refs: readonly Ref[]): Ref[] {
    const missing: Ref[] = []
    for (const ref of refs) if (!this.#has(ref)) missing.push(ref)
    return missing
  }

  #has(ref: Ref): boolean {
    if ('past' in ref) return this.#hasPast(ref)
    if ('key' in ref) return this.#knows(ref.table, ref.key)
    if ('first' in ref) return this.#first(ref) !== undefined
    return (
      this.#complete.has(ref.table.name) || this.#complete.has(nameOfRange(ref)) || this.#ranges.has(nameOfRange(ref))
    )
  }

  /** Rows that must be there and are not stay missing. */
  #hasPast(ref: PastRef): boolean {
    const found = this.#past.get(nameOfPast(ref))
    return found !== undefined && (ref.rowsOf === undefined || found.length > 0)
  }

  past<Row extends object>(ref: PastRef<Row>): readonly Row[] {
    const found = this.#past.get(nameOfPast(ref))
    if (found === undefined) throw new Error(`${ref.past.name} ${ref.with.join()} was not loaded`)
    return found as readonly Row[]
  }

  first<Row extends object>(ref: FirstRef<Row>): Row | undefined {
    const found = this.#first<Row>(ref as FirstRef)
    if (found === undefined) throw new Missing([ref as FirstRef])
    return found ?? undefined
  }

  mustKnow(refs: readonly Ref[]): void {
    const missing = this.missing(refs)
    if (missing.length > 0) throw new Missing(missing)
  }

  #first<Row extends object>(ref: FirstRef): Row | null | undefined {
    const { slots, touched } = this.#loaded(ref.table)
    const changed = touched.map(({ row }) => row as Row | null | undefined)
    return this.#firsts.find<Row>(ref, changed, (place) => (slots.get(place)?.row ?? undefined) as Row | undefined)
  }

  #knows(table: AnyTable, key: readonly (string | number)[]): boolean {
    return this.#loaded(table).slots.get(placeOf(key))?.row !== undefined || this.#complete.has(table.name)
  }

  /** How a missing row is asked for. */
  loading(ref: Ref): Load {
    if ('past' in ref) return { ask: ref.past, with: [this.root, ...ref.with] }
    if ('range' in ref) return { table: ref.table, root: this.root, range: ref.range }
    if ('first' in ref) return { table: ref.table, root: this.root, range: { ...ref.first, most: this.#firstsOf(ref) } }
    return { table: ref.table, key: ref.table.ofRoot ? [this.root, ...ref.key] : ref.key }
  }

  #firstsOf({ table }: FirstRef): number {
    return Firsts.size(this.#loaded(table).touched.length)
  }

  /** Takes in what the store answered. What is already here is newer: it was changed by this group. */
  take(ref: Ref, found: readonly object[]): void {
    if ('key' in ref) this.learn(ref.table, placeOf(ref.key), found[0])
    else if ('past' in ref) {
      this.#past.set(nameOfPast(ref), found)
      if (ref.rowsOf !== undefined) this.#learnAll(ref.rowsOf, found)
    } else if ('first' in ref) {
      this.#learnAll(ref.table, found)
      this.#firsts.take(ref, this.#firstsOf(ref), found)
    } else {
      this.#learnAll(ref.table, found)
      this.#know(ref)
    }
  }

  /**
   * All rows, or all that begin alike, stay known while the head stands: keys are never taken away. A range by another column does
   * not: rows may move into it.
   */
  #know(ref: RangeRef): void {
    const { column } = ref.range
    if (column === undefined) this.#complete.add(ref.table.name)
    else if (column === ref.table.key[0] && ref.table.view) this.#complete.add(nameOfRange(ref))
    else this.#ranges.add(nameOfRange(ref))
  }

  #learnAll(table: AnyTable, found: readonly object[]): void {
    for (const row of found) this.learn(table, table.place(row), row)
  }

  learn(table: AnyTable, place: string, row: object | undefined): void {
    const slot = this.#slotAt(this.#loaded(table), place)
    if (slot.row !== undefined) return
    slot.row = row ?? null
    if (row !== undefined && table.weight !== undefined) this.#chars += table.weight(row)
  }

  /** A point to go back to when the operation that follows is refused or throws. */
  mark(): number {
    return this.#undo.length
  }

  backTo(mark: number): void {
    while (this.#undo.length > mark) {
      const { slot, row, changed } = this.#undo.pop() as Undo
      slot.row = row
      slot.changed = changed
    }
  }

  changes(): RowsWritten[] {
    const found: RowsWritten[] = []
    for (const { table, touched } of this.#touched) {
      const rows: object[] = []
      for (const { changed, row } of touched) if (changed) rows.push(row as object)
      if (rows.length > 0) found.push({ table, rows })
    }
    return found
  }

  /** The group was committed: what changed is what the store has. Says whether the log has moved. */
  settle(): boolean {
    const hasMoved = this.#moved()
    this.lastMade = undefined
    this.#undo = []
    for (const loaded of this.#touched) {
      for (const slot of loaded.touched) {
        slot.changed = false
        slot.touched = false
      }
      loaded.touched = []
    }
    this.#touched = []
    if (this.#past.size > 0) this.#past.clear()
    if (this.#ranges.size > 0) this.#ranges.clear()
    this.#firsts.clear()
    for (const loaded of this.#passing) {
      this.#rows -= loaded.slots.size
      loaded.slots = new Map()
    }
    if (this.#rows > rememberedMax || this.#chars > rememberedCharsMax) this.#forgetAll()
    return hasMoved
  }

  /** A head may also have been written for a request that was answered without an event. */
  #moved(): boolean {
    const { seq = 0 } = this.head() ?? {}
    const hasMoved = this.#head.changed && seq !== this.#seqBefore
    this.#seqBefore = seq
    return hasMoved
  }

  #forgetAll(): void {
    this.#tables.clear()
    this.#tables.set(roots.name, this.#heads)
    this.#passing = []
    this.#complete.clear()
    this.#rows = 1
    this.#chars = 0
  }

  #loaded<Row extends object>(table: Table<Row>): Loaded {
    const known = this.#tables.get(table.name)
    if (known !== undefined) return known
    const loaded = newLoaded(table)
    this.#tables.set(table.name, loaded)
    // Past versions are rarely asked for again, and there are many; plain rows change without the head moving.
    if (!table.view || table.appendOnly) this.#passing.push(loaded)
    return loaded
  }

  #slotAt({ slots }: Loaded, place: string): Slot {
    const known = slots.get(place)
    if (known !== undefined) return known
    const slot: Slot = { row: undefined, changed: false, touched: false }
    slots.set(place, slot)
    this.#rows += 1
    return slot
  }
}
