import type { FeedEvent } from './event.ts'

/** Which events a reader wants; all of them unless said. */
export interface FeedFilter {
  readonly session_no?: number | undefined
  readonly stream?: string | undefined
  readonly type?: string | undefined
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

export function isWanted(event: Marks, { session_no, stream, type, prefix }: FeedFilter): boolean {
  return (
    (session_no === undefined || event.session_no === session_no) &&
    (stream === undefined || event.stream === stream) &&
    (type === undefined || event.type === type) &&
    (prefix === undefined || event.key === null || event.key.startsWith(prefix))
  )
}
