import { outgoingMessage } from '../../../client/context/outgoing-message.ts'
import { secretsOf } from '../../../domain/conversations/secret-values.ts'
import type { JsonObject } from '../../../json/value.ts'
import type { Asked } from '../registry/presentation.ts'
import type { Request } from '../request.ts'

/** The members of a message that a line may give one by one. */
const parts = ['role', 'content', 'tool_calls', 'tool_call_id']

/** The input of `context append`, as a program of one's own sends it: without values of secret variables, and what is large uploaded. */
export async function sentMessage({ request: { input }, performer }: Asked): Promise<Request['input']> {
  const session = typeof input.session === 'string' ? input.session : undefined
  const given = input.message ?? Object.fromEntries(Object.entries(input).filter(([name]) => parts.includes(name)))
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return input
  const { message, blobs } = await outgoingMessage(given as JsonObject, {
    secrets: input.allow_secret === true ? [] : secretsOf(process.env),
    upload: (content) => performer.blobs.put({ session, content }),
  })
  return { ...input, ...(input.message === undefined ? message : { message }), ...(blobs && { blobs }) }
}
