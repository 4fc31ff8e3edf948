import { byteLength, type Json } from '../../json/value.ts'
import { type Asking, ask, askRow } from '../log/questions.ts'
import { streams } from '../log/tables.ts'
import { stateStream } from './facts.ts'
import { afterPrefix } from './key-prefix.ts'
import { versionText } from './past/past.ts'
import { aboutState } from './questions.ts'
import type { KeyRow } from './tables.ts'

type KeySize = Pick<KeyRow, 'key' | 'bytes'>

/** Which keys a summary shows, newest change first. */
export interface Chosen {
  readonly keys: readonly string[]
  /** What is said of the rest; nothing when the whole state fits. */
  readonly marks: { readonly [name: string]: Json }
}

/**
 * Chooses by the sizes that stand beside the values, so that only what is shown is read. Finding the newest keys looks at
 * each key of the root once, without its value: at the limit of keys that takes a few milliseconds, and an index for it
 * would be paid by every write.
 */
export function* chooseKeys(root: number, keysMax: number, bytesMax: number, now: number): Asking<Chosen> {
  const stream = yield* askRow(streams, root, stateStream)
  const [expired] = yield* ask(aboutState.lapsed_count, root, now)
  const all = (stream?.items ?? 0) - (expired?.count ?? 0)
  return chosenOf(yield* ask(aboutState.newest_keys, root, bytesMax, keysMax, now), all, bytesMax)
}

/** The same as of an event. The sizes of the past stand nowhere: values are read, newest change first, until enough of them fit. */
export function* chooseKeysAt(root: number, keysMax: number, bytesMax: number, at: number): Asking<Chosen> {
  const then = (yield* ask(aboutState.keys_at, root, '', afterPrefix(''), at)).filter(({ kind }) => kind !== 'gone')
  // Keys come in their order, and those that one event changed stay in it.
  const byChange = [...then].sort((a, b) => b.seq - a.seq)
  const newest: KeySize[] = []
  for (const row of byChange) {
    if (newest.length === keysMax) break
    const bytes = byteLength(yield* versionText(row))
    if (bytes <= bytesMax) newest.push({ key: row.key, bytes })
  }
  return chosenOf(newest, then.length, bytesMax)
}

function chosenOf(newest: readonly KeySize[], all: number, bytesMax: number): Chosen {
  const whole = packed(newest, bytesMax, {})
  if (whole.length === all) return { keys: whole, marks: {} }
  const marks = { _truncated: true, _full_key_count: all }
  return { keys: packed(newest, bytesMax, marks), marks }
}

/** The keys that fit into so many bytes of JSON beside the marks; one that is too large makes room for the next. */
function packed(newest: readonly KeySize[], bytesMax: number, marks: Chosen['marks']): string[] {
  const keys: string[] = []
  let bytes = byteLength(JSON.stringify(marks))
  for (const row of newest) {
    const comma = bytes > '{}'.length ? 1 : 0
    const added = byteLength(JSON.stringify(row.key)) + ':'.length + row.bytes + comma
    if (bytes + added > bytesMax) continue
    bytes += added
    keys.push(row.key)
  }
  return keys
}
