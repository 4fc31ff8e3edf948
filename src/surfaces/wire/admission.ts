import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Caller } from '../../log/access/caller.ts'

/** Whether those who were let in by a token still may be here. */
export interface Admission {
  /** Why the token of a caller counts no more; undefined while it does. */
  refusalOf(caller: Caller): Promise<Refusal | undefined>
  /** Calls once it stops to count, soon whoever ended it; gives the way to stop that. */
  watch(caller: Caller, ended: (why: Refusal) => void): () => void
}

/** Said to those who were let in by it before. */
export function revoked(): Refusal {
  return refuse('unauthorized', 'The token has been revoked.', 'Connect with another token.')
}

/** Said whenever it is shown, and to those who were let in by it before. */
export function expired(): Refusal {
  return refuse('unauthorized', 'The token has expired.', 'Ask the owner of the store for another.')
}
