import { type Clock, elapsed, sleep, sleepBlocking } from '../../clock.ts'
import { refuse } from '../../domain/log/refusal.ts'
import type { Layout } from '../layout.ts'
import { isBusy } from './errors.ts'

/** How long anybody waits for the lock before it is told `busy`. */
export const lockWaitMsMax = 5000

/**
 * SQLite's own busy handler starves whoever comes second; short random waits of our own give equal shares. Whoever has the lock
 * finds all it needs in memory when it comes again at once, so where many wait, looking seldom gets more done than looking often.
 */
const waitMs = { blocking: [0.05, 0.5], yielding: [1, 6] } as const

export interface SqliteOptions {
  readonly path: string
  readonly clock: Clock
  readonly layout: Layout
  /** `blocking` for processes that live for one command, `yielding` for servers, whose event loop must go on. */
  readonly waits: 'blocking' | 'yielding'
  /** 5000 unless given. */
  readonly lockWaitMs?: number
  /** For one that will be open for long: looks through the whole file first, and copies its log aside. */
  readonly thorough?: boolean
}

/**
 * Tries again while another process holds the lock; an attempt that is told busy must not have done anything. Where the lock is
 * free, it is done at once.
 */
export function onceFree<T>(options: SqliteOptions, attempt: () => T): T | Promise<T> {
  try {
    return attempt()
  } catch (error) {
    if (!isBusy(error)) throw error
  }
  return whenFree(options, attempt)
}

async function whenFree<T>(options: SqliteOptions, attempt: () => T): Promise<T> {
  const { path, clock, waits, lockWaitMs = lockWaitMsMax } = options
  const deadline = elapsed() + lockWaitMs
  const [least, most] = waitMs[waits]
  while (elapsed() <= deadline) {
    const ms = least + clock.jitter() * (most - least)
    if (waits === 'blocking') sleepBlocking(ms)
    else await sleep(ms)
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error)) throw error
    }
  }
  const message = `Another process held the lock of ${path} for more than ${lockWaitMs} ms.`
  throw refuse('busy', message, 'Try again; if this persists, look for a hung process.', { path })
}
