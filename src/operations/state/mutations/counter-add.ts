import { integer, oneOf, optional } from '../../../domain/log/input-schema.ts'
import { counterAdd } from '../../../domain/state/mutations/counter.ts'
import { key, replica } from '../../inputs.ts'
import { mutating } from '../mutating.ts'

const wholeNumbers = { min: -Number.MAX_SAFE_INTEGER }

export const stateCounterAdd = mutating({
  name: 'state.counterAdd',
  summary: 'Add to a conflict-free counter; a missing key becomes one.',
  command: {
    words: ['state counter-add'],
    positional: ['key', 'value'],
    examples: ['cairn state counter-add tests-run', 'cairn state counter-add budget -5'],
  },
  input: {
    key,
    value: optional(integer('How much to add; default 1, negative only on a PN-counter.', wholeNumbers)),
    kind: optional(oneOf('The kind of a new counter: g only grows, pn (default) also decreases.', ['g', 'pn'])),
    replica,
  },
  mutation: counterAdd,
})
