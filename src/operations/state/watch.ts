import { optional, text } from '../../domain/log/input-schema.ts'
import { stateStream } from '../../domain/state/facts.ts'
import { stream } from '../operation.ts'
import { since } from '../point.ts'

export const stateWatch = stream({
  name: 'state.watch',
  summary: 'Show each change of the state as it happens, until interrupted.',
  command: {
    words: ['state watch'],
    topic: 'Work together',
    examples: ['cairn state watch --prefix build/', 'cairn state watch --since 40 --json'],
  },
  input: {
    since: since('Start after this point of the log; default only new events.'),
    prefix: optional(text('Only keys with this prefix, and changes to the whole document.', { max: 256 })),
  },
  select: ({ since, prefix }) => ({ since, prefix, stream: stateStream }),
})
