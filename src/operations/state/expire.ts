import { integer } from '../../domain/log/input-schema.ts'
import { rowOf } from '../../domain/log/rows.ts'
import { dueBy, keysDueBy } from '../../domain/state/expiry.ts'
import { stateKeys } from '../../domain/state/tables.ts'
import { change } from '../operation.ts'
import { stateRefs } from './mutating.ts'

/**
 * Names keys that have expired, at most a batch of them, which puts it into the log: a part of `gc`, also below roots that have
 * ended. No surface offers it.
 */
export const lapseDue = change({
  name: 'state.lapse',
  summary: 'Record that keys have expired.',
  command: { words: [] },
  input: { until: integer('Those whose time was over by then, in milliseconds since 1970.') },
  needs: ({ until }, rows) => [
    ...stateRefs,
    dueBy(until),
    ...keysDueBy(rows, until).map((key) => rowOf(stateKeys, key)),
  ],
  decide: ({ until }, on) => ({ left: keysDueBy(on.rows, until).length }),
})
