import { hasEnded } from '../sessions/lifecycle.ts'
import type { SessionRow } from '../sessions/tables.ts'
import type { TaskProgressRow } from './tables.ts'

type Life = Pick<SessionRow, 'status' | 'updated_at'>

/** Since when a claimed task has been without a word, not counting the time in which its session or the root stood still. */
function silentSince(progress: TaskProgressRow, lives: readonly Life[]): number | undefined {
  let since = progress.progress_at ?? progress.claimed_at ?? 0
  for (const { status, updated_at } of lives) {
    if (status === 'paused' || status === 'resumable' || status === 'created') return undefined
    since = Math.max(since, updated_at)
  }
  return since
}

/** When a claimed task becomes stale, if nothing is heard of it before; undefined while its session stands still. */
export function staleAt(
  progress: TaskProgressRow,
  { holder, root }: { holder: Life | undefined; root: Life | undefined },
  staleMs: number,
): number | undefined {
  if (holder === undefined || hasEnded(holder.status)) return progress.claimed_at ?? 0
  const since = silentSince(progress, root === undefined ? [holder] : [holder, root])
  return since === undefined ? undefined : since + staleMs
}
