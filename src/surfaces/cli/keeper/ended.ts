import { constants } from 'node:os'

/** How a process came to its end; `failed` where it could not even be started. */
export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly failed?: string | undefined
}

const aborted = 128 + constants.signals.SIGABRT

/** Whether it ended because somebody told it to: in order, at the second signal, or before it could listen to the first. */
export function wasTold({ code, signal }: Ended): boolean {
  const { SIGINT, SIGTERM } = constants.signals
  return code === 0 || code === 128 + SIGINT || code === 128 + SIGTERM || signal === 'SIGINT' || signal === 'SIGTERM'
}

/**
 * How it died, in a word or two. V8 says in the log that there was no memory left; when the kernel ends a process for that, nobody is
 * told, and it looks as if it was killed by a person.
 */
export function howOf({ code, signal, failed }: Ended, said: string): string {
  const isAborted = signal === 'SIGABRT' || code === aborted
  if (isAborted && said.includes('out of memory')) return 'out of memory'
  if (signal !== null) return `signal ${constants.signals[signal]}`
  return failed ?? `exit ${code}`
}
