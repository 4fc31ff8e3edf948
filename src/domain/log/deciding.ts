import type { Fence } from '../leases/fence.ts'
import type { SessionRow } from '../sessions/tables.ts'
import type { Draft, Event } from './event.ts'
import type { LeaseTime } from './lease-time.ts'
import type { Limits } from './limits.ts'
import type { RowsWithPast } from './rows.ts'
import type { Table } from './tables.ts'

/** What a decision stands on. It is pure: the same rows and input always record the same facts. */
export interface Deciding {
  readonly rows: RowsWithPast
  /** The number of the session that acts. */
  readonly no: number
  /** Who acts, once that was looked at. Undefined only while the root itself is being made. */
  session: SessionRow | undefined
  /** The root is made by this very change. */
  readonly makesRoot: boolean
  /** The session that the token of an agent is bound to; undefined for those who own the store. */
  readonly agent: number | undefined
  /** The leases under which it is done: all of them must be held. */
  readonly fences: readonly Fence[]
  readonly limits: Limits
  /** What looks like a secret is meant. */
  readonly allowsSecret: boolean
  readonly at: number
  /** How many events tell what had happened by itself and was found only now: they come before those of the decision. */
  readonly lapsed: number
  /** The time that leases run by: one clock for all processes of a store, whatever their own clocks say. */
  readonly leaseTime: LeaseTime
  /** Characters of the rows that it has put so far: how much work it is. */
  written(): number
  /** A UUIDv7, for plain rows that are named by one. */
  newId(): string
  /** 128 random bits as hex: what nobody guesses. */
  newSecret(): string
  /** Appends an event and brings the rows up to date with it at once. A refusal after it takes it all back. */
  record(draft: Draft): Event
  /** Writes a plain row (one that is no view of the log) in the same transaction. */
  keep<Row extends object>(table: Table<Row>, row: Row): void
}
