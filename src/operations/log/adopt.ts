import { jsonObject, list, text } from '../../domain/log/input-schema.ts'
import { refuse } from '../../domain/log/refusal.ts'
import { upkeep } from '../operation.ts'

function checkRootId(value: string) {
  if (/^sess_[0-9a-f]{32}$/.test(value)) return undefined
  return refuse('invalid_input', `${JSON.stringify(value)} is not the id of a root.`, 'Give the whole id: sess_…', {
    path: 'root',
  })
}

/** The way in for what was written elsewhere: imports and folders of a clone build on it. No command offers it by itself. */
export const logAdopt = upkeep({
  name: 'log.adopt',
  summary: 'Take in events of another store as they are: a new root, the continuation of a known one, or a fork of it.',
  command: { words: [] },
  input: {
    root: text('The id of the root that the events are of.', { max: 64, check: checkRootId }),
    events: list('Events as the log shows them, without a gap.', jsonObject('One event.')),
  },
  run: (input, tools) => tools.adopt(input.root, input.events),
})
