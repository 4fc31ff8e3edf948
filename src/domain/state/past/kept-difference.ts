import { applyJsonPatch } from '../../../json/patch.ts'
import type { PatchOperation } from '../../../json/patch-operation.ts'
import type { Json } from '../../../json/value.ts'
import type { VersionRow } from '../tables.ts'
import { convergentPrefix } from '../traits.ts'

/**
 * What a version of a conflict-free value keeps inside, as a difference to the version before: a JSON Patch in the place of all of it.
 * How it begins is the same, so that its kind is told without reading more.
 */
export function keptDifference(kind: string, patch: readonly PatchOperation[]): string {
  return `${convergentPrefix}${JSON.stringify({ kind, patch })}}`
}

type Kept = { readonly crdt: Json & { readonly patch?: readonly PatchOperation[] } }

/** The traits of the newest of a chain of versions (newest first, ending in a whole one). */
export function traitsOf(chain: readonly Pick<VersionRow, 'traits' | 'kind'>[]): string | null {
  const [newest] = chain
  const whole = chain.at(-1)
  if (newest?.kind !== 'merge' || newest.traits === null || !newest.traits.startsWith(convergentPrefix)) {
    return newest?.traits ?? null
  }
  const patch = chain
    .slice(0, -1)
    .reverse()
    .flatMap(({ traits }) => (JSON.parse(traits ?? '{}') as Kept).crdt.patch ?? [])
  const { crdt } = JSON.parse(whole?.traits ?? '{}') as Kept
  return `${convergentPrefix}${JSON.stringify(applyJsonPatch(crdt, patch))}}`
}
