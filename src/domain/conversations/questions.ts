import { pastQuestion, questions } from '../log/questions.ts'
import { type Past, past, type Text } from '../log/sql/text.ts'
import type { EventRow } from '../log/tables.ts'

/** An event of a conversation, as messages are made from it. */
export type ContextMessage = Pick<EventRow, 'seq' | 'version' | 'type' | 'data'>

/** …and as it is shown. */
export type ContextEvent = ContextMessage & Pick<EventRow, 'at'>

/** An event that says what is visible after it. */
export type ContextLeaves = Pick<EventRow, 'seq' | 'version' | 'type' | 'at'>

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
export const aboutConversations = questions({
  /** Of a stream: after a version and up to another. */
  context_events: pastQuestion<ContextEvent>(events(`${message}, v.at`)),
  /** The same without what makes no message. */
  context_messages: pastQuestion<ContextMessage>(events(message, isMessage)),
  /** How long their bodies are in all; of a long one only its length is looked at. */
  context_bytes: pastQuestion<{ bytes: number }>(bytes()),
  context_bytes_marked: pastQuestion<{ bytes: number }>(bytes(isMarked)),
  /** Those alone that say what is visible after them. */
  context_leaves: pastQuestion<ContextLeaves>(events('v.seq, v.version, v.type, v.at', isLeaves)),
  /** Both for those alone that a text of 0 and 1 marks, from the version after the first on. */
  context_events_marked: pastQuestion<ContextEvent>(events(`${message}, v.at`, isMarked)),
  context_messages_marked: pastQuestion<ContextMessage>(events(message, isMessage, isMarked)),
})
