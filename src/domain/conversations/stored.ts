import type { JsonObject } from '../../json/value.ts'

/** The forms in which providers take and give messages: Anthropic Messages, OpenAI Chat Completions, OpenAI Responses. */
export const forms = ['anthropic', 'openai', 'responses'] as const
export type Form = (typeof forms)[number]

/** What the facts of a conversation that hold a message are called. */
export type MessageType = 'system_message' | 'user_message' | 'assistant_message' | 'tool_result'

/** Text or bytes of a message that are kept as a blob; in the message an empty text stands at that place. */
export interface BlobPlace {
  readonly path: readonly (string | number)[]
  readonly hash: string
  /** Of what the blob holds. */
  readonly bytes: number
  /** How the blob's bytes are written in the message. */
  readonly encoding: 'utf8' | 'base64'
}

/** A tool call of an assistant message; its arguments stand in the message. */
export interface CallPlace {
  readonly id: string
  readonly name: string
  /** Which block, entry of `tool_calls` or item of the message it is. */
  readonly at: number
}

/** What one message of a provider is kept as: one of these for each event that holds a message. */
export interface Stored {
  readonly type: MessageType
  /** Whose form `message` is in; a message that is nothing but a role and a text belongs to none. */
  readonly form?: Form
  /** The provider's own form, once. Of a tool result: its block, tool message or item. */
  readonly message: JsonObject
  /** Of a tool result: the id of its call. */
  readonly call?: string
  /** It was one message of the provider together with the one before it. */
  readonly joined?: true
}
