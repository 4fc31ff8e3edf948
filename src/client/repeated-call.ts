import { readDuration } from '../domain/log/duration.ts'
import { CairnRefusal, Refusal, refuse } from '../domain/log/refusal.ts'
import type { Answer } from '../domain/log/rows.ts'
import { elapsed, jitter, newRequestId, sleep } from '../web-clock.ts'
import { limitOf } from './abort-limit.ts'
import { attempt, type Outcome, type Send, settled } from './attempt.ts'
import type { Called } from './interface.ts'
import { checkWritable, type Input } from './writable-input.ts'

/** How long a call is tried unless said otherwise: a server that is started again is back by then. */
export const deadlineMsUsual = 30_000

/** A wait lasts this long unless the call says otherwise; see the operation. */
const waitMsUsual = 30_000

/** The least time a server is given to answer, as long as there is that much left. */
const attemptMsMin = 1000

const firstWaitMs = 20
const lastWaitMs = 1000

/** Gives a change a name, under which a repeat has no second effect: it can be sent again when nobody knows whether it arrived. */
export function named(operation: Called, input: Input, newId: () => string): Input {
  return operation.kind === 'change' && input.request_id === undefined ? { ...input, request_id: newId() } : input
}

/** Reads can be repeated as they are, and changes because they have a name; upkeep cannot. */
export function isRepeatable({ kind }: Called): boolean {
  return kind !== 'upkeep'
}

/** How long to wait before the next try: longer each time, and never the same for all who were cut off at once. */
export function pauseMs(tries: number): number {
  return Math.min(lastWaitMs, firstWaitMs * 2 ** tries) * (0.5 + jitter())
}

/**
 * Calls an operation of a server, again and again until it answers or the time is over. Throws refusals; and the reason of the
 * signal, unless a change may have been made by then.
 */
export async function callRemote(
  send: Send,
  operation: Called,
  asked: Input,
  deadlineMs: number,
  signal?: AbortSignal,
): Promise<Answer> {
  const unwritable = checkWritable(asked)
  if (unwritable) throw new CairnRefusal(unwritable)
  const input = named(operation, asked, newRequestId)
  const time = new Time(operation, input, deadlineMs)
  let fate: Fate = { isUnclear: false, refusal: undefined }
  for (let tries = 0; ; tries++) {
    if (signal?.aborted) throw aborted(fate, operation, input, signal.reason)
    const { outcome, retryMs } = await tryOnce(send, operation, time.rest(input, tries), time.attemptMs(), signal)
    if (typeof outcome === 'object' && !isPassing(outcome)) return settled(outcome)
    fate = { isUnclear: fate.isUnclear || isUnclear(outcome), refusal: refusalIn(outcome) }
    const pause = Math.max(retryMs, pauseMs(tries))
    if (time.left() <= pause || (isUnclear(outcome) && !isRepeatable(operation))) {
      throw signal?.aborted ? aborted(fate, operation, input, signal.reason) : ended(fate, operation, input)
    }
    await sleep(pause, signal)
  }
}

/** The time a call has: that of its own wait, if it is one, and beyond that until the deadline. */
class Time {
  readonly #operation: Called
  readonly #waitUntil: number
  readonly #until: number

  constructor(operation: Called, input: Input, deadlineMs: number) {
    this.#operation = operation
    this.#waitUntil = elapsed() + (operation.kind === 'wait' ? waitOf(input) : 0)
    this.#until = this.#waitUntil + deadlineMs
  }

  left(): number {
    return this.#until - elapsed()
  }

  /** A connection that has gone silent must not take all the time of what can be asked again over another one. */
  attemptMs(): number {
    const left = Math.max(1, this.left())
    if (!isRepeatable(this.#operation)) return left
    const wait = Math.max(0, this.#waitUntil - elapsed())
    return Math.min(left, Math.max(attemptMsMin, wait + (left - wait) / 2))
  }

  /** A wait that was cut off goes on for the rest of its time. */
  rest(input: Input, tries: number): Input {
    if (this.#operation.kind !== 'wait' || tries === 0) return input
    return { ...input, timeout: `${Math.max(0, Math.round(this.#waitUntil - elapsed()))}ms` }
  }
}

async function tryOnce(send: Send, { name }: Called, input: Input, ms: number, signal: AbortSignal | undefined) {
  const limit = limitOf([signal], ms)
  let retryMs = 0
  const noting: Send = async (...request) => {
    const received = await send(...request)
    retryMs = received.retryMs ?? 0
    return received
  }
  const outcome = await attempt(noting, name, JSON.stringify(input), limit.signal)
  limit.release()
  return { outcome, retryMs }
}

interface Fate {
  /** An attempt may have taken effect without an answer. */
  readonly isUnclear: boolean
  readonly refusal: Refusal | undefined
}

/** Refusals that say nothing of what was asked: whoever comes back later may be answered. */
const passing: readonly string[] = ['unavailable', 'busy', 'rate_limited', 'outcome_unknown']

function isPassing(outcome: Outcome): boolean {
  return passing.includes(refusalIn(outcome)?.code ?? '')
}

/** It may have taken effect: the answer was lost, or the database of the server did not answer. */
function isUnclear(outcome: Outcome): boolean {
  return outcome === 'lost' || refusalIn(outcome)?.code === 'outcome_unknown'
}

function refusalIn(outcome: Outcome): Refusal | undefined {
  return typeof outcome === 'object' && 'refusal' in outcome ? outcome.refusal : undefined
}

/** Whether it has an effect that can be in doubt. */
function hasEffect({ kind }: Called): boolean {
  return kind === 'change' || kind === 'upkeep'
}

function ended({ isUnclear, refusal }: Fate, operation: Called, input: Input): CairnRefusal {
  if (isUnclear && hasEffect(operation)) return new CairnRefusal(unanswered(input))
  const nobody = refuse('unavailable', 'The server cannot be reached.', 'Check its address, and that it runs.')
  return new CairnRefusal(refusal ?? nobody)
}

function aborted({ isUnclear }: Fate, operation: Called, input: Input, reason: unknown): unknown {
  return isUnclear && hasEffect(operation) ? new CairnRefusal(unanswered(input)) : reason
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
