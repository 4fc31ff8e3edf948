import { json } from '../../../domain/log/input-schema.ts'
import { setIfAbsent } from '../../../domain/state/mutations/set-if-absent.ts'
import { key } from '../../inputs.ts'
import { mutating } from '../mutating.ts'

export const stateSetIfAbsent = mutating({
  name: 'state.setIfAbsent',
  summary: 'Set a key unless it exists; returns the current value, whoever set it.',
  command: {
    words: ['state set-if-absent'],
    positional: ['key', 'value'],
    examples: ['cairn state set-if-absent leader profile'],
  },
  input: { key, value: json('Any JSON value.') },
  mutation: setIfAbsent,
})
