import { admit } from '../admission.ts'
import { stateStream } from '../facts.ts'
import { keyRefs, liveKey } from '../key.ts'
import { type Mutation, presentKey } from '../mutation.ts'
import { wrongType } from '../wrong-type.ts'

export type BoundAnswer = { key: string; value: number; version: number; changed: boolean }

/** Keeps the one of two numbers that is further; a key that is not there takes what is given. */
function bound(type: 'min' | 'max'): Mutation<{ key: string; value: number }, BoundAnswer> {
  const further = Math[type]
  return {
    refs: ({ key }, rows) => keyRefs(rows, key),
    decide({ key, value }, on) {
      const row = liveKey(on.rows, key)
      if (row !== undefined && row.type !== 'number') return wrongType(row, 'compared with a number', 'number')
      const present = row && Number(row.value)
      if (present !== undefined && further(present, value) === present) {
        return { key, value: present, version: presentKey(on.rows, key).version, changed: false }
      }
      const full = admit(on, key, String(value).length, () => value)
      if (full) return full
      on.record({ type, stream: stateStream, key, data: { value } })
      return { key, value, version: presentKey(on.rows, key).version, changed: true }
    },
  }
}

export const min = bound('min')
export const max = bound('max')
