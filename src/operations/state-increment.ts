import { number, optional } from '../domain/schema.ts'
import { key } from './inputs.ts'
import { mutating } from './writing.ts'

export const stateIncrement = mutating({
  name: 'state.increment',
  summary: 'Add to a number without any conflict; a missing key counts as 0.',
  command: { words: ['state increment'], positional: ['key', 'delta'] },
  input: { key, delta: optional(number('How much to add; 1 unless given, may be negative.')) },
  mutation: ({ key, delta }) => ({ op: 'increment' as const, key, delta: delta ?? 1 }),
})
