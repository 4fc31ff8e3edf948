import { json } from '../domain/schema.ts'
import { createOnly, key, version } from './inputs.ts'
import { mutating } from './writing.ts'

export const stateSet = mutating({
  name: 'state.set',
  summary: 'Set a key to a JSON value; with a version, only if nobody changed it since.',
  command: { words: ['state set'], positional: ['key', 'value'] },
  input: { key, value: json('Any JSON value.'), version, create_only: createOnly },
  mutation: ({ key, value, version, create_only }) => ({ op: 'set' as const, key, value, version, create_only }),
})
