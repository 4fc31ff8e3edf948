import type { FeedEvent } from '../domain/event.ts'
import type { Answer } from '../domain/rows.ts'
import { type Operations, operations } from '../operations/index.ts'
import type { AnyAnswered, AnyOperation, AnyStream, Operation, Stream } from '../operations/operation.ts'
import { type Update, updating } from './update.ts'

type Method<O> =
  O extends Stream<infer Input>
    ? (input: Input, signal?: AbortSignal) => AsyncGenerator<FeedEvent, void>
    : O extends Operation<infer Input, infer Out>
      ? (input: Input) => Promise<Out>
      : never

/** Every operation as a method, grouped by noun; each takes one object. */
export type Interface = {
  [Noun in keyof Operations]: { [Verb in keyof Operations[Noun]]: Method<Operations[Noun][Verb]> }
} & { state: { update: Update } }

/** Whoever does what is asked. */
export interface Performer {
  execute(operation: AnyAnswered, input: unknown): Promise<Answer>
  stream(operation: AnyStream, input: unknown, signal: AbortSignal | undefined): AsyncGenerator<FeedEvent, void>
}

/** The methods come from the list of operations; whoever performs them is a parameter. */
export function interfaceOf(performer: Performer): Interface {
  const nouns = Object.entries(operations).map(([noun, verbs]) => {
    const methods = Object.entries<AnyOperation>(verbs).map(([verb, operation]) => [
      verb,
      operation.kind === 'stream'
        ? (input: unknown, signal?: AbortSignal) => performer.stream(operation, input ?? {}, signal)
        : (input: unknown) => performer.execute(operation, input ?? {}),
    ])
    return [noun, Object.fromEntries(methods)]
  })
  const made = Object.fromEntries(nouns) as Interface
  made.state.update = updating(made.state)
  return made
}
