import { number, optional } from '../../../domain/log/input-schema.ts'
import { increment } from '../../../domain/state/mutations/increment.ts'
import { key } from '../../inputs.ts'
import { mutating } from '../mutating.ts'

export const stateIncrement = mutating({
  name: 'state.increment',
  summary: 'Add to a number without conflicts; a missing key counts as 0.',
  command: {
    words: ['state increment'],
    positional: ['key', 'delta'],
    topic: 'Change the state',
    examples: ['cairn state increment done', 'cairn state increment budget -5'],
  },
  input: { key, delta: optional(number('How much to add; default 1, may be negative.')) },
  mutation: increment,
})
