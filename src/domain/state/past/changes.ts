import { byteLength, type Json } from '../../../json/value.ts'
import { floorOf } from '../../log/past/place.ts'
import { type Asking, ask } from '../../log/questions.ts'
import { toldBytesMax } from '../evolve.ts'
import { stateStream } from '../facts.ts'
import { aboutState, type VersionChanged } from '../questions.ts'
import type { VersionRow } from '../tables.ts'
import { textOf } from './versions.ts'

/**
 * What a value that is told can be made of, in sizes of it. Of an array: its items; brackets and commas are far less. Of anything else: one
 * of that size, and at most 32 differences of half of that.
 */
const shortDifferencesMax = 1 + 32 / 2

/** Keys of one event that are told one by one; who would be told of more reads all of them again with less effort. */
const toldKeysMax = 500

/** What an event made of one key. */
export type KeyChange = { key: string; version: number } & (
  | { value: Json }
  | { value_omitted: true }
  | { deleted: true }
)

/** The keys that an event changed, in their order; null where they are too many to be told. */
export type EventChanges = { seq: number; keys: KeyChange[] | null }

/** What became of keys in a stretch of the log. */
export type Changes = {
  /** The events that changed any. */
  events: EventChanges[]
  /** The last event of the stretch. */
  upto: number
  /** Of events before this one it is not known any more. */
  floor: number
}

/** What the events after one changed, of as many as fit into one question: at least of the next. */
export function* changesAfter(root: number, after: number): Asking<Changes> {
  const rows = yield* ask(aboutState.versions_after, root, after, toldBytesMax, toldKeysMax + 1)
  const floor = rows[0]?.floor ?? (yield* floorOf(root, stateStream))
  const isCut = rows.length > toldKeysMax
  const last = rows.at(-1)?.seq ?? 0
  const isAlone = rows[0]?.seq === last
  const values = new Values(root)
  const events: EventChanges[] = []
  for (const row of rows) {
    // The rest of an event that was cut off stands in the next stretch; one that fills a stretch alone has too many keys.
    if (isCut && row.seq === last) break
    if (row.seq < floor) continue
    if (events.at(-1)?.seq !== row.seq) events.push({ seq: row.seq, keys: [] })
    const event = events.at(-1) as EventChanges
    const change = yield* values.changeOf(row)
    if (change === undefined) event.keys = null
    else event.keys?.push(change)
  }
  if (isCut && isAlone) return { events: [{ seq: last, keys: null }], upto: last, floor }
  return { events, upto: isCut ? last - 1 : Math.max(last, after + 1), floor }
}

/** A value that is known; no text where it is too long to be told. */
interface Known {
  readonly seq: number
  readonly version: number
  readonly text: string | undefined
}

/** Values of versions in the order of the log: most of those that are differences build on the one that was read before. */
class Values {
  readonly #root: number
  readonly #known = new Map<string, Known>()

  constructor(root: number) {
    this.#root = root
  }

  /** Undefined where what it builds on was removed meanwhile. */
  *changeOf(row: VersionChanged): Asking<KeyChange | undefined> {
    const { key, seq, version } = row
    if (row.kind === 'gone') return { key, version, deleted: true }
    const text = row.prior === 0 ? row.body : (this.#built(row) ?? (yield* this.#read(row)))
    if (text === undefined) return undefined
    const isTold = text !== null && byteLength(text) <= toldBytesMax
    this.#known.set(key, { seq, version, text: isTold ? text : undefined })
    return isTold ? { key, version, value: JSON.parse(text) as Json } : { key, version, value_omitted: true }
  }

  /** From what was read before; null where that says enough: an array that is too long does not become shorter by more items. */
  #built({ key, kind, body, prior, version }: VersionChanged): string | null | undefined {
    const known = this.#known.get(key)
    if (known === undefined) return undefined
    if (kind === 'append' && known.version === version - 1 && known.text === undefined) return null
    if (known.seq !== prior || known.text === undefined || body === null) return undefined
    return textOf([
      { kind, body },
      { kind: 'whole', body: known.text },
    ])
  }

  *#read({ key, seq, kind }: VersionChanged): Asking<string | null | undefined> {
    // It may be a megabyte: its size is asked for first.
    const [sum] = yield* ask(aboutState.chain_bytes, this.#root, key, seq)
    if ((sum?.bytes ?? 0) > (kind === 'append' ? 2 : shortDifferencesMax) * toldBytesMax) return null
    const chain: VersionRow[] = [...(yield* ask(aboutState.chain, this.#root, key, seq, 0))].sort(
      (a, b) => b.seq - a.seq,
    )
    return chain.at(-1)?.prior === 0 ? textOf(chain) : undefined
  }
}
