import type { ConversationQuestions } from '../../domain/conversations/questions.ts'
import { type Past, past, type Text } from './text.ts'

/** Of a stream ($2): after a version ($3) and up to another ($4). */
function stretch(p: Past): string {
  return `${p.where()} AND v.stream = $2 AND v.version > $3 AND v.version <= $4`
}

function order(p: Past): string {
  return `ORDER BY ${p.isForked ? 'g.after, ' : ''}v.version`
}

const isLeaves = `AND v.type IN ('context_rewound', 'context_compacted', 'context_copied')`
const isMessage = `AND v.type <> 'tool_call'`
/** What is hidden between stretches is stepped over, and not read ($5). */
const isMarked = `AND substr($5, CAST(v.version - $3 AS INTEGER), 1) = '1'`

function bytes(...conditions: string[]): Text {
  return past('events', (p) => {
    const sum = 'CAST(coalesce(sum(octet_length(v.data)), 0) AS BIGINT) AS bytes'
    return `SELECT ${sum} FROM ${p.from} WHERE ${stretch(p)} ${conditions.join(' ')}`
  })
}

function events(columns: string, ...conditions: string[]): Text {
  return past(
    'events',
    (p) => `SELECT ${columns} FROM ${p.from} WHERE ${stretch(p)} ${conditions.join(' ')} ${order(p)}`,
  )
}

const message = 'v.seq, v.version, v.type, v.data'

/** About conversations. */
export const conversationQuestions = {
  context_events: events(`${message}, v.at`),
  context_messages: events(message, isMessage),
  context_bytes: bytes(),
  context_bytes_marked: bytes(isMarked),
  context_leaves: events('v.seq, v.version, v.type, v.at', isLeaves),
  context_events_marked: events(`${message}, v.at`, isMarked),
  context_messages_marked: events(message, isMessage, isMarked),
} satisfies Record<keyof ConversationQuestions, Text>
