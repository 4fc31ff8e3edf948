import { number } from '../../../domain/log/input-schema.ts'
import { max } from '../../../domain/state/mutations/bound.ts'
import { key } from '../../inputs.ts'
import { mutating } from '../mutating.ts'

export const stateMax = mutating({
  name: 'state.max',
  summary: 'Raise a number to a value if that is greater; a missing key is set to it.',
  command: { words: ['state max'], positional: ['key', 'value'], examples: ['cairn state max longest 80'] },
  input: { key, value: number('The number to raise it to.') },
  mutation: max,
})
