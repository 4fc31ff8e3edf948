import { foldName } from '../../domain/log/identity.ts'
import { integer, text } from '../../domain/log/input-schema.ts'
import type { RangeRef } from '../../domain/log/rows.ts'
import { clientName, numberedName } from '../../domain/sessions/client-name.ts'
import { bindProcess } from '../../domain/sessions/process.ts'
import { sessionNames } from '../../domain/sessions/tables.ts'
import { change } from '../operation.ts'
import { checkRoom, creatingRefs, recordCreated } from './create.ts'

/** What says which process one is; it stands in no event. */
export const processInput = {
  host: text('The name of the machine that the process runs on.', { max: 256 }),
  boot: text('The life of that machine.', { max: 256 }),
  space: text('The space that its pid counts in.', { min: 0, max: 256 }),
  pid: integer('Its pid.', { min: 1 }),
  started: text('When it was started, as its system says.', { min: 0, max: 256 }),
}

/** The names of all that such a client was before it. A number is followed by the hyphen's next neighbour in no name. */
function namesLike(base: string): RangeRef {
  const begin = foldName(base)
  return { table: sessionNames, range: { column: 'folded', from: `${begin}-`, to: `${begin}.` } }
}

/** No command offers it: who joins must live on, and a command does not. */
export const sessionJoin = change({
  name: 'session.join',
  summary:
    'Join as a client without a session of its own: a child with the next free number, which ends with its process.',
  command: { words: [] },
  reach: 'owner',
  input: { client: text('What the client calls itself.', { min: 0, max: 4096 }), ...processInput },
  needs: ({ client }) => [...creatingRefs, namesLike(clientName(client))],
  decide({ client, ...process }, on) {
    const refusal = checkRoom(on)
    if (refusal) return refusal
    const topic = clientName(client)
    const name = numberedName(topic, (wanted) => on.rows.get(sessionNames, foldName(wanted)) !== undefined)
    const { no, id, slug, status } = recordCreated(on, { topic, name })
    bindProcess(on, no, process)
    return { session_id: id, root_session_id: on.rows.id, session_name: name, slug, status }
  },
})
