import { checkHash } from '../../domain/blobs/blob.ts'
import { append, appendRefs } from '../../domain/conversations/append.ts'
import type { Given } from '../../domain/conversations/forms/read.ts'
import { idCharsMax } from '../../domain/conversations/members.ts'
import { checkSize, type Prepared, prepare } from '../../domain/conversations/prepare.ts'
import { type BlobPlace, forms } from '../../domain/conversations/stored.ts'
import { checkWriter, writerRefs } from '../../domain/conversations/writer.ts'
import {
  integer,
  json,
  jsonList,
  jsonObject,
  list,
  object,
  oneOf,
  optional,
  type Schema,
  text,
} from '../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import type { SessionRow } from '../../domain/sessions/tables.ts'
import type { Json, JsonObject } from '../../json/value.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'

/** A text, or blocks; on a command line a text. What is in them is looked at when the message is read. */
const content: Schema<Json> = {
  ...json('A text, or the blocks of the provider.'),
  kind: 'text',
  isProse: true,
  json: {
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }],
    description: 'A text, or the blocks of the provider.',
  },
}

const input = {
  role: optional(oneOf('Who says it.', ['system', 'user', 'assistant', 'tool'])),
  content: optional(content),
  tool_calls: optional(jsonList('Of an assistant: the tools it calls, as OpenAI writes them.')),
  tool_call_id: optional(text('Of a tool: the call that this is the result of.', { max: idCharsMax })),
  message: optional(jsonObject('Instead of all of these: a whole message in the form of its provider.')),
  id: optional(text('The provider’s id of the message: with the same id it is recorded once.', { max: idCharsMax })),
  form: optional(oneOf('Whose form it is in, if that is not plain from the message.', forms)),
  blobs: optional(
    list(
      'Content that was uploaded as blobs: where it stands in the message.',
      object({
        path: jsonList('The way to it, from the message.'),
        hash: text('The SHA-256 of it.', { check: checkHash }),
        bytes: integer('How many bytes it has.'),
        encoding: oneOf('How the message has it.', ['utf8', 'base64']),
      }),
    ),
  ),
}

interface Asked {
  role?: string
  content?: unknown
  tool_calls?: unknown
  tool_call_id?: string
  message?: JsonObject
  form?: string
  id?: string
  blobs?: unknown
  allow_secret?: boolean
}

/** A message is read, cleaned and hashed once, however often the decision is tried. */
const preparedOf = new WeakMap<object, Prepared | Refusal>()

function prepared(asked: Asked): Prepared | Refusal {
  const known = preparedOf.get(asked)
  if (known !== undefined) return known
  const given = givenMessage(asked)
  const made =
    given instanceof Refusal ? given : prepare(given, (asked.blobs ?? []) as BlobPlace[], asked.allow_secret === true)
  preparedOf.set(asked, made)
  return made
}

function givenMessage(asked: Asked): Given | Refusal {
  const { message, role, content, tool_calls, tool_call_id, form } = asked
  const parts = { role, content, tool_calls, tool_call_id }
  const given = Object.entries(parts).filter(([, value]) => value !== undefined)
  if (message !== undefined && given.length > 0) {
    const names = given.map(([name]) => name).join(', ')
    return refuse('invalid_input', `Both message and ${names} were given.`, 'Give the whole message, or its parts.')
  }
  return { ...(message ?? Object.fromEntries(given)), ...(form && { form }) } as unknown as Given
}

export const contextAppend = change({
  name: 'context.append',
  summary: 'Append a message to the conversation of a session.',
  command: {
    words: ['context append'],
    positional: ['session'],
    topic: 'Conversations',
    examples: [
      'cairn context append --role user --content "Where are we?"',
      'cairn context append 3f9a1c0b --role tool --tool-call-id call_1 --content @result.txt',
    ],
  },
  reach: 'subtree',
  input,
  needs(asked, rows, { no }) {
    const made = prepared(asked)
    return made instanceof Refusal ? [] : [...writerRefs(rows, no), ...appendRefs(rows, no, made, asked.id)]
  },
  decide(asked, on) {
    const made = prepared(asked)
    if (made instanceof Refusal) return made
    const session = on.session as SessionRow
    const refusal = mayWrite(on) ?? checkWriter(on, session) ?? checkSize(made, on.limits.valueBytes)
    if (refusal) return refusal
    const done = append(on, on.no, made, asked.id)
    if (done instanceof Refusal) return done
    const redacted = made.pieces.flatMap((piece) => [...piece.redacted])
    return { session_id: session.id, ...done, ...(redacted.length > 0 && { redacted }) }
  },
})
