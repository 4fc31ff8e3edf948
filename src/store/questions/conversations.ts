import type { ConversationQuestions } from '../../domain/conversations/questions.ts'
import { past, type Text } from './text.ts'

/** About conversations. */
export const conversationQuestions = {
  context_events: past(
    'events',
    (p) => `SELECT v.seq, v.version, v.type, v.data, v.at, v.session_no FROM ${p.from}
      WHERE ${p.where()} AND v.stream = $2 AND v.version > $3 AND v.version <= $4
      ORDER BY ${p.isForked ? 'g.after, ' : ''}v.version`,
  ),
} satisfies Record<keyof ConversationQuestions, Text>
