import type { RefusalCode } from '../../domain/refusal.ts'

/** What the exit codes of the program mean; shown in its help. */
export const exitMeanings = {
  0: 'done',
  1: 'a fault of the program itself, or a run that ended in failure',
  2: 'usage: an unknown command or flag, or an argument that is missing',
  3: 'not found',
  4: 'refused: the input is not acceptable',
  5: 'conflict: somebody else was faster, or the session has ended',
  6: 'unavailable: the store is busy, full, damaged or out of reach',
} as const

export type Exit = keyof typeof exitMeanings

/** The exit code of every refusal: a new code without a line here does not compile. */
export const exits: Record<RefusalCode, Exit> = {
  usage: 2,
  session_not_found: 3,
  state_not_found: 3,
  key_not_found: 3,
  not_found: 3,
  bad_request: 4,
  payload_too_large: 4,
  value_too_large: 4,
  invalid_input: 4,
  wrong_type: 4,
  number_out_of_range: 4,
  too_deep: 4,
  too_many_keys: 4,
  idempotency_mismatch: 4,
  ambiguous_id: 4,
  no_session: 4,
  precondition_required: 4,
  version_conflict: 5,
  already_exists: 5,
  session_ended: 5,
  illegal_transition: 5,
  fenced: 5,
  held_by_other: 5,
  compacted: 5,
  busy: 6,
  unavailable: 6,
  outcome_unknown: 6,
  storage_error: 6,
  store_too_new: 6,
  disk_full: 6,
  internal: 1,
}
