import { text } from '../../log/input-schema.ts'
import { type Refusal, refuse } from '../../log/refusal.ts'

/** It becomes part of every event and of the value's inner state, so it is short and plain. */
function checkReplica(value: string): Refusal | undefined {
  if (/^[\w.:-]+$/.test(value)) return undefined
  const hint = 'Use only letters, digits and _ . : -'
  return refuse('invalid_input', `${JSON.stringify(value)} is not a valid replica name.`, hint, { path: 'replica' })
}

export const replicaName = text('Name of the replica that acts, where a session has several.', {
  max: 64,
  check: checkReplica,
})

/** Who acts on a conflict-free value: a session, and one of its replicas where it has several. */
export function actorNamed(session: number, replica = 'main'): string {
  return `${session}/${replica}`
}

/** The session and the replica of an actor as it is written. */
export function partsOfActor(actor: string): { readonly session: number; readonly replica: string } {
  const slash = actor.indexOf('/')
  return { session: Number(actor.slice(0, slash)), replica: actor.slice(slash + 1) }
}
