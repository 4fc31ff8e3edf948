import { stateStream } from '../domain/event.ts'
import { isoTime } from '../domain/identity.ts'
import { ask } from '../domain/questions.ts'
import { integer, optional } from '../domain/schema.ts'
import { limit } from './inputs.ts'
import { read } from './operation.ts'

export const stateEvents = read({
  name: 'state.events',
  summary: 'List the mutations of the state in order, from a version of the state on.',
  command: { words: ['state events'] },
  input: { since: optional(integer('Only those after this version of the state.')), limit },
  snapshot: false,
  *read(input, { root }) {
    const limit = input.limit ?? 100
    const rows = yield* ask('events_of_stream', root, stateStream, input.since ?? 0, 0, limit + 1)
    const shown = rows.slice(0, limit).map((row) => ({
      event_id: row.id,
      type: row.type,
      key: row.key,
      ...(row.data === null ? {} : JSON.parse(row.data)),
      session_id: row.by,
      changed_by: row.by,
      timestamp: isoTime(row.at),
      seq: row.version,
      sequence_number: row.version,
      root_seq: row.seq,
    }))
    return { events: shown, has_more: rows.length > limit }
  },
})
