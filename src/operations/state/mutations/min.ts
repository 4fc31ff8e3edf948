import { number } from '../../../domain/log/input-schema.ts'
import { min } from '../../../domain/state/mutations/bound.ts'
import { key } from '../../inputs.ts'
import { mutating } from '../mutating.ts'

export const stateMin = mutating({
  name: 'state.min',
  summary: 'Lower a number to a value if that is less; a missing key is set to it.',
  command: { words: ['state min'], positional: ['key', 'value'], examples: ['cairn state min fastest-ms 12.5'] },
  input: { key, value: number('The number to lower it to.') },
  mutation: min,
})
