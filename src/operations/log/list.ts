import { showEvent } from '../../domain/log/event.ts'
import { historyLost } from '../../domain/log/history.ts'
import { integer, optional, text } from '../../domain/log/input-schema.ts'
import { ask, askRow } from '../../domain/log/questions.ts'
import { roots } from '../../domain/log/tables.ts'
import { limit } from '../inputs.ts'
import { read } from '../operation.ts'

export const logList = read({
  name: 'log.list',
  summary: 'List the events of the root in order: everything that happened, and who did it.',
  command: { words: ['log'] },
  input: {
    since: optional(integer('Only those after this sequence number.')),
    limit,
    stream: optional(text('Only this stream: state, session/0, session/1 …', { max: 128 })),
  },
  snapshot: true,
  *read(input, { root, rootId }) {
    const limit = input.limit ?? 100
    const since = input.since ?? 0
    const rows =
      input.stream === undefined
        ? yield* ask('events_since', root, since, limit + 1)
        : yield* ask('events_of_stream', root, input.stream, 0, since, limit + 1)
    const head = yield* askRow(roots, root)
    if (since > (head?.seq ?? 0)) return historyLost('log', head?.seq ?? 0, since)
    const shown = rows.slice(0, limit).map(showEvent)
    return { root_session_id: rootId, events: shown, has_more: rows.length > limit, last_seq: head?.seq ?? 0 }
  },
})
