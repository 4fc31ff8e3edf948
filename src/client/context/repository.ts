import type { Form } from '../../domain/conversations/stored.ts'
import type { JsonObject } from '../../json/value.ts'

/** One agent: a session below a root, with a conversation of its own. */
export interface AgentInstance {
  readonly id: string
  /** The root session that it works in. */
  readonly sessionId: string
  readonly agentName: string
  readonly parentInstanceId: string | null
  readonly createdAt: string
}

export type ContextEventType =
  | 'system_message'
  | 'user_message'
  | 'assistant_message'
  | 'tool_call'
  | 'tool_result'
  | 'context_compacted'

/** One event of a conversation; it never changes. */
export interface ContextEvent {
  readonly sequenceNumber: number
  readonly eventType: ContextEventType
  /** The message in the form of its provider; of a call `{id, name, arguments}`; of a compaction `{summary, from, upto}`. */
  readonly content: JsonObject
  /** Of a call and of its result. */
  readonly toolCallId?: string
  readonly createdAt: string
  /** Whose form the message is in; one that is nothing but a role and a text is in none. */
  readonly form?: Form
  /** It was one message of the provider together with the one before it. */
  readonly joined?: true
  /** Of a result: nobody knows whether the tool ran. */
  readonly outcome?: 'unknown'
}

/** An event that was just recorded. */
export type AppendedEvent = Omit<ContextEvent, 'createdAt'>

export interface AppendOptions {
  /** The provider's id of the message: with the same id it is recorded once. */
  readonly id?: string | undefined
}

/** Where conversations are kept. Numbers of events are never used twice, also when events are taken back. */
export interface ContextRepository {
  createInstance(sessionId: string, agentName: string, parentId?: string): Promise<AgentInstance>
  getInstance(instanceId: string): Promise<AgentInstance | undefined>
  /** The event that was recorded, with the last number that it took: an assistant's message takes one more for each call. */
  appendEvent(
    instanceId: string,
    eventType: ContextEventType,
    content: JsonObject,
    toolCallId?: string,
    options?: AppendOptions,
  ): Promise<AppendedEvent>
  /** In their order, from a number on, up to another where that is given. */
  getEvents(instanceId: string, fromSequence?: number, upToSequence?: number): Promise<ContextEvent[]>
  /** The number that was taken last; 0 before the first. */
  getLastSequence(instanceId: string): Promise<number>
  /** Takes back what came after a number; says how many events that were. A store hides them and keeps them readable. */
  deleteEventsAfter(instanceId: string, sequenceNumber: number): Promise<number>
  /** Appends the events of one conversation to another; says how many. */
  copyEvents(sourceInstanceId: string, targetInstanceId: string, upToSequence?: number): Promise<number>
}
