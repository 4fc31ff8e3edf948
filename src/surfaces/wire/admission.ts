import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Caller } from '../../log/access/caller.ts'

/** Whether those who were let in by a token still may be here. */
export interface Admission {
  /** Whether the token of a caller still counts. */
  isValid(caller: Caller): Promise<boolean>
  /** Calls once it stops to count, soon whoever ended it; gives the way to stop that. */
  watch(caller: Caller, ended: () => void): () => void
}

/** Said to those who were let in by it before. */
export function revoked(): Refusal {
  return refuse('unauthorized', 'The token does not count any more.', 'Connect with another.')
}
