import { flag, json, optional, text } from '../../../domain/log/input-schema.ts'
import { set } from '../../../domain/state/mutations/set.ts'
import { createOnly, key, version } from '../../inputs.ts'
import { mutating } from '../mutating.ts'

export const stateSet = mutating({
  name: 'state.set',
  summary: 'Set a key to a JSON value; with a version, only if nobody changed it since.',
  command: {
    words: ['state set'],
    positional: ['key', 'value'],
    topic: 'Change the state',
    examples: [
      'cairn state set name "plain text"',
      `cairn state set config '{"retries": 3}'`,
      'cairn state set done 2 --version 1',
      'cairn state set report @report.json',
      'cairn state set notes @notes.md --text',
      'cairn state set agents/fix/status busy --ephemeral --ttl 10m',
    ],
  },
  input: {
    key,
    value: json('Any JSON value.'),
    version,
    create_only: createOnly,
    ephemeral: optional(flag('Delete the key when the session that set it ends.')),
    ttl: optional(text('Delete the key after this time: 30s, 10m …', { max: 32 })),
  },
  mutation: set,
})
