import type { BlobPlace, Stored } from './stored.ts'

const prefix = 'context/'

/** The conversation of a session. */
export function contextStream(no: number): string {
  return `${prefix}${no}`
}

/** The number of the session whose conversation a stream is; undefined for other streams. */
export function conversationOf(stream: string): number | undefined {
  if (!stream.startsWith(prefix)) return undefined
  const no = Number(stream.slice(prefix.length))
  return Number.isSafeInteger(no) && contextStream(no) === stream ? no : undefined
}

/** Versions of the conversation of a session, from one to another, both included: `[session, from, upto]`. */
export type Stretch = readonly [no: number, from: number, upto: number]

/** A message as it is recorded: the provider's own form, once. */
export interface MessageRecorded extends Omit<Stored, 'type' | 'call'> {
  /** The provider's id of it: a second message with the same id is the same message. */
  readonly id?: string
  /** How many versions one message of the provider took, where that is more than one; said of the first. */
  readonly takes?: number
  readonly blobs?: readonly BlobPlace[]
  /** What stood where it was replaced because it was a secret. */
  readonly redacted?: readonly { readonly path: string; readonly what: string }[]
}

/** A call of a tool; its arguments stand in the message. */
export interface ToolCallRecorded {
  readonly call: string
  readonly name: string
  /** The version of the message that it stands in, and which block, entry or item of it. */
  readonly in: number
  readonly at: number
}

export interface ToolResultRecorded extends MessageRecorded {
  readonly call: string
  /** The version of the message that its call stands in. */
  readonly in: number
  /** Nobody knows whether the tool ran. */
  readonly outcome?: 'unknown'
}

/** The stretches that an earlier event left visible: so many of its own, behind all that it builds on itself. */
export type Base = readonly [no: number, version: number, count: number]

/**
 * What is visible after something was hidden, replaced or brought in. A conversation that was rewound often has many stretches: then
 * only the last of them are said, and which event said those before.
 */
export interface Leaves {
  readonly visible: readonly Stretch[]
  readonly on?: Base
}

export type ConversationFact =
  | { type: 'system_message'; data: MessageRecorded }
  | { type: 'user_message'; data: MessageRecorded }
  | { type: 'assistant_message'; data: MessageRecorded }
  | { type: 'tool_call'; data: ToolCallRecorded }
  | { type: 'tool_result'; data: ToolResultRecorded }
  | { type: 'context_rewound'; data: Leaves & { to: number } }
  | { type: 'context_compacted'; data: Leaves & { summary: string; from: number; upto: number } }
  | { type: 'context_copied'; data: Leaves & { from: number; upto: number } }

declare module '../log/event.ts' {
  interface FactsOfParts {
    conversations: ConversationFact
  }
}
