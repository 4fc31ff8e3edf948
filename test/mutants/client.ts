// Faults in the typed client.
import type { Mutant } from './mutant.ts'

const pieces = ['test/client/pieces.test.ts']
const sent = 'src/client/server-sent-events.ts'
const remote = 'src/client/repeated-call.ts'

export const ofClient: readonly Mutant[] = [
  {
    name: 'client: the doubt of an earlier attempt is forgotten',
    file: remote,
    find: 'isUnclear: fate.isUnclear || isUnclear(outcome)',
    replace: 'isUnclear: isUnclear(outcome)',
    tests: ['test/client/doubts.test.ts'],
  },
  {
    name: 'client: reads are in doubt',
    file: remote,
    find: 'if (isUnclear && hasEffect(operation)) return',
    replace: 'if (isUnclear) return',
    tests: ['test/client/doubts.test.ts'],
  },
  {
    name: 'client: a character is split between two pieces of a stream',
    file: sent,
    find: 'decoder.decode(value, { stream: true })',
    replace: 'decoder.decode(value)',
    tests: pieces,
  },
  {
    name: 'client: a message is split between two pieces of a stream',
    file: sent,
    find: 'unread += decoder',
    replace: 'unread = decoder',
    tests: pieces,
  },
  {
    name: 'client: the limit of opening a feed is not lifted once it is open',
    file: 'src/client/root-feed.ts',
    find: '  limit.lift()\n',
    replace: '',
    tests: ['test/client/open-feeds.test.ts'],
  },
]
