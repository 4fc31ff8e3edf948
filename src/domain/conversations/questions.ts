import type { EventRow } from '../log/tables.ts'

/** An event of a conversation, as messages are made from it. */
export type ContextMessage = Pick<EventRow, 'seq' | 'version' | 'type' | 'data'>

/** …and as it is shown. */
export type ContextEvent = ContextMessage & Pick<EventRow, 'at'>

/** An event that says what is visible after it. */
export type ContextLeaves = Pick<EventRow, 'seq' | 'version' | 'type' | 'at'>

/** What the store can be asked about conversations. */
export interface ConversationQuestions {
  /** Of a stream: after a version and up to another. */
  context_events: ContextEvent
  /** The same without what makes no message. */
  context_messages: ContextMessage
  /** How long their bodies are in all; of a long one only its length is looked at. */
  context_bytes: { bytes: number }
  context_bytes_marked: { bytes: number }
  /** Those alone that say what is visible after them. */
  context_leaves: ContextLeaves
  /** Both for those alone that a text of 0 and 1 marks, from the version after the first on. */
  context_events_marked: ContextEvent
  context_messages_marked: ContextMessage
}

declare module '../log/questions.ts' {
  interface Questions extends ConversationQuestions {}
}
