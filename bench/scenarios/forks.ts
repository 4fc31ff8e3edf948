import type { Cairn } from '../../src/index.ts'
import { bigStore, counterName, keyCount } from '../big-store.ts'
import { createRoot, openStore } from '../library.ts'
import { interleaved, type Measured, msOfCalls } from '../measure.ts'
import { atMost, type Context, type Scenario } from '../scenario.ts'

const shortEvents = 1000
const generations = 5
const eventsOfGeneration = 100
const reads = 200

/** A root with the keys of another, made by a few events. */
async function shortRoot(cairn: Cairn, from: string): Promise<string> {
  const session = await createRoot(cairn)
  const { state } = await cairn.state.all({ session: from })
  await cairn.state.init({ session, initial_state: state })
  await incrementMany(cairn, session, shortEvents - 2)
  return session
}

async function incrementMany(cairn: Cairn, session: string, count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, at) => ({ op: 'increment' as const, key: counterName(at) }))
  for (let at = 0; at < count; at += 500) await cairn.state.batch({ session, operations: all.slice(at, at + 500) })
}

async function forking(context: Context): Promise<Measured> {
  const { home, session } = await bigStore(context)
  const cairn = await openStore(context, { home })
  const short = await shortRoot(cairn, session)
  return interleaved(
    context.rounds,
    () => msOfCalls(1, () => cairn.session.fork({ session })),
    () => msOfCalls(1, () => cairn.session.fork({ session: short })),
  )
}

/** What people and agents ask: a key now and at some moment, a page of what happened to it, and a page of the log. */
async function read(cairn: Cairn, session: string, events: number, at: number): Promise<void> {
  const key = counterName(at * 7919)
  const moment = 2 * keyCount + ((at * 104_729) % (events - 2 * keyCount))
  await cairn.state.get({ session, key })
  await cairn.state.get({ session, key, at: moment })
  await cairn.state.history({ session, key, limit: 20 })
  await cairn.log.list({ session, since: moment, limit: 20 })
}

async function readingForks(context: Context): Promise<Measured> {
  const { home, session, events } = await bigStore(context)
  const cairn = await openStore(context, { home })
  let youngest = session
  for (let generation = 0; generation < generations; generation++) {
    youngest = (await cairn.session.fork({ session: youngest })).session_id
    await incrementMany(cairn, youngest, eventsOfGeneration)
  }
  return interleaved(
    context.rounds,
    () => msOfCalls(reads, (at) => read(cairn, youngest, events, at)),
    () => msOfCalls(reads, (at) => read(cairn, session, events, at)),
  )
}

/** Two copies of one store; in one of them the root has forks. */
async function readingPlain(context: Context): Promise<Measured> {
  const [first, second] = [await bigStore(context), await bigStore(context)]
  const [forked, alone] = [await openStore(context, first), await openStore(context, second)]
  const { session, events } = first
  for (let fork = 0; fork < generations; fork++) await forked.session.fork({ session })
  return interleaved(
    context.quick ? context.rounds : 31,
    () => msOfCalls(reads, (at) => read(forked, session, events, at)),
    () => msOfCalls(reads, (at) => read(alone, session, events, at)),
  )
}

const shared = { store: 'sqlite', unit: 'ms' } as const

export const forks: readonly Scenario[] = [
  {
    ...shared,
    name: 'fork-long-past',
    about: `a fork of a root of 1 000 000 events and ${keyCount} keys`,
    against: `one of ${shortEvents} events and as many keys`,
    target: atMost(2),
    run: forking,
  },
  {
    ...shared,
    name: 'fork-reads',
    about: `reads of the present, the past, history and log in a fork of the ${generations}th generation`,
    against: 'the same in the root that they all come from',
    target: atMost(2),
    run: readingForks,
  },
  {
    ...shared,
    name: 'fork-none',
    about: 'the same reads in a root that has forks',
    against: 'in a store without any',
    target: atMost(1.1),
    run: readingPlain,
  },
]
