import { jsonObject } from '../../../domain/log/input-schema.ts'
import { merge } from '../../../domain/state/mutations/merge.ts'
import { key, version } from '../../inputs.ts'
import { mutating } from '../mutating.ts'

export const stateMerge = mutating({
  name: 'state.merge',
  summary: 'Merge an object into the object under a key; null removes, "a.b" is a path.',
  command: {
    words: ['state merge'],
    positional: ['key', 'patch'],
    topic: 'Change the state',
    examples: [`cairn state merge config '{"retries": 3, "old": null}'`],
  },
  input: {
    key,
    patch: jsonObject('What changes; $append, $increment, $set and $delete work at a name or a path.'),
    version,
  },
  mutation: merge,
})
