import type { Event } from '../log/event.ts'
import type { EvolvingOf } from '../log/evolve.ts'
import type { Part } from '../log/part.ts'
import type { Rows } from '../log/rows.ts'
import { type ConversationFact, conversationOf, type MessageRecorded } from './facts.ts'
import { foreignConversations } from './foreign.ts'
import { hiddenMessages } from './hidden.ts'
import { digestOfMessage, idOf, putId } from './ids.ts'
import { contextIds, conversations } from './tables.ts'
import { leaveVisible } from './visible/visible.ts'

const evolve: EvolvingOf<ConversationFact> = {
  system_message: putMessage,
  user_message: putMessage,
  assistant_message: putMessage,
  tool_call(rows, event) {
    const { call, in: version } = event.data
    putId(rows, noOf(event), idOf('c', call), { seq: event.seq, version, takes: 1, digest: '' })
  },
  tool_result(rows, event) {
    const { call, message, takes = 1 } = event.data
    const given = { seq: event.seq, version: event.version, takes, digest: digestOfMessage(message) }
    putId(rows, noOf(event), idOf('r', call), given)
  },
  context_rewound: leave,
  context_compacted: leave,
  context_copied: leave,
}

function putMessage(rows: Rows, event: Event & { data: MessageRecorded }): void {
  const { id, message, takes = 1 } = event.data
  if (id === undefined) return
  const given = { seq: event.seq, version: event.version, takes, digest: digestOfMessage(message) }
  putId(rows, noOf(event), idOf('m', id), given)
}

function leave(rows: Rows, event: Extract<Event, { type: `context_${string}` }>): void {
  leaveVisible(rows, event, noOf(event), event.data)
}

function noOf({ stream }: Event): number {
  const no = conversationOf(stream)
  if (no === undefined) throw new Error(`${stream} is no conversation`)
  return no
}

/** What each session said and was told: messages of its model, calls of tools and their results. */
export const conversationsPart: Part = {
  name: 'conversations',
  owns: (stream) => conversationOf(stream) !== undefined,
  tables: [conversations, contextIds],
  evolve,
  bodies: 'may be absent',
  secrets: 'redact',
  foreign: foreignConversations,
  hidden: hiddenMessages,
}
