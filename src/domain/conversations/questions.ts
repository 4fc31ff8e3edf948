import type { EventRow } from '../log/tables.ts'

/** An event of a conversation, as messages are made from it. */
export type ContextEvent = Pick<EventRow, 'seq' | 'version' | 'type' | 'data' | 'at' | 'session_no'>

/** What the store can be asked about conversations. */
export interface ConversationQuestions {
  /** Of a stream: after a version and up to another. */
  context_events: ContextEvent
}

declare module '../log/questions.ts' {
  interface Questions extends ConversationQuestions {}
}
