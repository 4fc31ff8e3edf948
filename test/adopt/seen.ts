// What can be seen of a history, so that two stores can be compared.
import { systemClock } from '../../src/clock.ts'
import { defaultLimits } from '../../src/domain/log/limits.ts'
import { partList, parts } from '../../src/domain/parts.ts'
import { Log } from '../../src/log/log.ts'
import { methodsOf } from '../../src/open.ts'
import { engineOf } from '../setup/store-engine.ts'
import type { TestStore } from '../setup/stores.ts'
import { outcomeOf, wholeLog } from '../upkeep/reading.ts'

/** Long after everything that goes by itself: it has gone, and no time passes between two looks. */
const afterAll = Date.now() + 30 * 24 * 3_600_000

export type Place = Awaited<ReturnType<typeof openLater>>
type Answer = Record<string, unknown>
export type Events = Awaited<ReturnType<Place['cairn']['log']['list']>>['events']

/** A store as it is seen when all is over. */
export async function openLater(store: TestStore) {
  const log = new Log(await engineOf(store), { ...systemClock(), now: () => afterAll }, parts, defaultLimits)
  const caller = { principal: 'owner', actor: 'later', scope: 'owner' } as const
  return { store, log, caller, cairn: methodsOf({ log, caller }) }
}

/** Roots, forks too, oldest first. */
export async function rootsIn({ cairn }: Place): Promise<string[]> {
  const { sessions } = await cairn.session.list({ all: true, limit: 1000 })
  return sessions.map(({ session_id }) => session_id).sort()
}

/** The log of a root, in which all that has gone by itself is recorded. */
export async function exported({ cairn }: Place, session: string): Promise<Events> {
  await outcomeOf(cairn.state.all({ session }))
  return (await wholeLog(cairn, session)) as unknown as Events
}

/** Where the past of a root begins in its store, which is nothing that its log says. */
export async function floorOf({ cairn }: Place, session: string): Promise<number> {
  const { floor = 1 } = (await outcomeOf(cairn.state.all({ session, at: 1 }))) as { floor?: number }
  return floor
}

export const hashesOf = (events: readonly { readonly hash: string }[]) => events.map(({ hash }) => hash)

/** What a follower that begins at nothing is told; where bodies are gone it is told so. */
async function feedOf({ log, caller }: Place, session: string, last: number): Promise<object[]> {
  const told: object[] = []
  for await (const event of log.follow(session, { since: 0 }, caller)) {
    told.push(event)
    if (event.seq === last) break
  }
  return told
}

/** The rows of every part as they are or were. */
async function rowsOf({ cairn }: Place, session: string, at?: number): Promise<Answer> {
  const all: Answer = {}
  for (const { name } of partList) {
    const read = await outcomeOf(cairn.log.rows({ session, part: name, ...(at === undefined ? {} : { at }) }))
    all[name] = (read as { tables?: object }).tables ?? read
  }
  return all
}

function without(row: Answer, ...members: string[]): Answer {
  return Object.fromEntries(Object.entries(row).filter(([member]) => !members.includes(member)))
}

/**
 * A history with the ids and names of its sessions: its log, its tree, what a follower is told, the rows of all parts now and at some
 * places, and the state at each of them. Where a project lies, and what a root was forked from, is its store's.
 */
export async function wholeOf(place: Place, session: string, points: readonly number[]): Promise<Answer> {
  const log = await exported(place, session)
  const tree = without((await place.cairn.session.tree({ session })) as Answer, 'project_dir', 'forked_from')
  const seen: Answer = {
    log,
    tree,
    feed: await outcomeOf(feedOf(place, session, log.length)),
    now: await rowsOf(place, session),
  }
  for (const at of points) {
    seen[`at ${at}`] = [await rowsOf(place, session, at), await outcomeOf(place.cairn.state.all({ session, at }))]
  }
  return seen
}

/** The same but for what its sessions are called, which a fork has its own ids and words for. */
export async function contentOf(place: Place, session: string, points: readonly number[]): Promise<Answer> {
  const { tables } = await place.cairn.log.rows({ session, part: 'sessions', table: 'sessions' })
  let text = JSON.stringify(await wholeOf(place, session, points))
  for (const { no, id } of tables.sessions ?? []) text = text.replaceAll(String(id), `session ${no}`)
  // Words for a session that nobody chose end with the end of its id; bodies of events have the ones it had when they were written.
  return JSON.parse(text.replace(/_[0-9a-f]{6}"/g, '"'))
}
