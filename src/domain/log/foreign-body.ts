import type { Event } from './event.ts'
import { type ObjectSchema, object, type Schema } from './input-schema.ts'
import type { InputLimits } from './limits.ts'
import { Refusal, refuse } from './refusal.ts'

/** What the body of each type of fact holds. */
export type BodyShapes<Fact extends { type: string }> = { readonly [Type in Fact['type']]: Schema<unknown> }

/** The body of a fact that says nothing but its type and its key. */
export const emptyBody: ObjectSchema<object> = object({})

/** Whether the body of an event that came from elsewhere has the shape that this program writes. */
export function checkBody<Fact extends { type: string }>(
  shapes: BodyShapes<Fact>,
  event: { readonly type: Fact['type']; readonly data: unknown },
  limits?: InputLimits,
): Refusal | undefined {
  // A part that evolves a fact of another one does not record it.
  if (!Object.hasOwn(shapes, event.type)) return impossible(`The type ${event.type} belongs to another stream.`)
  const checked = shapes[event.type].check(event.data, 'data', limits)
  return checked instanceof Refusal ? checked : undefined
}

/** The key that an event is about, whatever its type. */
export function keyOf(event: Event): string | null {
  return (event as { key?: string | null }).key ?? null
}

export function checkNoKey(event: Event): Refusal | undefined {
  return keyOf(event) === null ? undefined : impossible(`The type ${event.type} has no key.`)
}

/** What this program never records. */
export function impossible(message: string): Refusal {
  return refuse('invalid_input', message, 'Get the history again from where it was written.')
}
