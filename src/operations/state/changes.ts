import { integer } from '../../domain/log/input-schema.ts'
import { changesAfter } from '../../domain/state/past/changes.ts'
import { read } from '../operation.ts'

/** Which keys events changed, and what they made of them. The feed tells it; no surface offers it. */
export const stateChanges = read({
  name: 'state.changes',
  summary: 'Read what the events after one made of keys.',
  command: { words: [] },
  input: { after: integer('The place of the last event before them in the log.') },
  snapshot: false,
  *read({ after }, { root }) {
    return yield* changesAfter(root, after)
  },
})
