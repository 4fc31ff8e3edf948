import { sleep } from '../../clock.ts'
import { isRefused } from '../../domain/log/refusal.ts'
import type { Environment } from '../../home/plain-environment.ts'
import type { Caller } from '../../log/access/caller.ts'
import type { Log } from '../../log/log.ts'
import type { Operation } from '../../operations/operation.ts'
import type { Planner } from '../../orchestrator/planner.ts'
import type { Outage } from './outage.ts'

/** What supervision stands on. */
export interface Ground {
  /** The data folder. */
  readonly home: string
  readonly log: Log
  /** The owner. */
  readonly caller: Caller
  /** Where this server is reached by agents. */
  readonly url: string
  /** How this very program is started. */
  readonly cairn: readonly string[]
  readonly environment: Environment
  newPlanner(): Planner
  /** Before this server came, where the one before it died. */
  readonly outage?: Outage | undefined
  /** What went wrong, for the log of the server. */
  report(event: string, error: unknown): void
}

/** Asks the log in this process; throws refusals. */
export function perform<Input, Out>(
  { log, caller }: Ground,
  operation: Operation<Input, Out>,
  input: Input,
): Promise<Out> {
  return log.execute(operation as never, input, caller) as Promise<Out>
}

/** Refusals that say nothing of what was asked: the store is away, or too busy. */
const passing = ['unavailable', 'busy', 'timeout', 'outcome_unknown', 'storage_error', 'disk_full', 'rate_limited']

export function isPassing(error: unknown): boolean {
  return isRefused(error, ...passing)
}

const againMsFirst = 200
const againMsMax = 5000

/** Asks again and again while the store is away; whoever is no longer meant gives up. */
export async function whenReachable<Out>(ground: Ground, ask: () => Promise<Out>, isOver: () => boolean): Promise<Out> {
  for (let ms = againMsFirst; ; ms = Math.min(2 * ms, againMsMax)) {
    try {
      return await ask()
    } catch (error) {
      if (!isPassing(error) || isOver()) throw error
      ground.report('store', error)
      await sleep(ms)
    }
  }
}
