import type { ConversationQuestions } from '../../domain/conversations/questions.ts'
import { type Past, past, type Text } from './text.ts'

/** Of a stream ($2): after a version ($3) and up to another ($4). */
function stretch(p: Past): string {
  return `${p.where()} AND v.stream = $2 AND v.version > $3 AND v.version <= $4`
}

function order(p: Past): string {
  return `ORDER BY ${p.isForked ? 'g.after, ' : ''}v.version`
}

/** About conversations. */
export const conversationQuestions = {
  context_events: past(
    'events',
    (p) => `SELECT v.seq, v.version, v.type, v.data, v.at FROM ${p.from} WHERE ${stretch(p)} ${order(p)}`,
  ),
  context_messages: past(
    'events',
    (p) => `SELECT v.seq, v.version, v.type, v.data FROM ${p.from}
      WHERE ${stretch(p)} AND v.type <> 'tool_call' ${order(p)}`,
  ),
} satisfies Record<keyof ConversationQuestions, Text>
