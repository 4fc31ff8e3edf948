/** The part of the clock that browsers have too: the client runs there as well, so nothing of Node's is named here. */

/** Milliseconds that only ever go forward, for waiting with a deadline. */
export function elapsed(): number {
  return performance.now()
}

/** Between 0 and 1, for spreading waits. */
export function jitter(): number {
  return Math.random()
}

/** 128 random bits as text: no two requests have the same. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** With a signal, which never throws here, the sleep ends early. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, ms)
    signal?.addEventListener('abort', wake)
  })
}

/** The present time, in ISO 8601. */
export function timeText(): string {
  return new Date().toISOString()
}
