import type { Deciding } from '../domain/deciding.ts'
import { stateStream } from '../domain/event.ts'
import type { Refusal } from '../domain/refusal.ts'
import { type Ref, rowOf } from '../domain/rows.ts'
import type { Members } from '../domain/schema.ts'
import { checkOpen } from '../domain/session.ts'
import { type AnswerOf, type Mutation, mutate, mutationRefs } from '../domain/state/mutation.ts'
import { streams } from '../domain/tables.ts'
import { type Change, type Changing, type CommandLine, change } from './operation.ts'

/** What every write of shared state needs besides its keys. */
export const stateRefs: readonly Ref[] = [rowOf(streams, stateStream)]

export function mayWrite(on: Deciding): Refusal | undefined {
  return on.session && checkOpen(on.rows, on.session)
}

interface Given<M, One> {
  name: string
  summary: string
  command: CommandLine
  input: M
  mutation: (input: Changing<M>) => One
}

/** Defines a change that is one mutation of one key. */
export function mutating<const M extends Members, One extends Mutation>(
  given: Given<M, One>,
): Change<Changing<M>, AnswerOf<One>> {
  const { mutation, ...definition } = given
  return change<M, AnswerOf<One>>({
    ...definition,
    needs: (input, rows) => [...stateRefs, ...mutationRefs(mutation(input), rows)],
    decide: (input, on) => mayWrite(on) ?? mutate(mutation(input), on),
  })
}
