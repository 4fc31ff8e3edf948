import type { Asking } from '../../domain/log/questions.ts'
import type { Changes, Work } from '../engine.ts'
import { settled } from './errors.ts'
import type { Queries, Query } from './queries.ts'

/** As much of a connection as is needed here. */
interface Asks {
  query(query: Query): Promise<{ rows: object[] }>
}

/** Asks what a reading asks, one question after the other. */
export async function answer<Out>(client: Asks, queries: Queries, reading: Asking<Out>): Promise<Out> {
  let step = reading.next()
  while (!step.done) {
    const { rows } = await client.query(queries.loading(step.value))
    step = reading.next(rows)
  }
  return step.value
}

/** Loads what work has to know; what it asks for at once is sent at once. */
export async function perform<Out>(
  client: Asks,
  queries: Queries,
  work: Work<Out>,
): Promise<{ changes: readonly Changes[]; out: Out }> {
  let step = work.next()
  while (!step.done) {
    const results = await settled(step.value.map((load) => client.query(queries.loading(load))))
    step = work.next(results.map((result) => result.rows))
  }
  return step.value
}
