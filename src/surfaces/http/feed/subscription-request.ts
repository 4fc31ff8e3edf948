import { typesIn } from '../../../domain/log/feed-filter.ts'
import { integer, list, type Output, object, optional, text } from '../../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../../domain/log/refusal.ts'

/** What can stand in the query of the feed. */
export const subscriptionQuery = object({
  root: optional(text('Everything below the root of this session; all roots without it.', { max: 512 })),
  session: optional(text('Only what this session did.', { max: 512 })),
  stream: optional(text('Only this stream, such as state.', { max: 64 })),
  type: optional(
    list(
      'Only these types of messages or events; given once with commas, or several times.',
      text('A type of messages or events.', { min: 0, max: 64 }),
    ),
  ),
  since: optional(integer('The last sequence that was seen; from now on without it.')),
})

/** What a reader asked for. */
export type SubscriptionRequest = Output<typeof subscriptionQuery>

/** `last` is what a browser sends when it comes back: the last sequence it was told. */
export function subscriptionRequestOf(query: URLSearchParams, last: string | undefined): SubscriptionRequest | Refusal {
  const { session_id: id, ...rest } = Object.fromEntries(query)
  // Messages call it so, and so may whoever asks for them.
  const said: Record<string, unknown> = id === undefined ? rest : { session: id, ...rest }
  if (query.has('type')) said.type = typesIn(query.getAll('type'))
  const since = last ?? said.since
  if (since !== undefined) said.since = /^\d{1,15}$/.test(String(since)) ? Number(since) : since
  const checked = subscriptionQuery.check(said, '')
  return checked instanceof Refusal ? refuse('bad_request', checked.message, checked.hint, checked.details) : checked
}
