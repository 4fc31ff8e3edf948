import type { FeedEvent } from '../../../src/domain/log/event.ts'
import type { Json } from '../../../src/json/value.ts'
import { elapsed } from '../../../src/web-clock.ts'
import { cairn, failureOf } from './calls.ts'
import type { KeyMessage } from './feed.ts'

/** One key as the table shows it. A large value is read when it is looked at. */
export interface KeyShown {
  readonly key: string
  readonly value?: Json
  readonly bytes?: number
  readonly omitted?: true
  readonly version: number
  readonly updated_at: string
  readonly updated_by: string | null
  /** The event that made it so; what was read with all other keys does not say. */
  readonly seq?: number
  readonly expires_at?: string
  readonly ephemeral?: true
  /** When this page heard of it, by its own clock; what it read when it was opened has none. */
  readonly heard?: number
}

/** As the feed does it: what is larger comes only when it is asked for. */
export const shownBytesMax = 4096

export type Keys = ReadonlyMap<string, KeyShown>

interface KeyRead extends Omit<KeyShown, 'key' | 'omitted'> {
  readonly value_omitted?: true
}

/** All keys of a root, now or at a place of its log; none where it has no state yet. */
export async function readKeys(session: string, at?: number): Promise<{ keys: Map<string, KeyShown>; seq: number }> {
  const asked = { session, max_value_bytes: shownBytesMax, ...(at === undefined ? {} : { at }) }
  try {
    const read = await cairn.state.all(asked)
    const entries = Object.entries(read.keys as unknown as Record<string, KeyRead>)
    const keys = new Map(
      entries.map(([key, { value_omitted, ...rest }]) => [
        key,
        { ...rest, key, ...(value_omitted && { omitted: true as const }) },
      ]),
    )
    return { keys, seq: read.seq }
  } catch (error) {
    if (failureOf(error).code === 'state_not_found') return { keys: new Map(), seq: at ?? 0 }
    throw error
  }
}

/** What the event says of when a key goes, which the message about the key does not say. */
export function lapseIn({ type, data }: FeedEvent): Pick<KeyShown, 'expires_at' | 'ephemeral'> | undefined {
  if (type !== 'set' || typeof data !== 'object' || data === null || Array.isArray(data)) return undefined
  const { expires_at: at, ephemeral } = data
  return { ...(typeof at === 'string' && { expires_at: at }), ...(ephemeral === true && { ephemeral }) }
}

export function keyFrom(message: KeyMessage, lapse: Pick<KeyShown, 'expires_at' | 'ephemeral'>): KeyShown {
  const { key, version, value, value_omitted, seq, timestamp, changed_by } = message
  const shown = value_omitted ? { omitted: true as const } : { value: value ?? null }
  return { key, version, ...shown, seq, updated_at: timestamp, updated_by: changed_by, ...lapse, heard: elapsed() }
}
