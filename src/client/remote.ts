import { elapsed, sleep, systemClock } from '../clock.ts'
import { readDuration } from '../domain/duration.ts'
import { CairnRefusal, Refusal, refuse } from '../domain/refusal.ts'
import type { Answer } from '../domain/rows.ts'
import type { AnyAnswered } from '../operations/operation.ts'
import { attempt, type Outcome, type Send, settled } from './attempt.ts'

/** How long a call is tried unless said otherwise: a server that is started again is back by then. */
export const deadlineMsUsual = 30_000

/** A wait lasts this long unless the call says otherwise; see the operation. */
const waitMsUsual = 30_000

const firstWaitMs = 20
const lastWaitMs = 1000

type Input = Readonly<Record<string, unknown>>

/** Whether it has a name of its own, under which a repeat has no second effect. */
function isNamed(operation: AnyAnswered): boolean {
  return 'request_id' in operation.input.members
}

/** Gives a change a name, so that it can be sent again when nobody knows whether it arrived. */
export function named(operation: AnyAnswered, input: Input): Input {
  return isNamed(operation) && input.request_id === undefined ? { ...input, request_id: systemClock().id() } : input
}

/** Reads can be repeated as they are, and changes because they have a name; upkeep cannot. */
export function isRepeatable(operation: AnyAnswered): boolean {
  return operation.kind === 'read' || operation.kind === 'wait' || isNamed(operation)
}

/** Calls an operation of a server, again and again until it answers or the time is over. Throws refusals. */
export async function callRemote(
  send: Send,
  operation: AnyAnswered,
  asked: Input,
  deadlineMs: number,
): Promise<Answer> {
  const waitMs = operation.kind === 'wait' ? waitOf(asked) : 0
  const [started, input] = [elapsed(), named(operation, asked)]
  const left = () => started + waitMs + deadlineMs - elapsed()
  let fate: Fate = { isLost: false, refusal: undefined }
  for (let tries = 0; ; tries++) {
    const body = JSON.stringify(tries > 0 && waitMs > 0 ? waitingFor(input, started + waitMs - elapsed()) : input)
    const outcome = await attempt(send, operation.name, body, AbortSignal.timeout(Math.max(1, Math.ceil(left()))))
    if (typeof outcome === 'object' && !isPassing(outcome)) return settled(outcome)
    fate = { isLost: fate.isLost || outcome === 'lost', refusal: refusalIn(outcome) }
    const waited = Math.min(lastWaitMs, firstWaitMs * 2 ** tries) * (0.5 + systemClock().jitter())
    if (left() <= waited || (isUnclear(outcome) && !isRepeatable(operation))) {
      throw new CairnRefusal(ended(fate, operation, input))
    }
    await sleep(waited)
  }
}

interface Fate {
  /** An attempt may have taken effect without an answer. */
  readonly isLost: boolean
  readonly refusal: Refusal | undefined
}

/** A server that is being stopped does nothing any more; one whose database did not answer does not know. */
function isPassing(outcome: Outcome): boolean {
  const code = refusalIn(outcome)?.code
  return code === 'unavailable' || code === 'outcome_unknown'
}

/** It may have taken effect. */
function isUnclear(outcome: Outcome): boolean {
  return outcome === 'lost' || refusalIn(outcome)?.code === 'outcome_unknown'
}

function refusalIn(outcome: Outcome): Refusal | undefined {
  return typeof outcome === 'object' && 'refusal' in outcome ? outcome.refusal : undefined
}

function ended({ isLost, refusal }: Fate, operation: AnyAnswered, input: Input): Refusal {
  if (isLost && operation.kind !== 'read' && operation.kind !== 'wait') return unanswered(input)
  return refusal ?? refuse('unavailable', 'The server cannot be reached.', 'Check its address, and that it runs.')
}

/** What is said of a change that a server was lost over. */
export function unanswered({ request_id: id }: Input): Refusal {
  const message = 'The server did not answer: it may or may not be done.'
  if (typeof id !== 'string') return refuse('outcome_unknown', message, 'Look whether it was done.')
  return refuse('outcome_unknown', message, `Repeat it with request id ${id}.`, { request_id: id })
}

function waitOf({ timeout }: Input): number {
  const ms = typeof timeout === 'string' ? readDuration(timeout) : waitMsUsual
  return ms instanceof Refusal ? 0 : ms
}

/** A wait that was cut off goes on for the rest of its time. */
function waitingFor(input: Input, ms: number): Input {
  return { ...input, timeout: `${Math.max(0, Math.round(ms))}ms` }
}
