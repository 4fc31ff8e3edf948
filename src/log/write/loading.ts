import type { Load } from '../../domain/log/questions.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Ref } from '../../domain/log/rows.ts'
import type { Overlay } from './overlay.ts'
import { nameOf } from './ref-names.ts'

/** Loads what is missing in overlays; what is asked for several times is loaded once. */
export function* load(
  wanted: readonly (readonly [Overlay, readonly Ref[]])[],
): Generator<Load[], void, readonly object[][]> {
  const asked = new Map<string, readonly [Overlay, Ref]>()
  for (const [overlay, refs] of wanted) {
    for (const ref of overlay.missing(refs)) asked.set(`${overlay.root} ${nameOf(ref)}`, [overlay, ref])
  }
  if (asked.size === 0) return
  const refs = [...asked.values()]
  const found = yield refs.map(([overlay, ref]) => overlay.loading(ref))
  for (const [at, [overlay, ref]] of refs.entries()) overlay.take(ref, found[at] ?? [])
}

/** Rows refer to others that the store does not have. */
export function rowsLost(): Refusal {
  const message = 'Versions that this value builds on are missing in the store.'
  return refuse('storage_error', message, 'Check it with `store.doctor`; restore it from a backup.')
}
