import type { Json } from '../json.ts'
import { diffJson, type JsonChange } from '../json-diff.ts'
import { type Asking, ask } from '../questions.ts'
import { versionText } from './past.ts'

export type KeyChange = JsonChange & { readonly key: string }

export interface DiffPage {
  readonly changes: readonly KeyChange[]
  /** The last key that was compared, where more follow. */
  readonly last: string | undefined
}

/** Keys that are asked for at once. */
const keysAtOnce = 500

/**
 * What differs between two places of the log, key by key in their order. Only keys that were changed in between are read.
 * A page ends after the key that fills it.
 */
export function* readDiff(root: string, from: number, to: number, after: string, limit: number): Asking<DiffPage> {
  const [low, high] = from < to ? [from, to] : [to, from]
  const changes: KeyChange[] = []
  for (let last = after; ; ) {
    const keys = yield* ask('keys_changed', root, low, high, last, keysAtOnce)
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

function* valueAt(root: string, key: string, seq: number): Asking<Json | undefined> {
  const [row] = yield* ask('key_at', root, key, seq)
  if (row === undefined || row.kind === 'gone') return undefined
  return JSON.parse(yield* versionText(row)) as Json
}
