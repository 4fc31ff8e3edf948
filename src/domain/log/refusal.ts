import { Refusal as JsonRefusal } from '../../json/refusal.ts'
import type { Json } from '../../json/value.ts'

/** Every way Cairn can say no. Statuses and exit codes are tables at the edge; nothing in here knows a number of either. */
export type RefusalCode =
  | 'usage'
  | 'session_not_found'
  | 'state_not_found'
  | 'key_not_found'
  | 'not_found'
  | 'bad_request'
  | 'payload_too_large'
  | 'value_too_large'
  | 'invalid_input'
  | 'wrong_type'
  | 'number_out_of_range'
  | 'too_deep'
  | 'too_many_keys'
  | 'idempotency_mismatch'
  | 'ambiguous_id'
  | 'no_session'
  | 'precondition_required'
  | 'version_conflict'
  | 'already_exists'
  | 'session_ended'
  | 'illegal_transition'
  | 'fenced'
  | 'held_by_other'
  | 'compacted'
  | 'busy'
  | 'unavailable'
  | 'timeout'
  | 'outcome_unknown'
  | 'storage_error'
  | 'store_too_new'
  | 'store_too_old'
  | 'disk_full'
  | 'root_full'
  | 'unauthorized'
  | 'forbidden'
  | 'host_not_allowed'
  | 'origin_not_allowed'
  | 'method_not_allowed'
  | 'unsupported_media_type'
  | 'looks_like_secret'
  | 'history_lost'
  | 'rate_limited'
  | 'in_use'
  | 'bad_cut'
  | 'cycle'
  | 'unknown_dependency'
  | 'not_trusted'
  | 'internal'

/** A refusal of Cairn: the codes are its own. */
export type Refusal = JsonRefusal<RefusalCode>
export const Refusal = JsonRefusal<RefusalCode>

export function refuse(
  code: RefusalCode,
  message: string,
  hint: string,
  details?: Readonly<Record<string, Json>>,
): Refusal {
  return new Refusal(code, message, hint, details)
}

/** A refusal as an error, for callers who await an answer. */
export class CairnRefusal extends Error {
  readonly code: RefusalCode
  /** What to do about it. */
  readonly hint: string
  readonly details: Readonly<Record<string, Json>>
  /** Private, so that Node does not print all of it a second time where nobody catches it. */
  readonly #refusal: Refusal

  /** The library and the client alone are two files with a class of this name each; both know the refusals of either. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return thrown instanceof Error && thrown.name === 'CairnRefusal'
  }

  /** @internal */
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.name = 'CairnRefusal'
    this.#refusal = refusal
    this.code = refusal.code
    this.hint = refusal.hint
    this.details = refusal.details
  }

  /** @internal */
  get refusal(): Refusal {
    return this.#refusal
  }

  /** In one line, as `${error}` shows it. */
  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message} ${this.hint}`
  }
}

export function isRefused(error: unknown, ...codes: readonly string[]): error is CairnRefusal {
  return error instanceof CairnRefusal && codes.includes(error.code)
}
