import { optional, text } from '../../domain/log/input-schema.ts'
import { stream } from '../operation.ts'
import { since } from '../point.ts'

/** Not in the list of operations: `cairn log -f` asks it; the library has `follow`, and HTTP its feeds. */
export const logFollow = stream({
  name: 'log.follow',
  summary: 'Show each event of the root as it happens, until interrupted.',
  command: { words: [] },
  input: {
    since: since('Start after this point of the log; default only new events.'),
    stream: optional(text('Only this stream: state, session/0, session/1 …', { max: 128 })),
  },
  select: ({ since, stream }) => ({ since, stream }),
})
