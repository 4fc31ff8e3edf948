import type { Event } from '../log/event.ts'
import { type BodyShapes, checkBody, checkNoKey, impossible } from '../log/foreign-body.ts'
import { flag, integer, jsonList, jsonObject, object, oneOf, optional, text } from '../log/input-schema.ts'
import type { ForeignFacts } from '../log/part.ts'
import type { Refusal } from '../log/refusal.ts'
import type { Rows } from '../log/rows.ts'
import { sessions } from '../sessions/tables.ts'
import { type ConversationFact, conversationOf, type Stretch } from './facts.ts'
import { idCharsMax, summaryCharsMax } from './members.ts'
import { forms } from './stored.ts'

const id = text('An id that a provider gave.', { max: idCharsMax })
const version = integer('A version of a conversation.')
const visible = jsonList('What is visible.')

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
  context_rewound: object({ visible, to: version }),
  context_compacted: object({
    visible,
    summary: text('What stands for the messages.', { max: summaryCharsMax }),
    from: version,
    upto: version,
  }),
  context_copied: object({ visible, from: version, upto: version }),
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
    return 'visible' in event.data ? checkVisible(rows, event, event.data.visible) : undefined
  },
}

/** Stretches of conversations that are there, of versions before this one, or of this very one. */
function checkVisible(rows: Rows, event: Event, stretches: readonly Stretch[]): Refusal | undefined {
  const own = conversationOf(event.stream)
  const isPossible = (each: unknown): boolean => {
    if (!Array.isArray(each) || each.length !== 3 || !each.every((part) => Number.isSafeInteger(part))) return false
    const [no, from, upto] = each as [number, number, number]
    return rows.get(sessions, no) !== undefined && from > 0 && from <= upto && (no !== own || upto <= event.version)
  }
  return stretches.every(isPossible) ? undefined : impossible('It leaves visible what cannot be there.')
}
