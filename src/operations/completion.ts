import { optional, text } from '../domain/log/input-schema.ts'
import { ask } from '../domain/log/questions.ts'
import { aboutSessions } from '../domain/sessions/questions.ts'
import { afterPrefix } from '../domain/state/key-prefix.ts'
import { aboutState } from '../domain/state/questions.ts'
import { read } from './operation.ts'

/** What a shell offers at the press of a key; nobody reads more than this. */
const offeredMax = 200

/** Not in the list of operations: only command lines ask these, to complete what is typed and to call sessions by their names. */

export const keyNames = read({
  name: 'completion.keys',
  summary: 'The names of the keys with this prefix.',
  command: { words: [] },
  input: { prefix: optional(text('The beginning.', { min: 0 })) },
  snapshot: false,
  *read({ prefix = '' }, { root }) {
    const rows = yield* ask(aboutState.key_names, root, prefix, afterPrefix(prefix), offeredMax)
    return { keys: rows.map(({ key }) => key) }
  },
})

export const sessionNames = read({
  name: 'completion.sessions',
  summary: 'What the sessions of a root are called.',
  command: { words: [] },
  input: {},
  snapshot: false,
  *read(_input, { root }) {
    const rows = yield* ask(aboutSessions.sessions_of_root, root)
    return { sessions: rows.map(({ id, name, slug, topic }) => ({ session_id: id, session_name: name, slug, topic })) }
  },
})
