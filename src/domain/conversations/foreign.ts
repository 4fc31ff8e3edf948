import type { Event } from '../log/event.ts'
import { type BodyShapes, checkBody, checkNoKey, impossible } from '../log/foreign-body.ts'
import { flag, integer, jsonList, jsonObject, object, oneOf, optional, text } from '../log/input-schema.ts'
import type { ForeignFacts } from '../log/part.ts'
import type { Refusal } from '../log/refusal.ts'
import type { Rows } from '../log/rows.ts'
import { streams } from '../log/tables.ts'
import { sessions } from '../sessions/tables.ts'
import { type ConversationFact, contextStream, conversationOf, type Leaves } from './facts.ts'
import { idCharsMax, summaryCharsMax } from './members.ts'
import { forms } from './stored.ts'

const id = text('An id that a provider gave.', { max: idCharsMax })
const version = integer('A version of a conversation.')
const leaves = {
  visible: jsonList('What is visible.'),
  on: optional(jsonList('What that is behind.')),
}

const message = {
  form: optional(oneOf('Whose form it is in.', forms)),
  message: jsonObject('The form of the provider.'),
  joined: optional(flag('It was one message with the one before it.')),
  id: optional(id),
  takes: optional(version),
  blobs: optional(jsonList('What is kept as blobs.')),
  redacted: optional(jsonList('What was replaced.')),
}

const shapes: BodyShapes<ConversationFact> = {
  system_message: object(message),
  user_message: object(message),
  assistant_message: object(message),
  tool_call: object({ call: id, name: text('Which tool.', { max: idCharsMax }), in: version, at: version }),
  tool_result: object({ ...message, call: id, in: version, outcome: optional(oneOf('What is known.', ['unknown'])) }),
  context_rewound: object({ ...leaves, to: version }),
  context_compacted: object({
    ...leaves,
    summary: text('What stands for the messages.', { max: summaryCharsMax }),
    from: version,
    upto: version,
  }),
  context_copied: object({ ...leaves, from: version, upto: version }),
}

type ConversationEvent = Event & ConversationFact

/** Whether a root could have recorded this of a conversation. What it says of messages is taken as it is. */
export const foreignConversations: ForeignFacts = {
  check(rows, given, limits) {
    const event = given as ConversationEvent
    const refusal = checkNoKey(event) ?? checkBody(shapes, event, limits)
    if (refusal) return refusal
    const no = conversationOf(event.stream)
    if (no === undefined || rows.get(sessions, no) === undefined) return impossible('There is no such session.')
    return 'visible' in event.data ? checkVisible(rows, event, event.data) : undefined
  },
}

/** Stretches of versions that are there, this very one among them; behind those of an earlier event, so that none are behind themselves. */
function checkVisible(rows: Rows, event: Event, { visible, on }: Leaves): Refusal | undefined {
  const own = conversationOf(event.stream)
  const last = (no: number) => (no === own ? event.version : (rows.get(streams, contextStream(no))?.version ?? 0))
  const isThere = (no: number, version: number) =>
    rows.get(sessions, no) !== undefined && version > 0 && version <= last(no)
  const isStretch = (each: unknown) => isThree(each) && isThere(each[0], each[2]) && each[1] > 0 && each[1] <= each[2]
  const isBase = isThree(on) && isThere(on[0], on[1]) && on[2] >= 0 && (on[0] !== own || on[1] < event.version)
  const isPossible = visible.every(isStretch) && (on === undefined || isBase)
  return isPossible ? undefined : impossible('It leaves visible what cannot be there.')
}

function isThree(each: unknown): each is [number, number, number] {
  return Array.isArray(each) && each.length === 3 && each.every((part) => Number.isSafeInteger(part))
}
