import { jsonList } from '../../../domain/log/input-schema.ts'
import { append } from '../../../domain/state/mutations/append.ts'
import { key } from '../../inputs.ts'
import { mutating } from '../mutating.ts'

export const stateAppend = mutating({
  name: 'state.append',
  summary: 'Append items to an array without conflicts; a missing key counts as [].',
  command: {
    words: ['state append'],
    positional: ['key', 'items'],
    topic: 'Change the state',
    examples: [`cairn state append findings '["slow lexer"]'`],
  },
  input: { key, items: jsonList('A JSON array of the items.') },
  mutation: append,
})
