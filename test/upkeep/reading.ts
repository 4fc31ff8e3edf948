// What the upkeep tests look at: everything that can be read of a root, and the rows below it.
import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import { counters } from '../../src/domain/log/tables.ts'
import { parts } from '../../src/domain/parts.ts'
import type { Cairn } from '../../src/open.ts'
import type { TestStore } from '../setup/stores.ts'

type Answer = Record<string, unknown>

/** Every row of every table, in the order of their keys; numbers that were drawn are nobody's. */
export async function allRows(store: TestStore): Promise<Record<string, Answer[]>> {
  const rows: Record<string, Answer[]> = {}
  for (const { name, ofRoot, key } of parts.tables.filter((table) => table !== counters)) {
    const order = ofRoot ? ['root', ...key] : key
    rows[name] = await store.sql(`SELECT * FROM ${name} ORDER BY ${order.join(', ')}`)
  }
  return rows
}

/** Rows that a repair must give back: not how often a root was changed, nor how far its versions have been put in order. */
export async function toldRows(store: TestStore): Promise<Record<string, Answer[]>> {
  const { roots: _, indexing: __, state_places: ___, ...told } = await allRows(store)
  return told
}

/** The answer, or the code of the refusal. */
export async function outcomeOf(asking: Promise<object>): Promise<object> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof CairnRefusal) return { refused: error.code, ...error.details }
    throw error
  }
}

/** What every read of a root answers: sessions, log, mutations, and the state now and at every `step`th place after `since`. */
export async function allAnswers(cairn: Cairn, session: string, since = 0, step = 1): Promise<Record<string, object>> {
  const log = await wholeLog(cairn, session)
  const tree = await cairn.session.tree({ session })
  const answers: Record<string, object> = { log, tree, now: await outcomeOf(cairn.state.all({ session })) }
  answers.mutations = await outcomeOf(cairn.state.events({ session, limit: 1000 }))
  // What it takes up on disk is what compaction is for.
  const { root_disk: _disk, ...shown } = await cairn.session.show({ session })
  answers.session = shown
  for (let seq = since + 1; seq <= log.length; seq += step) {
    answers[`at ${seq}`] = await outcomeOf(cairn.state.all({ session, at: seq }))
  }
  const { keys = {} } = answers.now as { keys?: object }
  for (const key of Object.keys(keys)) answers[`key ${key}`] = await outcomeOf(cairn.state.get({ session, key }))
  return answers
}

/** The whole log, page by page. */
export async function wholeLog(cairn: Pick<Cairn, 'log'>, session: string): Promise<LogEvent[]> {
  const events: LogEvent[] = []
  for (let more = true; more; ) {
    const page = await cairn.log.list({ session, since: events.length, limit: 1000 })
    events.push(...(page.events as LogEvent[]))
    more = page.has_more
  }
  return events
}

export interface LogEvent {
  readonly seq: number
  readonly stream: string
  readonly version: number
  readonly key: string | null
  readonly type: string
  readonly data: unknown
  readonly hash: string
}
