import { messageBehind, type SaidMessage } from '../../domain/conversations/behind.ts'
import type { Asking } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { expiredUnnoticed } from '../../domain/state/past/history.ts'
import { resolvePoint } from '../../domain/state/past/past.ts'
import { reasonsOf, showReason } from '../../domain/state/past/why.ts'
import { key, limit, past } from '../inputs.ts'
import { read } from '../operation.ts'

/** A value that was built up in more steps than this is explained by the newest of them. */
const reasonsUsual = 20

/** An event, with the message of the agent that made it call the tool. */
type Reason = ReturnType<typeof showReason> & { message?: SaidMessage }

export const stateWhy = read({
  name: 'state.why',
  summary: 'Explain why a key has its value: the events behind it and who made them.',
  command: {
    words: ['why', 'state why'],
    positional: ['key'],
    topic: 'Look',
    examples: ['cairn why done', 'cairn why done --at 40'],
  },
  input: { key, ...past, limit },
  snapshot: true,
  *read(input, { root }, now) {
    const point = yield* resolvePoint(root, input)
    if (point instanceof Refusal) return point
    const reasons = yield* reasonsOf(root, input.key, input.limit ?? reasonsUsual, point)
    if (reasons instanceof Refusal) return reasons
    const expired = point === undefined ? expiredUnnoticed(reasons, now) : {}
    const events: Reason[] = []
    for (const made of reasons.versions) {
      const said = yield* messageBehind(root, made.session_no, made.cause)
      events.push({ ...showReason(made), ...(said && { message: said }) })
    }
    return { key: input.key, events, has_more: reasons.hasMore, ...expired }
  },
})

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
