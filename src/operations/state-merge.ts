import { jsonObject } from '../domain/schema.ts'
import { key, version } from './inputs.ts'
import { mutating } from './writing.ts'

export const stateMerge = mutating({
  name: 'state.merge',
  summary: 'Merge an object into the object under a key; null removes, "a.b" is a path.',
  command: { words: ['state merge'], positional: ['key', 'patch'] },
  input: { key, patch: jsonObject('A JSON object with what changes.'), version },
  mutation: ({ key, patch, version }) => ({ op: 'merge' as const, key, patch, version }),
})
