import { messageBehind, type SaidMessage } from '../../domain/conversations/behind.ts'
import type { Asking } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { reasonsOf, showReason } from '../../domain/state/past/why.ts'

/** Who gave a key its value, and in which turn of whose conversation. */
export type KeyAuthor = {
  /** The session that wrote it, and what that is called. */
  session_id: string | null
  session_name: string | null
  /** The event that did it. */
  seq: number
  at: string
  /** Who asked for it: a token, or a person on this machine. */
  actor: string
  /** What it did, in a line. */
  did: string
  /** The run that it was done in; null where none is known. */
  run: string | null
  /** The message of that session's conversation that called for it; null where no turn is known. */
  message: SaidMessage | null
}

/** Of the value as it is, or was at a point; null where that past was removed. */
export function* authorOf(root: number, key: string, point: number | undefined): Asking<KeyAuthor | null> {
  const reasons = yield* reasonsOf(root, key, 1, point)
  const made = reasons instanceof Refusal ? undefined : reasons.versions[0]
  if (made === undefined) return null
  const { session_id, session_name, seq, at, actor, did } = showReason(made)
  const { run = null } = (made.cause === null ? {} : JSON.parse(made.cause)) as { run?: string }
  const message = (yield* messageBehind(root, made.session_no, made.cause)) ?? null
  return { session_id, session_name, seq, at, actor, did, run, message }
}
