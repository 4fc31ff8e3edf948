import type { Members, Shape } from '../../domain/log/input-schema.ts'
import { type Answer, allOf, type Ref, rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { stateStream } from '../../domain/state/facts.ts'
import { type Mutation, ofItsKinds } from '../../domain/state/mutation.ts'
import { stateSchemas } from '../../domain/state/tables.ts'
import type { CommandLine } from '../command-line.ts'
import { mayWrite } from '../may-write.ts'
import { type Change, type Changing, change } from '../operation.ts'

/** What every write of shared state needs besides its keys. */
export const stateRefs: readonly Ref[] = [rowOf(streams, stateStream), allOf(stateSchemas)]

interface Given<M, Out> {
  name: string
  summary: string
  command: CommandLine
  input: M
  mutation: Mutation<Shape<M>, Out>
  onFullRoot?: 'frees'
}

/** A change that is one mutation of one key; a batch takes it apart into its own members and its mutation. */
export interface Mutating<M extends Members, Out> extends Change<Changing<M>, Out> {
  readonly members: M
  readonly mutation: Mutation<Shape<M>, Out>
}

/** Every mutation names its key. */
type Keyed<M> = Shape<M> & { key: string }

export function mutating<const M extends Members, Out extends Answer>(given: Given<M, Out>): Mutating<M, Out> {
  const { mutation: unchecked, ...definition } = given
  const mutation = ofItsKinds<Keyed<M>, Out>(unchecked)
  const defined = change<M, Out>({
    ...definition,
    needs: (input, rows) => [...stateRefs, ...mutation.refs(input as Keyed<M>, rows)],
    decide: (input, on) => mayWrite(on) ?? mutation.decide(input as Keyed<M>, on),
  })
  return { ...defined, members: given.input, mutation }
}
