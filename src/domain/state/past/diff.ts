import { diffJson, type JsonChange } from '../../../json/diff.ts'
import { held } from '../../../json/json-text.ts'
import type { Json } from '../../../json/value.ts'
import { type Asking, ask } from '../../log/questions.ts'
import { hasExpired } from '../expiry.ts'
import { aboutState } from '../questions.ts'
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

/** A page ends once so much was compared: that takes far longer than reading it. */
const comparedCharsMax = 2 * 1024 * 1024

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
  let compared = 0
  for (let last = after; ; ) {
    const keys = yield* ask(aboutState.keys_changed, root, low, high, last, keysAtOnce, expiredBy)
    for (const [at, { key }] of keys.entries()) {
      const [before, later] = [yield* textAt(root, key, from), yield* textAt(root, key, to)]
      for (const change of changesOf(before, later)) changes.push({ key, ...change })
      if (before !== undefined && later !== undefined) compared += before.length + later.length
      const isEnd = at === keys.length - 1 && keys.length < keysAtOnce
      if ((changes.length >= limit || compared >= comparedCharsMax) && !isEnd) return { changes, last: key }
      last = key
    }
    if (keys.length < keysAtOnce) return { changes, last: undefined }
  }
}

/** A value that is there on one side only is not looked into. */
function changesOf(before: string | undefined, after: string | undefined): JsonChange[] {
  if (before === after) return []
  if (before === undefined && after !== undefined) return [{ op: 'added', path: '', after: held(after) }]
  if (before !== undefined && after === undefined) return [{ op: 'removed', path: '', before: held(before) }]
  return diffJson(JSON.parse(before as string) as Json, JSON.parse(after as string) as Json)
}

function* textAt(root: number, key: string, { seq, now = 0 }: Side): Asking<string | undefined> {
  const [row] = yield* ask(aboutState.key_at, root, key, seq)
  return row === undefined || row.kind === 'gone' || hasExpired(row, now) ? undefined : yield* versionText(row)
}
