import { json } from '../../../domain/log/input-schema.ts'
import { registerSet } from '../../../domain/state/mutations/register.ts'
import { key, replica } from '../../inputs.ts'
import { mutating } from '../mutating.ts'

export const stateRegisterSet = mutating({
  name: 'state.registerSet',
  summary: 'Set a conflict-free register, where the latest write wins; a missing key becomes one.',
  command: {
    words: ['state register-set'],
    positional: ['key', 'value'],
    examples: ['cairn state register-set phase build --replica laptop'],
  },
  input: { key, value: json('Any JSON value.'), replica },
  mutation: registerSet,
})
