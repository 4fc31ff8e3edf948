import { messageBehind, type SaidMessage } from '../../domain/conversations/behind.ts'
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
