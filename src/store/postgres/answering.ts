import type { Asking, Load } from '../../domain/log/questions.ts'
import type { Changes, Work } from '../engine.ts'
import { statementOf } from '../statements.ts'
import { settled } from './errors.ts'
import type { Queries, Query } from './queries.ts'
import { withBytes } from './selecting.ts'

/** As much of a connection as is needed here. */
interface Asks {
  query(query: Query): Promise<{ rows: Record<string, unknown>[] }>
}

/** Asks what a reading asks, one question after the other. */
export async function answer<Out>(client: Asks, queries: Queries, reading: Asking<Out>): Promise<Out> {
  let step = reading.next()
  while (!step.done) step = reading.next(await load(client, queries, step.value))
  return step.value
}

/** Loads what work has to know; what it asks for at once is sent at once. */
export async function perform<Out>(
  client: Asks,
  queries: Queries,
  work: Work<Out>,
): Promise<{ changes: readonly Changes[]; out: Out }> {
  let step = work.next()
  while (!step.done) step = work.next(await settled(step.value.map((each) => load(client, queries, each))))
  return step.value
}

async function load(client: Asks, queries: Queries, wanted: Load): Promise<object[]> {
  const { text, parameters, bytes } = statementOf(wanted)
  const { rows } = await client.query(queries.named(text, parameters))
  return withBytes(rows, bytes)
}
