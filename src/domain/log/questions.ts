import type { Range } from './rows.ts'
import type { Text } from './sql/text.ts'
import type { AnyTable, Table } from './tables.ts'

/**
 * What the store can be asked, and the rows that it answers. Each part has its own beside its tables (`questions.ts`); those about the
 * log are in `sql/about-log.ts`. There is no list of them: whoever has a question can ask it, of both engines.
 */
export interface Question<Row extends object = object> extends Asked<Row> {
  readonly name: string
}

interface Asked<Row extends object> {
  readonly text: Text
  /** Whether the answer stays the same whatever is written, as it is about places in the log that are behind it. */
  readonly isPast: boolean
  /** A row of the answer; never there. */
  readonly row?: Row
}

/** A question that a decision may ask too: others may be answered by what the group before it is just writing. */
export interface PastQuestion<Row extends object = object> extends Question<Row> {
  readonly isPast: true
}

export function question<Row extends object>(text: Text): Asked<Row> {
  return { text, isPast: false }
}

export function pastQuestion<Row extends object>(text: Text): Asked<Row> & { readonly isPast: true } {
  return { text, isPast: true }
}

/** Questions with the names that they are listed by. */
export function questions<List extends Readonly<Record<string, Asked<object>>>>(
  list: List,
): { readonly [Name in keyof List]: List[Name] & { readonly name: Name } } {
  return Object.fromEntries(Object.entries(list).map(([name, asked]) => [name, { name, ...asked }])) as never
}

export type Parameter = string | number | null | Uint8Array

/** What the store can be asked for: the answer to a question, a row by its whole key, or a range of the rows of a root. */
export type Load =
  | { readonly ask: Question; readonly with: readonly Parameter[] }
  | { readonly table: AnyTable; readonly key: readonly (string | number)[] }
  | { readonly table: AnyTable; readonly root: number; readonly range: Range }
  | { readonly orphansOf: AnyTable }
  | { readonly placesIn: AnyTable; readonly root: number }
  | { readonly bytesIn: AnyTable; readonly within?: Stretch | undefined }

/** A stretch of the rows that a root has itself. */
export interface Stretch {
  readonly root: number
  readonly after: number
  readonly upto: number
}

/** Asks the store one by one; whoever runs it decides whether that means waiting. */
export type Asking<Out> = Generator<Load, Out, readonly object[]>

/** What the store answers. Others may be given the same rows. */
export type Answers<Row extends object> = readonly Readonly<Row>[]

export function* ask<Row extends object>(question: Question<Row>, ...parameters: Parameter[]): Asking<Answers<Row>> {
  return (yield { ask: question, with: parameters }) as Answers<Row>
}

/** One row of a table by its whole key. */
export function* askRow<Row extends object>(
  table: Table<Row>,
  ...key: (string | number)[]
): Asking<Readonly<Row> | undefined> {
  return ((yield { table, key }) as readonly Row[])[0]
}

/** Rows of a root in one table, in the order of the table's key or of the column that the range is about. */
export function* askRows<Row extends object>(
  table: Table<Row>,
  root: number,
  range: Range = {},
): Asking<readonly Readonly<Row>[]> {
  return (yield { table, root, range }) as readonly Row[]
}

/** What the rows of a table count against the disk space of their roots; of a stretch, where one is given. */
export function* askBytes(table: AnyTable, within?: Stretch): Asking<readonly { root: number; bytes: number }[]> {
  return (yield { bytesIn: table, within }) as readonly { root: number; bytes: number }[]
}

/** In a table that finds rows of another by one of their columns (`indexedBy`): what it has of each value of that column. */
export function* askPlaces(index: AnyTable, root: number): Asking<readonly PlacesOf[]> {
  return (yield { placesIn: index, root }) as readonly PlacesOf[]
}

/** How many places there are for a value, and what their numbers add up to. */
export interface PlacesOf {
  readonly value: string
  readonly count: number
  readonly sum: number
}

/** The roots that a table has rows of, and that have no head. */
export function* askOrphans(table: AnyTable): Asking<readonly { readonly root: number }[]> {
  return (yield { orphansOf: table }) as readonly { root: number }[]
}
