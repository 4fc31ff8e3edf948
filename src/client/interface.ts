import type { Answer } from '../domain/rows.ts'
import { type Operations, operations } from '../operations/index.ts'
import type { AnyOperation, Operation } from '../operations/operation.ts'
import { type Update, updating } from './update.ts'

type Method<O> = O extends Operation<infer Input, infer Out> ? (input: Input) => Promise<Out> : never

/** Every operation as a method, grouped by noun; each takes one object. */
export type Interface = {
  [Noun in keyof Operations]: { [Verb in keyof Operations[Noun]]: Method<Operations[Noun][Verb]> }
} & { state: { update: Update } }

export type Execute = (operation: AnyOperation, input: unknown) => Promise<Answer>

/** The methods come from the list of operations; whoever executes them is a parameter. */
export function interfaceOf(execute: Execute): Interface {
  const nouns = Object.entries(operations).map(([noun, verbs]) => {
    const methods = Object.entries(verbs).map(([verb, operation]) => [
      verb,
      (input: unknown) => execute(operation, input ?? {}),
    ])
    return [noun, Object.fromEntries(methods)]
  })
  const made = Object.fromEntries(nouns) as Interface
  made.state.update = updating(made.state)
  return made
}
