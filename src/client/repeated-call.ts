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
function named(operation: Called, input: Input): Input {
  return operation.kind === 'change' && input.request_id === undefined
    ? { ...input, request_id: newRequestId() }
    : input
}

/** Reads can be repeated as they are, and changes because they have a name; upkeep cannot. */
function isRepeatable({ kind }: Called): boolean {
  return kind !== 'upkeep'
}

/** How long to wait before the next try: longer each time, and never the same for all who were cut off at once. */
export function pauseMs(tries: number): number {
  return Math.min(lastWaitMs, firstWaitMs * 2 ** tries) * (0.5 + jitter())
}

/** What became of one try, of whoever was asked. */
export interface Tried {
  readonly outcome: Outcome
  /** How long whoever was asked, or something in between, wants to be left alone. */
  readonly retryMs?: number | undefined
  /** To ask again is of no use: whoever answered has tried long enough itself. */
  readonly isFinal?: boolean
}

/** Asks once. The signal says when to give up on it. */
export type Try = (input: Input, signal: AbortSignal) => Promise<Tried>

export interface CallTerms {
  /** How long a call is tried before it is given up. */
  readonly deadlineMs: number
  /** How long a try of what cannot be repeated may take; until the deadline unless given. */
  readonly onceMs?: number
  readonly signal?: AbortSignal | undefined
}

/** Calls an operation of a server. */
export async function callRemote(send: Send, operation: Called, asked: Input, terms: CallTerms): Promise<Answer> {
  const unwritable = checkWritable(asked)
  if (unwritable) throw new CairnRefusal(unwritable)
  return callRepeatedly((input, signal) => trySending(send, operation, input, signal), operation, asked, terms)
}

/**
 * Tries again and again until there is an answer or the time is over. A change is repeated under the name it had at the first
 * try, reads as they are, waits for the rest of their time, and upkeep only while surely nothing of it was done. Throws
 * refusals, of which `outcome_unknown` says that an answer was lost and that no later try settled it; and the reason of the
 * signal, unless a change may have been made by then.
 */
export async function callRepeatedly(
  attemptOnce: Try,
  operation: Called,
  asked: Input,
  { deadlineMs, onceMs, signal }: CallTerms,
): Promise<Answer> {
  const input = named(operation, asked)
  const time = new Time(operation, input, deadlineMs, onceMs)
  let fate: Fate = { isUnclear: false, refusal: undefined }
  for (let tries = 0; ; tries++) {
    if (signal?.aborted) throw aborted(fate, operation, input, signal.reason)
    const limit = limitOf([signal], time.attemptMs())
    const tried = await attemptOnce(time.rest(input, tries), limit.signal).finally(limit.release)
    const { outcome, retryMs = 0, isFinal = false } = tried
    if (typeof outcome === 'object' && !isPassing(outcome)) return settled(outcome)
    fate = { isUnclear: fate.isUnclear || isUnclear(outcome), refusal: refusalIn(outcome) }
    const pause = Math.max(retryMs, pauseMs(tries))
    if (isFinal || time.left() <= pause || (isUnclear(outcome) && !isRepeatable(operation))) {
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
  readonly #onceMs: number | undefined

  constructor(operation: Called, input: Input, deadlineMs: number, onceMs: number | undefined) {
    this.#operation = operation
    this.#waitUntil = elapsed() + (operation.kind === 'wait' ? waitOf(input) : 0)
    this.#until = this.#waitUntil + deadlineMs
    this.#onceMs = onceMs
  }

  left(): number {
    return this.#until - elapsed()
  }

  /** A connection that has gone silent must not take all the time of what can be asked again over another one. */
  attemptMs(): number {
    const left = Math.max(1, this.left())
    if (!isRepeatable(this.#operation)) return this.#onceMs ?? left
    const wait = Math.max(0, this.#waitUntil - elapsed())
    return Math.min(left, Math.max(attemptMsMin, wait + (left - wait) / 2))
  }

  /** A wait that was cut off goes on for the rest of its time. */
  rest(input: Input, tries: number): Input {
    if (this.#operation.kind !== 'wait' || tries === 0) return input
    return { ...input, timeout: `${Math.max(0, Math.round(this.#waitUntil - elapsed()))}ms` }
  }
}

/** Sends a call once. */
export async function trySending(send: Send, { name }: Called, input: Input, signal: AbortSignal): Promise<Tried> {
  let retryMs: number | undefined
  const noting: Send = async (...request) => {
    const received = await send(...request)
    retryMs = received.retryMs
    return received
  }
  const outcome = await attempt(noting, name, JSON.stringify(input), signal)
  return { outcome, retryMs: retryMsIn(refusalIn(outcome)) ?? retryMs }
}

/** The body says it in milliseconds, where the header has whole seconds. */
export function retryMsIn(refusal: Refusal | undefined): number | undefined {
  const ms = refusal?.details.retry_after_ms
  return typeof ms === 'number' && ms >= 0 ? ms : undefined
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
  const nobody = refuse('unavailable', 'The server cannot be reached.', 'Check its address and that it is running.')
  return new CairnRefusal(refusal ?? nobody)
}

function aborted({ isUnclear }: Fate, operation: Called, input: Input, reason: unknown): unknown {
  return isUnclear && hasEffect(operation) ? new CairnRefusal(unanswered(input)) : reason
}

/** What is said of a change that a server was lost over. */
function unanswered({ request_id: id }: Input): Refusal {
  const message = 'The server did not answer: the request may or may not have been applied.'
  if (typeof id !== 'string') return refuse('outcome_unknown', message, 'Check whether it was applied.')
  return refuse('outcome_unknown', message, `Repeat it with request id ${id}.`, { request_id: id })
}

function waitOf({ timeout }: Input): number {
  const ms = typeof timeout === 'string' ? readDuration(timeout) : waitMsUsual
  return ms instanceof Refusal ? 0 : ms
}
