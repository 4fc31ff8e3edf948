import { jsonList } from '../../../domain/log/input-schema.ts'
import { jsonPatch } from '../../../domain/state/mutations/json-patch.ts'
import { key, version } from '../../inputs.ts'
import { mutating } from '../mutating.ts'

export const stateJsonPatch = mutating({
  name: 'state.jsonPatch',
  summary: 'Apply a JSON Patch (RFC 6902) to a key; a test that fails is a version_conflict.',
  command: {
    words: ['state json-patch'],
    positional: ['key', 'operations'],
    examples: [
      `cairn state json-patch plan '[{"op": "test", "path": "/at", "value": 1}, {"op": "add", "path": "/steps/-", "value": "b"}]'`,
    ],
  },
  input: { key, operations: jsonList('A JSON array of operations: add, remove, replace, move, copy, test.'), version },
  mutation: jsonPatch,
})
