import type { EventRow } from '../log/tables.ts'

/** An event of a conversation, as messages are made from it. */
export type ContextMessage = Pick<EventRow, 'seq' | 'version' | 'type' | 'data'>

/** …and as it is shown. */
export type ContextEvent = ContextMessage & Pick<EventRow, 'at'>

/** What the store can be asked about conversations. */
export interface ConversationQuestions {
  /** Of a stream: after a version and up to another. */
  context_events: ContextEvent
  /** The same without what makes no message. */
  context_messages: ContextMessage
}

declare module '../log/questions.ts' {
  interface Questions extends ConversationQuestions {}
}
