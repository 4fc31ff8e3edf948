import type { Event } from './event.ts'
import { headAt, newHead } from './head.ts'
import type { Rows } from './rows.ts'
import { streams } from './tables.ts'

/** What one fact does to the rows of one part. */
type Evolving<Type extends string> = (rows: Rows, event: Extract<Event, { type: Type }>) => void

/** What each fact of a part does to its rows; a fact without an entry does not compile. */
export type EvolvingOf<Fact extends { type: string }> = { readonly [Type in Fact['type']]: Evolving<Type> }

/** By the type of an event: what the parts do with it. Several parts may evolve one fact, each its own rows. */
export type Evolve = ReadonlyMap<string, readonly ((rows: Rows, event: Event) => void)[]>

/**
 * Brings the views up to date with one event. It is the only way a view changes: while an event is recorded and when a
 * root is rebuilt from its log.
 */
export function evolve(parts: Evolve, rows: Rows, event: Event): void {
  moveHeads(rows, event)
  const evolving = parts.get(event.type)
  if (evolving === undefined) throw new Error(`no part knows events of the type ${event.type}`)
  for (const apply of evolving) apply(rows, event)
}

/** The heads of the root and of the stream. An event without a body moves nothing else. */
export function moveHeads(rows: Rows, event: Pick<Event, 'root' | 'seq' | 'hash' | 'stream' | 'version' | 'at'>): void {
  rows.setHead(headAt(rows.head() ?? newHead(rows.root, rows.id), event.seq, event.hash))
  const stream = rows.get(streams, event.stream)
  rows.put(streams, {
    root: event.root,
    stream: event.stream,
    version: event.version,
    created_at: stream?.created_at ?? event.at,
    updated_at: event.at,
    floor: stream?.floor ?? 0,
    base: stream?.base ?? 0,
    items: stream?.items ?? 0,
    bytes: stream?.bytes ?? 0,
  })
}
