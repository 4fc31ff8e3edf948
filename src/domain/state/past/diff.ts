import { diffJson, type JsonChange } from '../../../json/diff.ts'
import type { Json } from '../../../json/value.ts'
import { type Asking, ask } from '../../log/questions.ts'
import { hasExpired } from '../expiry.ts'
import { versionText } from './past.ts'

export type KeyChange = JsonChange & { readonly key: string }

export interface DiffPage {
  readonly changes: readonly KeyChange[]
  /** The last key that was compared, where more follow. */
  readonly last: string | undefined
}

/** One of the two points: a place in the log. Where now is meant, what has expired by then is gone, also before the log says so. */
export interface Side {
  readonly seq: number
  readonly now?: number
}

/** Keys that are asked for at once. */
const keysAtOnce = 500

/**
 * What differs between two places of the log, key by key in their order. Only keys that were changed in between, or have
 * expired since, are read. A page ends after the key that fills it.
 */
export function* readDiff(root: number, from: Side, to: Side, after: string, limit: number): Asking<DiffPage> {
  const [low, high] = [Math.min(from.seq, to.seq), Math.max(from.seq, to.seq)]
  const expiredBy = from.now ?? to.now ?? 0
  const changes: KeyChange[] = []
  for (let last = after; ; ) {
    const keys = yield* ask('keys_changed', root, low, high, last, keysAtOnce, expiredBy)
    for (const [at, { key }] of keys.entries()) {
      const found = diffJson(yield* valueAt(root, key, from), yield* valueAt(root, key, to))
      for (const change of found) changes.push({ key, ...change })
      const isEnd = at === keys.length - 1 && keys.length < keysAtOnce
      if (changes.length >= limit && !isEnd) return { changes, last: key }
      last = key
    }
    if (keys.length < keysAtOnce) return { changes, last: undefined }
  }
}

function* valueAt(root: number, key: string, { seq, now = 0 }: Side): Asking<Json | undefined> {
  const [row] = yield* ask('key_at', root, key, seq)
  if (row === undefined || row.kind === 'gone' || hasExpired(row, now)) return undefined
  return JSON.parse(yield* versionText(row)) as Json
}
