import type { Ref } from '../../domain/log/rows.ts'

/** What a call turned out to need, and what nobody has loaded yet. */
export class Missing {
  readonly refs: readonly Ref[]

  constructor(refs: readonly Ref[]) {
    this.refs = refs
  }
}
