import { integer, optional } from '../../domain/log/input-schema.ts'
import { type ForkMade, fork } from '../operation.ts'

export const sessionFork = fork({
  name: 'session.fork',
  summary: 'Fork a root: a new root that shares its history up to an event and then goes its own way.',
  command: {
    words: ['fork'],
    positional: ['session'],
    topic: 'Go back',
    examples: ['cairn fork 3f9a1c0b --at 40', 'cairn fork'],
  },
  reach: 'owner',
  input: {
    at: optional(integer('After this sequence number of the log; default the last event.')),
  },
  forks: ({ at }) =>
    function* () {
      return { at, answer: (made: ForkMade) => made }
    },
})
