import type { Json } from '../../json/value.ts'
import type { Deciding } from '../log/deciding.ts'
import type { Limits } from '../log/limits.ts'
import { type Refusal, refuse } from '../log/refusal.ts'
import type { Rows } from '../log/rows.ts'
import { refuseSecretName } from '../log/secrets.ts'
import { streams } from '../log/tables.ts'
import { stateStream } from './facts.ts'
import { liveKey } from './key.ts'
import { checkSchemas } from './schemas.ts'

/**
 * Whether a value of so many bytes may stand under this key: its name is no secret, there is room, and it fits the schemas. Every mutation
 * passes here. The value is asked for only where a schema applies: an append does not know the whole array.
 */
export function admit(on: Deciding, key: string, bytes: number, value: () => Json): Refusal | undefined {
  return checkName(on, key) ?? checkRoom(on.rows, key, bytes, on.limits) ?? checkSchemas(on.rows, key, value)
}

/** Only a new key needs a name that may be shown: one that is there was meant, and must stay within reach to be deleted. */
function checkName({ rows, allowsSecret }: Deciding, key: string): Refusal | undefined {
  return allowsSecret || liveKey(rows, key) !== undefined ? undefined : refuseSecretName(key)
}

/** Whether there is room for so many bytes under this key: its own limit, the root's keys and the root's bytes. */
function checkRoom(rows: Rows, key: string, bytes: number, limits: Limits): Refusal | undefined {
  const shown = JSON.stringify(key)
  if (bytes > limits.valueBytes) {
    return refuse(
      'value_too_large',
      `The value of ${shown} would have ${bytes} bytes; the limit valueBytes is ${limits.valueBytes}.`,
      'Keep large data in files and store their paths, or split the value across several keys.',
      { key, limit: 'valueBytes', limit_value: limits.valueBytes },
    )
  }
  const stream = rows.get(streams, stateStream)
  const old = liveKey(rows, key)
  if (old === undefined && (stream?.items ?? 0) >= limits.keys) {
    return refuse(
      'too_many_keys',
      `This root has ${stream?.items} keys; the limit keys is ${limits.keys}.`,
      'Delete keys that are no longer needed, or combine related values in one object.',
      { key, limit: 'keys', limit_value: limits.keys },
    )
  }
  const total = (stream?.bytes ?? 0) - (old?.bytes ?? 0) + bytes
  if (total <= limits.stateBytes) return undefined
  return refuse(
    'value_too_large',
    `The state of this root would have ${total} bytes; the limit stateBytes is ${limits.stateBytes}.`,
    'Delete keys that are no longer needed, or keep large data in files.',
    { key, limit: 'stateBytes', limit_value: limits.stateBytes },
  )
}
