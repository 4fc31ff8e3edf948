import { withUnit } from '../../../domain/log/duration.ts'
import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import type { Answer } from '../../../domain/log/rows.ts'
import { waitUsual } from '../../../operations/timeout.ts'
import type { Request } from '../request.ts'

/** The answer of a wait that ended without an event is an empty page; a script must see that, as of `state wait`. */
export function refuseLate({ events, last_seq }: Answer, { timeout }: Request['input']): void {
  if ((events as unknown[]).length > 0) return
  const message = `Timed out after ${withUnit(String(timeout ?? waitUsual))}: nothing happened after ${last_seq}.`
  throw new CairnRefusal(
    refuse('timeout', message, `Wait again with --since ${last_seq}.`, { last_seq: last_seq ?? 0 }),
  )
}
