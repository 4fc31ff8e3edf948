import { readDuration } from '../../domain/log/duration.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import type { AgentAdapter } from './adapter.ts'
import { usualEnding } from './exit-status.ts'

/** `EX_TEMPFAIL` of sysexits.h: try again later. */
const tryLater = 75
/** When, in the last line of its output. */
const later = /^retry-after:\s*(\S+)\s*$/i
const laterMsUsual = 60_000

/** Any program. What it puts out is for people; what it leaves is in the file for its result. */
export const command: AgentAdapter = {
  invoke({ spec: { id, run } }) {
    if (run !== undefined && run.length > 0) return { argv: run, input: 'none' }
    return refuse('invalid_input', `Agent ${id} has no program to run.`, 'Set `run` to a program with its arguments.')
  },
  ending({ status, tail, now }) {
    if (status !== tryLater) return usualEnding(status)
    const [, asked] = later.exec(tail.trimEnd().split('\n').at(-1) ?? '') ?? []
    const ms = asked === undefined ? laterMsUsual : readDuration(asked)
    const wait = ms instanceof Refusal ? laterMsUsual : ms
    return {
      how: 'failed',
      cause: 'rate_limit',
      reason: `It exited with ${tryLater}: try later.`,
      retry_at: now + wait,
    }
  },
}
