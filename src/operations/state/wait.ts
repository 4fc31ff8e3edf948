import { withUnit } from '../../domain/log/duration.ts'
import { json, optional, text } from '../../domain/log/input-schema.ts'
import type { Limits } from '../../domain/log/limits.ts'
import { type Asking, ask } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { conditionCharsMax, readCondition } from '../../domain/state/condition.ts'
import { hasExpired, lapseOf } from '../../domain/state/expiry.ts'
import { stateStream } from '../../domain/state/facts.ts'
import type { KeyAnswer } from '../../domain/state/mutation.ts'
import { aboutState } from '../../domain/state/questions.ts'
import { byteLength, sameJson } from '../../json/value.ts'
import { key } from '../inputs.ts'
import { type Aim, type Seen, wait } from '../operation.ts'
import { readTimeout, timeout, waitUsual } from '../timeout.ts'
import { showKey } from './get.ts'

type Asked = { equals?: KeyAnswer['value']; condition?: string }

function readAim({ equals, condition }: Asked, limits: Limits): ReturnType<typeof readCondition> {
  if (condition !== undefined && equals !== undefined) {
    return refuse('invalid_input', 'equals and condition were both given.', 'Give one of them.')
  }
  if (condition !== undefined) return readCondition(condition)
  if (equals !== undefined && byteLength(JSON.stringify(equals)) > limits.valueBytes) return neverSo(limits.valueBytes)
  return (value) => value !== undefined && (equals === undefined || sameJson(value, equals))
}

function neverSo(limit: number): Refusal {
  const message = `No value has more bytes than the limit valueBytes of ${limit}, so none can equal this one.`
  return refuse('value_too_large', message, 'Wait for a smaller value.', { limit: 'valueBytes', limit_value: limit })
}

type Present = KeyAnswer | undefined

function* look(root: number, name: string, now: number): Asking<Seen<Present>> {
  const [row] = yield* ask(aboutState.key_now, root, name)
  if (row === undefined || hasExpired(row, now)) return { found: undefined }
  return { found: yield* showKey(row), until: lapseOf(row.traits).expires_at }
}

function late(name: string, timeout: string, { found: present }: Seen<Present>): Refusal {
  const state = present === undefined ? 'does not exist' : `is at version ${present.version}`
  const message = `Timed out after ${withUnit(timeout)}: the key ${JSON.stringify(name)} ${state}.`
  const current = present === undefined ? {} : { current_version: present.version, current_value: present.value }
  return refuse('timeout', message, 'Wait again, or check why nothing writes it.', { key: name, ...current })
}

export const stateWait = wait({
  name: 'state.wait',
  summary: 'Wait until a key exists, equals a value or meets a condition; then read it.',
  command: {
    words: ['state wait'],
    positional: ['key'],
    topic: 'Work together',
    examples: [
      'cairn state wait result --timeout 10m',
      'cairn state wait phase --equals build',
      `cairn state wait done --condition 'value >= 3 && value < 10'`,
    ],
  },
  input: {
    key,
    equals: optional(json('Until it is this JSON value.')),
    condition: optional(
      text('Until this holds: value >= 3 && value < 10, exists, absent, length > 2, .path.to == "x" …', {
        max: conditionCharsMax,
      }),
    ),
    timeout,
  },
  aim({ key: name, timeout = waitUsual, ...asked }, limits) {
    const ms = readTimeout(timeout)
    if (ms instanceof Refusal) return ms
    const holds = readAim(asked, limits)
    if (holds instanceof Refusal) return holds
    const aim: Aim<KeyAnswer | { key: string; absent: true }, Present> = {
      watched: { stream: stateStream, key: name },
      sight: JSON.stringify([stateStream, name]),
      ms,
      look: ({ root }, now) => look(root, name, now),
      answer: ({ found }) => (holds(found?.value) ? (found ?? { key: name, absent: true }) : undefined),
      late: (seen) => late(name, timeout, seen),
    }
    return aim
  },
})
