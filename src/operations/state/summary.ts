import { integer, optional } from '../../domain/log/input-schema.ts'
import { pageMax } from '../../domain/log/limits.ts'
import { type Asking, ask } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import type { KeyAnswer } from '../../domain/state/mutation.ts'
import { resolvePoint, showVersion } from '../../domain/state/past/past.ts'
import { aboutState } from '../../domain/state/questions.ts'
import { chooseKeys, chooseKeysAt } from '../../domain/state/summary.ts'
import type { Json } from '../../json/value.ts'
import { past } from '../inputs.ts'
import { read } from '../operation.ts'
import { showKey } from './get.ts'

/** What goes into the prompt of an agent without crowding out its work. */
const keysUsual = 10
const bytesUsual = 2000
/** More than this is no summary; state get has the whole. */
const bytesMax = 65_536

/** A key that was chosen, as it is or was. */
export function* keyChosen(root: number, key: string, point: number | undefined): Asking<KeyAnswer | undefined> {
  if (point !== undefined) {
    const [row] = yield* ask(aboutState.key_at, root, key, point)
    return row && (yield* showVersion(row))
  }
  const [row] = yield* ask(aboutState.key_now, root, key)
  return row && (yield* showKey(row))
}

export const stateSummary = read({
  name: 'state.summary',
  summary: 'Show as much of the state as fits in a prompt, most recently changed keys first.',
  command: { words: ['state summary'], examples: ['cairn state summary --max-keys 20 --max-bytes 4000'] },
  input: {
    max_keys: optional(integer('Maximum number of keys; default 10.', { min: 1, max: pageMax })),
    max_bytes: optional(integer('Maximum bytes of JSON; default 2000.', { min: 100, max: bytesMax })),
    ...past,
  },
  snapshot: true,
  *read(input, { root, rootId }, now) {
    const point = yield* resolvePoint(root, input)
    if (point instanceof Refusal) return point
    const { max_keys: keysMax = keysUsual, max_bytes: max = bytesUsual } = input
    const chosen = yield* point === undefined
      ? chooseKeys(root, keysMax, max, now)
      : chooseKeysAt(root, keysMax, max, point)
    const summary: { [key: string]: Json } = {}
    for (const key of chosen.keys) {
      const found = yield* keyChosen(root, key, point)
      if (found !== undefined) summary[key] = found.value
    }
    // An object puts names that are numbers first; the list has the order.
    return { root_session_id: rootId, summary: { ...summary, ...chosen.marks }, keys: [...chosen.keys] }
  },
})
