import { jsonList } from '../../../domain/log/input-schema.ts'
import { setRemove } from '../../../domain/state/mutations/or-set.ts'
import { key, replica } from '../../inputs.ts'
import { mutating } from '../mutating.ts'

export const stateSetRemove = mutating({
  name: 'state.setRemove',
  summary: 'Remove items from a conflict-free set; items not in it are ignored.',
  command: {
    words: ['state set-remove'],
    positional: ['key', 'items'],
    examples: [`cairn state set-remove reviewed '["lexer.ts"]'`],
  },
  input: { key, items: jsonList('A JSON array of the items.'), replica },
  mutation: setRemove,
})
