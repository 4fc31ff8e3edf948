import { jsonList } from '../../../domain/log/input-schema.ts'
import { setAdd } from '../../../domain/state/mutations/or-set.ts'
import { key, replica } from '../../inputs.ts'
import { mutating } from '../mutating.ts'

export const stateSetAdd = mutating({
  name: 'state.setAdd',
  summary: 'Add items to a conflict-free set; a missing key becomes one.',
  command: {
    words: ['state set-add'],
    positional: ['key', 'items'],
    examples: [`cairn state set-add reviewed '["lexer.ts"]'`],
  },
  input: { key, items: jsonList('A JSON array of the items.'), replica },
  mutation: setAdd,
})
