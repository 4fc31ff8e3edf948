import { constants } from 'node:os'
import type { Ending } from './adapter.ts'

/** The signal that a status of the shell stands for. */
export function signalOf(status: number): string | undefined {
  const number = status - 128
  return Object.entries(constants.signals).find(([, each]) => each === number)?.[0]
}

/** What most programs mean by their status. */
export function usualEnding(status: number): Ending {
  if (status === 0) return { how: 'completed', cause: 'exit' }
  const signal = signalOf(status)
  if (signal !== undefined) return { how: 'crashed', cause: 'crash', reason: `It was ended by ${signal}.` }
  return { how: 'failed', cause: 'exit', reason: `It exited with ${status}.` }
}
