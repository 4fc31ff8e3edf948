import { liveKey } from '../../../domain/state/key.ts'
import { remove } from '../../../domain/state/mutations/remove.ts'
import { stateKeys } from '../../../domain/state/tables.ts'
import { key, version } from '../../inputs.ts'
import { mutating } from '../mutating.ts'

export const stateDelete = mutating({
  name: 'state.delete',
  summary: 'Delete a key; its history stays, and its version continues if it is set again.',
  command: { words: ['state delete'], positional: ['key'], topic: 'Change the state' },
  input: { key, version },
  mutation: remove,
  onFullRoot: 'frees',
})

/** The deletion before an erasure. Whose data it is may ask for that at any time, also after the sessions have ended. */
export const deletionToErase: typeof stateDelete = {
  ...stateDelete,
  onFullRoot: 'due',
  decide(input, on) {
    if (liveKey(on.rows, input.key) !== undefined) return remove.decide(input, on)
    // It may have expired, and a refusal would take back what the log has just said of that.
    const { version = 0, seq = 0 } = on.rows.get(stateKeys, input.key) ?? {}
    return { key: input.key, version, deleted: true, seq }
  },
}
