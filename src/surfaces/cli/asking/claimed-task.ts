import { elapsed } from '../../../clock.ts'
import { readDuration } from '../../../domain/log/duration.ts'
import { isRefused, Refusal } from '../../../domain/log/refusal.ts'
import type { Answer } from '../../../domain/log/rows.ts'
import { operations } from '../../../operations/index.ts'
import type { Asked } from '../registry/presentation.ts'
import type { Request } from '../request.ts'
import { usageError } from '../usage.ts'

const { claim, wait } = operations.task
/** A wait lasts no longer; whoever is still there waits again. */
const waitMsMax = 3_600_000

/**
 * Claims a task; with `--wait` the next one that becomes ready within that time. Others wait for it too: whoever comes late waits on, until
 * there is one for them, all are done or the time is over.
 */
export async function claimedTask({ request, performer }: Asked, input: Request['input']): Promise<Answer> {
  const untilMs = elapsed() + waitMs(request)
  for (;;) {
    try {
      return await performer.execute(claim, input)
    } catch (error) {
      const left = Math.round(Math.min(untilMs - elapsed(), waitMsMax))
      if (left <= 0 || input.task !== undefined || !isNoneReady(error)) throw error
      await performer.execute(wait, { session: input.session, timeout: `${left}ms` }).catch((late: unknown) => {
        if (!isRefused(late, 'timeout')) throw late
      })
    }
  }
}

function waitMs({ own }: Request): number {
  const given = own.get('wait')
  if (given === undefined) return 0
  const ms = readDuration(given)
  if (ms instanceof Refusal) throw usageError(`--wait: ${ms.message}`, ms.hint)
  return ms
}

/** It counts the tasks; a session that is not there is not found either. */
function isNoneReady(error: unknown): boolean {
  return isRefused(error, 'not_found') && 'open' in error.details
}
