import { integer } from '../../domain/log/input-schema.ts'
import { ask } from '../../domain/log/questions.ts'
import { keyNotFound } from '../../domain/state/mutation.ts'
import { showVersion } from '../../domain/state/past/past.ts'
import { key } from '../inputs.ts'
import { read } from '../operation.ts'

/** What became of a key by an event: its version, and its value unless it is gone. The feed tells it; no surface offers it. */
export const stateAfter = read({
  name: 'state.after',
  summary: 'Read a key as an event left it.',
  command: { words: [] },
  input: { key, seq: integer('The place of the event in the log.') },
  snapshot: false,
  *read(input, { root }) {
    const [row] = yield* ask('key_at', root, input.key, input.seq)
    if (row === undefined) return keyNotFound(input.key)
    if (row.kind === 'gone') return { version: row.version }
    const { version, value } = yield* showVersion(row)
    return { version, value }
  },
})
