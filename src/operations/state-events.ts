import { stateStream } from '../domain/event.ts'
import { isoTime } from '../domain/identity.ts'
import { ask, type EventShown } from '../domain/questions.ts'
import { type Refusal, refuse } from '../domain/refusal.ts'
import { integer, optional } from '../domain/schema.ts'
import { limit } from './inputs.ts'
import { read } from './operation.ts'

/** Whoever would be given mutations without their values is told where they begin again. */
function compactedUntil(row: EventShown): Refusal {
  const message = `Mutations up to version ${row.version} were compacted.`
  return refuse('compacted', message, `Ask for those since ${row.version}.`, { resume_since: row.version })
}

export const stateEvents = read({
  name: 'state.events',
  summary: 'List the mutations of the state in order, from a version of the state on.',
  command: { words: ['state events'] },
  input: { since: optional(integer('Only those after this version of the state.')), limit },
  snapshot: false,
  *read(input, { root }) {
    const limit = input.limit ?? 100
    const rows = yield* ask('events_of_stream', root, stateStream, input.since ?? 0, 0, limit + 1)
    const removed = rows.slice(0, limit).findLast((row) => row.data === null)
    if (removed !== undefined) return compactedUntil(removed)
    const shown = rows.slice(0, limit).map((row) => ({
      event_id: row.id,
      type: row.type,
      key: row.key,
      ...JSON.parse(row.data ?? '{}'),
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
