import { integer, optional } from '../../domain/log/input-schema.ts'
import type { Asking } from '../../domain/log/questions.ts'
import { change, type ForkWanted } from '../operation.ts'

type Forked = {
  session_id: string
  root_session_id: string
  origin_session_id: string
  at: number
  status: string
  /** Of one that had ended by then: the event that ended it. */
  ended_seq?: number
}

const fork = change({
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
  needs: () => [],
  decide: (): Forked => {
    throw new Error('a fork is made by the log, and nothing is decided')
  },
})

// biome-ignore lint/correctness/useYield: it knows what is wanted without asking.
function* wanted(at: number | undefined): Asking<ForkWanted> {
  return { at }
}

export const sessionFork: typeof fork = { ...fork, forks: ({ at }) => wanted(at) }
