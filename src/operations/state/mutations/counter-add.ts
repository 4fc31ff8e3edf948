import { integer, oneOf, optional } from '../../../domain/log/input-schema.ts'
import { counterAdd } from '../../../domain/state/mutations/counter.ts'
import { key, replica } from '../../inputs.ts'
import { mutating } from '../mutating.ts'

const wholeNumbers = { min: -Number.MAX_SAFE_INTEGER }

export const stateCounterAdd = mutating({
  name: 'state.counterAdd',
  summary: 'Add to a conflict-free counter; a missing key becomes one.',
  command: { words: ['state counter-add'], positional: ['key', 'value'] },
  input: {
    key,
    value: optional(integer('How much to add; 1 unless given, negative only on a PN-counter.', wholeNumbers)),
    kind: optional(oneOf('What a new counter is: g only grows, pn (unless given) goes both ways.', ['g', 'pn'])),
    replica,
  },
  mutation: counterAdd,
})
