import { byteLength } from '../../json/value.ts'
import { jsonObject, oneOf, optional, text } from '../log/input-schema.ts'
import { nameBytesMax } from '../log/limits.ts'
import { type Refusal, refuse } from '../log/refusal.ts'
import { hasControls } from '../log/text/plain-text.ts'

/** Names go before parts of ids, so a session that is named like one would be taken for another one. */
export function checkNoId(value: string): Refusal | undefined {
  if (!/^(sess_[0-9a-f]*|[0-9a-f]{4,})$/i.test(value)) return undefined
  const hint = 'Add a character other than 0-9 and a-f: sessions can also be named by part of their id.'
  return refuse('invalid_input', `${JSON.stringify(value)} could be mistaken for part of an id.`, hint)
}

/** What a session, or an agent of a workflow, may be called. */
export function checkName(value: string): Refusal | undefined {
  const plain = byteLength(value) <= nameBytesMax && !hasControls(value) && value.trim() === value
  if (plain && value.isWellFormed()) return checkNoId(value)
  const message = `A name has 1 to ${nameBytesMax} bytes, no control characters and no leading or trailing space.`
  return refuse('invalid_input', message, 'Choose a shorter or simpler name.')
}

/** What is said of a session when it is created, and stands in the event. */
export const sessionMembers = {
  topic: text('What the work is about, in a few words.', { max: 500 }),
  name: optional(text('A name, unique among the sessions of one root.', { max: 1024, check: checkName })),
  type: oneOf('full, quick or research; default full.', ['full', 'quick', 'research']),
  objective: optional(text('The goal of the work.', { max: 10_000 })),
  description: optional(text('A longer description.', { max: 10_000 })),
  strategy: optional(oneOf('How agents are started.', ['parallel', 'sequential', 'adaptive', 'pipeline'])),
  metadata: optional(jsonObject('Anything else, as a JSON object.')),
}

/** Why a session ended. */
export const endReason = text('Why.', { max: 2000 })
