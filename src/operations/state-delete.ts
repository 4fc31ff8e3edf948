import { key, version } from './inputs.ts'
import { mutating } from './writing.ts'

export const stateDelete = mutating({
  name: 'state.delete',
  summary: 'Delete a key; its history stays, and its version goes on if it comes back.',
  command: { words: ['state delete'], positional: ['key'] },
  input: { key, version },
  mutation: ({ key, version }) => ({ op: 'delete' as const, key, version }),
})
