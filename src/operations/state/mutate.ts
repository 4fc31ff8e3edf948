import type { Event } from '../../domain/log/event.ts'
import { isoTime } from '../../domain/log/identity.ts'
import { jsonObject, type Members, variants } from '../../domain/log/input-schema.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import type { JsonObject } from '../../json/value.ts'
import { type Change, change } from '../operation.ts'
import { stateInit } from './init.ts'
import { mutations } from './mutations/index.ts'
import { stateReplace } from './replace.ts'

// biome-ignore lint/suspicious/noExplicitAny: a table of changes holds ones of every input and answer.
type AnyChange = Change<any, any>

/** What a raw mutation has besides its type, the operation that makes it, and what that one calls the same. */
interface Raw<M> {
  readonly members: M
  readonly by: AnyChange
  readonly input: (given: never) => object
}

function ofKey<M extends Members>(by: AnyChange & { readonly members: M }): Raw<M> {
  return { members: by.members, by, input: (given: object) => given }
}

/** The event calls it the actor; the session is part of that by itself. */
function ofActor<M extends Members & { replica: unknown }>(by: AnyChange & { readonly members: M }) {
  const { replica, ...members } = by.members
  const input = ({ actor, ...given }: { actor?: string }) => ({ ...given, replica: actor })
  return { members: { ...members, actor: replica } as Omit<M, 'replica'> & { actor: M['replica'] }, by, input }
}

type Payload = { payload: JsonObject }
const payload = { payload: jsonObject('The document.') }

/** The raw mutations by the type of their event. Each goes the way of its operation: the same rules, the same refusals. */
const raws = {
  init: { members: payload, by: stateInit, input: (given: Payload) => ({ initial_state: given.payload }) },
  full_replace: { members: payload, by: stateReplace, input: (given: Payload) => ({ state: given.payload }) },
  set: ofKey(mutations.set),
  delete: ofKey(mutations.delete),
  patch: ofKey(mutations.merge),
  json_patch: ofKey(mutations.json_patch),
  increment: ofKey(mutations.increment),
  append: ofKey(mutations.append),
  counter_add: ofActor(mutations.counter_add),
  set_add: ofActor(mutations.set_add),
  set_remove: ofActor(mutations.set_remove),
  register_set: ofActor(mutations.register_set),
} as const

type Shapes = { [Type in keyof typeof raws]: (typeof raws)[Type]['members'] }

const shapes = Object.fromEntries(Object.entries(raws).map(([type, { members }]) => [type, members])) as Shapes

function asked({ type, ...given }: { type: keyof typeof raws }): { by: AnyChange; input: object } {
  const { by, input }: Raw<Members> = raws[type]
  return { by, input: input(given as never) }
}

export const stateMutate = change({
  name: 'state.mutate',
  summary: 'Record one raw mutation event, such as {"type": "delete", "key": "k"}.',
  command: {
    words: ['state mutate'],
    positional: ['mutation'],
    examples: [`cairn state mutate '{"type": "increment", "key": "done", "delta": 2}'`],
  },
  input: { mutation: variants('The mutation: {type, key, …}.', 'type', shapes) },
  needs({ mutation }, rows, acting) {
    const { by, input } = asked(mutation)
    return by.needs(input, rows, acting)
  },
  decide({ mutation }, on) {
    const { by, input } = asked(mutation)
    const recorded: Event[] = []
    const record: typeof on.record = (draft) => {
      const event = on.record(draft)
      recorded.push(event)
      return event
    }
    const done: object = by.decide(input, { ...on, record })
    if (done instanceof Refusal) return done
    const event = recorded.at(-1)
    if (event === undefined) throw new Error(`a raw ${mutation.type} recorded nothing`)
    return { event_id: event.id, sequence_number: event.version, timestamp: isoTime(event.at), seq: event.seq }
  },
})
