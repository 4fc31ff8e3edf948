import type { FeedEvent } from './event.ts'
import { type Refusal, refuse } from './refusal.ts'

/** Which events a reader wants; all of them unless said. */
export interface FeedFilter {
  readonly session_no?: number | undefined
  readonly stream?: string | undefined
  /** One type of events, or several: as a list, or with commas between them. One that is not known is refused. */
  readonly type?: string | readonly string[] | undefined
  /** Of keys that begin like this; what is about no single key is wanted too. */
  readonly prefix?: string | undefined
  /** Ends the feed. */
  readonly signal?: AbortSignal | undefined
}

export interface FollowOptions extends FeedFilter {
  /** The last sequence that was seen; 0 for all of the past. */
  readonly since?: number | undefined
}

export interface FollowAllOptions extends FeedFilter {
  /** The last sequence that was seen of each root that is known. */
  readonly since?: Readonly<Record<string, number>> | undefined
}

type Marks = Pick<FeedEvent, 'session_no' | 'stream' | 'type' | 'key'>

/** A filter whose types have been taken apart. */
export type Sieve = Omit<FeedFilter, 'type'> & { readonly type?: readonly string[] | undefined }

/** The types that are meant, where any are given. */
export function typesIn(given: string | readonly string[]): string[] {
  return [given].flat().flatMap((each) => each.split(',').map((type) => type.trim()))
}

/** Whoever waits for what cannot come would wait for ever. */
export function checkTypes(types: readonly string[], known: readonly string[]): Refusal | undefined {
  const unknown = types.find((type) => !known.includes(type))
  if (unknown === undefined) return undefined
  const message = `Unknown event type ${JSON.stringify(unknown.slice(0, 64))}.`
  return refuse('invalid_input', message, `Allowed types: ${known.join(', ')}.`, {
    path: 'type',
    known: [...known],
  })
}

/** The filter to sift events with, or why it cannot be. */
export function sieveOf<Filter extends FeedFilter>(
  filter: Filter,
  known: readonly string[],
): (Omit<Filter, 'type'> & Sieve) | Refusal {
  const { type, ...rest } = filter
  if (type === undefined) return rest
  const types = typesIn(type)
  return checkTypes(types, known) ?? { ...rest, type: types }
}

export function isWanted(event: Marks, { session_no, stream, type, prefix }: Sieve): boolean {
  return (
    (session_no === undefined || event.session_no === session_no) &&
    (stream === undefined || event.stream === stream) &&
    (type === undefined || type.includes(event.type)) &&
    (prefix === undefined || event.key === null || event.key.startsWith(prefix))
  )
}
