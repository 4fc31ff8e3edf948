/** The longest time a timer can be set for. */
const timerMsMax = 2 ** 31 - 1

export interface Limit {
  readonly signal: AbortSignal
  /** There is no hurry any more; the signals still count. */
  lift(): void
  /** Listens to nobody any more; called when what was limited is over. */
  release(): void
}

/**
 * Aborted with the first of these signals, or after so many milliseconds. `AbortSignal.any` would keep every signal it made
 * for as long as one of its sources lives, which may be as long as the program.
 */
export function limitOf(signals: readonly (AbortSignal | undefined)[], ms?: number): Limit {
  const ending = new AbortController()
  const leaving = new AbortController()
  for (const signal of signals) {
    if (signal?.aborted) ending.abort(signal.reason)
    signal?.addEventListener('abort', () => ending.abort(signal.reason), { signal: leaving.signal })
  }
  const timer = ms === undefined ? undefined : setTimeout(() => ending.abort(), Math.min(ms, timerMsMax))
  const lift = () => clearTimeout(timer)
  const release = () => {
    lift()
    leaving.abort()
  }
  return { signal: ending.signal, lift, release }
}
