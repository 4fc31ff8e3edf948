// A root in memory as a replay makes it: facts are checked as if they came from another store, and then applied.

import type { Draft, Event } from '../../src/domain/log/event.ts'
import { evolve } from '../../src/domain/log/evolve.ts'
import { defaultLimits, type Limits } from '../../src/domain/log/limits.ts'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { ReplayedRows } from '../../src/domain/log/replayed-rows.ts'
import { streams } from '../../src/domain/log/tables.ts'
import { parts } from '../../src/domain/parts.ts'

export class ReplayedRoot {
  readonly rows = new ReplayedRows(1, 'sess_00000000000070008000000000000000')
  readonly #limits: Limits
  #seq = 0

  constructor(type = 'full', limits: Partial<Limits> = {}) {
    this.#limits = { ...defaultLimits, ...limits }
    const data = { no: 0, parent: null, status: 'running' as const, topic: 'a plan', type }
    this.must({ type: 'session_created', stream: 'session/0', data })
  }

  /** Why it cannot be, or nothing once it was applied. */
  take(draft: Draft): Refusal | undefined {
    const version = (this.rows.get(streams, draft.stream)?.version ?? 0) + 1
    const seq = this.#seq + 1
    const id = `00000000-0000-7000-8000-${String(seq).padStart(12, '0')}`
    const event = { ...draft, root: 1, seq, id, session_no: 0, version, at: 1_000 * seq, hash: '' } as Event
    const refusal = parts.owner(draft.stream)?.foreign?.check(this.rows, event, this.#limits)
    if (refusal instanceof Refusal) return refusal
    this.#seq = seq
    evolve(parts.evolve, this.rows, event)
    return undefined
  }

  must(draft: Draft): void {
    const refusal = this.take(draft)
    if (refusal) throw new Error(`${draft.type}: ${refusal.message}`)
  }
}
