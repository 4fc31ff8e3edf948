import { byteLength, type Json } from '../../../json/value.ts'
import type { Deciding } from '../../log/deciding.ts'
import { readDuration } from '../../log/duration.ts'
import { Refusal, refuse } from '../../log/refusal.ts'
import { admit } from '../admission.ts'
import { checkExpected, type Expectation } from '../expected.ts'
import { type Lapse, saidLapse } from '../expiry.ts'
import { stateStream } from '../facts.ts'
import { conditionalRefs, type KeyAnswer, keyAnswer, type Mutation } from '../mutation.ts'

/** Shorter than this it is over before anybody has read it; longer it is no key that goes by itself. */
const ttlMsMin = 50
const ttlMsMax = 365 * 24 * 3_600_000

interface Asked extends Expectation {
  readonly value: Json
  /** Goes when the session that set it ends. */
  readonly ephemeral?: boolean | undefined
  /** A duration after which it goes. */
  readonly ttl?: string | undefined
}

export const set: Mutation<Asked, KeyAnswer> = {
  refs: conditionalRefs,
  decide(asked, on) {
    const { key, value } = asked
    const lapse = lapseAsked(asked, on)
    if (lapse instanceof Refusal) return lapse
    const refusal = checkExpected(on.rows, asked) ?? admit(on, key, byteLength(JSON.stringify(value)), () => value)
    if (refusal) return refusal
    on.record({
      type: 'set',
      stream: stateStream,
      key,
      data: lapse === undefined ? { value } : { value, ...saidLapse(lapse) },
    })
    return keyAnswer(on.rows, key, value)
  },
}

function lapseAsked({ ephemeral, ttl }: Asked, on: Deciding): Lapse | Refusal | undefined {
  if (!ephemeral && ttl === undefined) return undefined
  const owner = ephemeral && on.session !== undefined ? { owner: on.session.no } : {}
  if (ttl === undefined) return owner
  const ms = readDuration(ttl)
  if (ms instanceof Refusal) return ms
  if (ms >= ttlMsMin && ms <= ttlMsMax) return { ...owner, expires_at: on.at + ms }
  const message = `The ttl of a key must be ${ttlMsMin}ms to 365d, not ${ttl}.`
  return refuse('invalid_input', message, 'Choose a value in that range, or leave ttl out.', { path: 'ttl' })
}
