import { integer } from '../../domain/log/input-schema.ts'
import type { Due } from '../../domain/log/part.ts'
import { change } from '../operation.ts'

/** Records what of a part is due below a root, at most a batch of it, also where the root has ended. No surface offers it. */
export function fallDue(due: Due) {
  return change({
    name: 'log.due',
    summary: 'Record what has fallen due.',
    command: { words: [] },
    onFullRoot: 'due',
    input: { by: integer('What was due by then, in milliseconds since 1970.') },
    needs: ({ by }, rows) => due.needs(rows, by),
    decide: ({ by }, on) => ({ recorded: due.record(on, by) }),
  })
}
