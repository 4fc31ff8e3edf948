import type { Refusal, RefusalCode } from '../../../domain/log/refusal.ts'

/** The HTTP status of every refusal: a new code without a line here does not compile. */
export const statuses: Record<RefusalCode, number> = {
  usage: 400,
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  host_not_allowed: 403,
  origin_not_allowed: 403,
  session_not_found: 404,
  state_not_found: 404,
  key_not_found: 404,
  not_found: 404,
  method_not_allowed: 405,
  version_conflict: 409,
  already_exists: 409,
  session_ended: 409,
  illegal_transition: 409,
  fenced: 409,
  held_by_other: 409,
  history_lost: 409,
  compacted: 410,
  payload_too_large: 413,
  value_too_large: 413,
  unsupported_media_type: 415,
  invalid_input: 422,
  wrong_type: 422,
  number_out_of_range: 422,
  too_deep: 422,
  too_many_keys: 422,
  idempotency_mismatch: 422,
  ambiguous_id: 422,
  bad_cut: 422,
  cycle: 422,
  unknown_dependency: 422,
  not_trusted: 422,
  no_session: 422,
  looks_like_secret: 422,
  root_full: 422,
  precondition_required: 428,
  rate_limited: 429,
  internal: 500,
  busy: 503,
  unavailable: 503,
  store_too_new: 503,
  store_too_old: 503,
  in_use: 503,
  outcome_unknown: 504,
  timeout: 504,
  storage_error: 507,
  disk_full: 507,
}

/** The header `Retry-After` of a refusal that passes: whole seconds, though the body may say it more exactly. */
export function retrySeconds({ details: { retry_after: seconds, retry_after_ms: ms } }: Refusal): number {
  if (typeof ms === 'number') return Math.max(1, Math.ceil(ms / 1000))
  return typeof seconds === 'number' ? seconds : 1
}
