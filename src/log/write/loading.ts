import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Ref } from '../../domain/log/rows.ts'
import type { Load } from '../../store/engine.ts'
import { nameOfPast, type Overlay } from './overlay.ts'

/** What a call turned out to need, and what nobody has loaded yet. */
export class Missing {
  readonly refs: readonly Ref[]

  constructor(refs: readonly Ref[]) {
    this.refs = refs
  }
}

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

function nameOf(ref: Ref): string {
  if ('table' in ref) return `${ref.table.name} ${ref.key.join('\0')}`
  if ('past' in ref) return nameOfPast(ref)
  return 'chain' in ref ? `chain ${ref.chain} ${ref.from} ${ref.above}` : JSON.stringify(ref)
}

/** Rows refer to others that the store does not have. */
export function rowsLost(): Refusal {
  const message = 'Versions that this value builds on are missing in the store.'
  return refuse('storage_error', message, 'Look at it with `cairn doctor`; restore it from a backup.')
}
