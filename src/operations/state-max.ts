import { number } from '../domain/schema.ts'
import { max } from '../domain/state/mutations/bound.ts'
import { key } from './inputs.ts'
import { mutating } from './writing.ts'

export const stateMax = mutating({
  name: 'state.max',
  summary: 'Raise a number to a value if that is more; a missing key takes it.',
  command: { words: ['state max'], positional: ['key', 'value'] },
  input: { key, value: number('The number to raise it to.') },
  mutation: max,
})
