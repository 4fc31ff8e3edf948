import { integer, optional } from '../../domain/log/input-schema.ts'
import { pageMax } from '../../domain/log/limits.ts'
import { ask } from '../../domain/log/questions.ts'
import { chooseKeys } from '../../domain/state/summary.ts'
import type { Json } from '../../json/value.ts'
import { read } from '../operation.ts'
import { showKey } from './get.ts'

/** What goes into the prompt of an agent without crowding out its work. */
const keysUsual = 10
const bytesUsual = 2000
/** More than this is no summary; state get has the whole. */
const bytesMax = 65_536

export const stateSummary = read({
  name: 'state.summary',
  summary: 'Show as much of the state as fits into a prompt, what changed last first.',
  command: { words: ['state summary'] },
  input: {
    max_keys: optional(integer('At most so many keys; 10 unless given.', { min: 1, max: pageMax })),
    max_bytes: optional(integer('At most so many bytes of JSON; 2000 unless given.', { min: 100, max: bytesMax })),
  },
  snapshot: true,
  *read(input, { root, rootId }, now) {
    const chosen = yield* chooseKeys(root, input.max_keys ?? keysUsual, input.max_bytes ?? bytesUsual, now)
    const summary: { [key: string]: Json } = {}
    for (const key of chosen.keys) {
      const [row] = yield* ask('key_now', root, key)
      if (row !== undefined) summary[key] = (yield* showKey(row)).value
    }
    // An object puts names that are numbers first; the list has the order.
    return { root_session_id: rootId, summary: { ...summary, ...chosen.marks }, keys: [...chosen.keys] }
  },
})
