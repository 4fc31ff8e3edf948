import { depthCeiling } from '../../../json/limits.ts'
import { applyMergePatches } from '../../../json/merge-patch.ts'
import { applyJsonPatch } from '../../../json/patch.ts'
import type { PatchOperation } from '../../../json/patch-operation.ts'
import type { Json, JsonObject } from '../../../json/value.ts'
import { Refusal } from '../../log/refusal.ts'
import type { Rows } from '../../log/rows.ts'
import { type KeyRow, stateVersions, type VersionRow } from '../tables.ts'

/**
 * How the past of a key is kept: as rows that are whole or build on an earlier row (`prior`). Reading a version means
 * walking from its row along `prior` to one that is whole.
 *
 * Appends form a skip list: the n-th append since the last whole row also carries the items of the appends before it,
 * back to the next multiple of a higher power of `spanRadix`. So an append writes a few items on average, and any version of an
 * array of a million appends is read through some dozens of rows.
 */
export const spanRadix = 16

/** Differences chain one by one; after so many the value is written whole again. A long value costs more to write than to put together. */
export function deltasMax(chars: number): number {
  return chars > longChars ? 256 : 32
}

const longChars = 65_536

/** Versions that the n-th append covers: 1, or a power of the radix where n is a multiple of it. */
export function spanWidth(nth: number): number {
  let width = 1
  while (nth % (width * spanRadix) === 0) width *= spanRadix
  return width
}

interface Walk {
  readonly rows: VersionRow[]
  /** The first row that was not in memory, or 0. */
  readonly missing: number
}

/** The rows that make up a version, newest first, down to a whole one. */
export function wholeChain(rows: Rows, key: string, from: number): Walk {
  const found: VersionRow[] = []
  for (let seq = from; seq > 0; ) {
    const row = rows.get(stateVersions, seq, key)
    if (row === undefined) return { rows: found, missing: seq }
    found.push(row)
    seq = row.prior
  }
  return { rows: found, missing: 0 }
}

/** The version after which the rows lie that the next append to this array has to carry on. */
export function appendReach(key: KeyRow): number {
  return key.version + 1 - spanWidth(key.deltas + 1)
}

/** The rows that the next append has to carry on, newest first. The row below them is not looked at: it may be a megabyte. */
export function carriedOn(rows: Rows, key: KeyRow): Walk {
  const found: VersionRow[] = []
  const whole = key.version - key.deltas
  const reach = appendReach(key)
  let seq = key.seq
  for (let version = key.version; version > reach; version -= spanWidth(version - whole)) {
    const row = rows.get(stateVersions, seq, key.key)
    if (row === undefined) return { rows: found, missing: seq }
    found.push(row)
    seq = row.prior
  }
  return { rows: found, missing: 0 }
}

/** The JSON text that a chain of versions (newest first, ending in a whole one) stands for. */
export function textOf(chain: readonly Pick<VersionRow, 'kind' | 'body'>[]): string {
  const whole = chain.at(-1)
  if (whole?.body == null) throw new Error('a chain of versions must end in a whole one')
  if (chain.length === 1) return whole.body
  if (chain[0]?.kind === 'append') return joinItems(chain)
  const patches = chain
    .slice(0, -1)
    .reverse()
    .map(({ body }) => JSON.parse(body ?? '{}') as Patch)
  return JSON.stringify(afterPatches(JSON.parse(whole.body), patches))
}

/** A difference is the patch that made it: an object is a merge, a list the operations of a JSON Patch. */
type Patch = JsonObject | PatchOperation[]

/** Operations that follow one another are applied as one: each list would copy what it changes. */
function afterPatches(before: Json, patches: readonly Patch[]): Json {
  let value = before
  for (let from = 0; from < patches.length; ) {
    const isList = Array.isArray(patches[from])
    const end = patches.findIndex((patch, at) => at > from && Array.isArray(patch) !== isList)
    const run = patches.slice(from, end < 0 ? undefined : end)
    const made = isList
      ? applyJsonPatch(value, run.flat() as PatchOperation[], { levels: depthCeiling })
      : applyMergePatches(value, run as JsonObject[])
    if (made === undefined || made instanceof Refusal)
      throw new Error(`a stored patch does not apply: ${made?.message}`)
    value = made
    from += run.length
  }
  return value
}

/** Joins arrays as text (newest first): parsing a megabyte to add one item would cost more than all the rest. */
export function joinItems(newestFirst: readonly { body: string | null }[]): string {
  const parts: string[] = []
  for (let i = newestFirst.length - 1; i >= 0; i--) {
    const inner = (newestFirst[i]?.body ?? '[]').slice(1, -1)
    if (inner !== '') parts.push(inner)
  }
  return `[${parts.join(',')}]`
}
