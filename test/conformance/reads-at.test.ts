// Every read as of every event: what it answered when that event was the last one is what it answers for ever.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { type Draw, drawing, randomValue } from '../setup/random-steps.ts'
import { refused } from '../setup/roots.ts'
import { seedOf } from '../setup/seed.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

const minute = 60_000
const steps = process.env.CAIRN_LONG ? 120 : 45
const keys = ['n', 'l', 'o', 'x']

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-01T00:00:00Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

/** The answer, or the code of the refusal. */
async function outcome(asking: Promise<object>): Promise<object> {
  return asking.catch((error: { code?: string }) => {
    if (error.code === undefined) throw error
    // What asks for more than there was then is a mistake, where one that asks for more than there is has seen another past.
    return { refused: error.code === 'history_lost' ? 'invalid_input' : error.code }
  })
}

type Point = { at?: number }

/** Reads of a root that are of the past as a whole; `made` are the sessions that there are at the end. */
function reads(cairn: Cairn, root: string, made: readonly string[]) {
  const at = (point: Point) => ({ session: root, ...point })
  const some: Record<string, (point: Point) => Promise<object>> = {
    tree: (point) => cairn.session.tree(at(point)),
    all: (point) => cairn.state.all(at(point)),
    summary: (point) => cairn.state.summary({ ...at(point), max_keys: 3, max_bytes: 120 }),
    'whole summary': (point) => cairn.state.summary({ ...at(point), max_bytes: 65_536 }),
    events: (point) => cairn.state.events(at(point)),
    'some events': (point) => cairn.state.events({ ...at(point), since: 1, limit: 2 }),
    schemas: (point) => cairn.schema.list(at(point)),
    log: (point) => cairn.log.list({ ...at(point), since: 0, limit: 1000 }),
    newest: (point) => cairn.log.list({ ...at(point), limit: 3 }),
    'newest of the state': (point) => cairn.log.list({ ...at(point), limit: 2, stream: 'state' }),
    'first of the state': (point) => cairn.log.list({ ...at(point), since: 2, limit: 2, stream: 'state' }),
  }
  for (const part of ['sessions', 'state', 'leases', 'access']) {
    some[`rows of ${part}`] = (point) => cairn.log.rows({ ...at(point), part })
  }
  for (const key of keys) {
    some[`get ${key}`] = (point) => cairn.state.get({ ...at(point), key })
    some[`history ${key}`] = (point) => cairn.state.history({ ...at(point), key, limit: 4 })
    some[`why ${key}`] = (point) => cairn.state.why({ ...at(point), key })
  }
  for (const session of made) {
    some[`show ${session}`] = async (point) => {
      // What it takes up on disk is of the present only.
      const { root_disk: _, ...shown } = (await cairn.session.show({ session, ...point })) as { root_disk?: unknown }
      return shown
    }
  }
  return some
}

/** One change, often refused: of sessions, schemas or keys. */
async function change(cairn: Cairn, draw: Draw, root: string, made: string[]): Promise<void> {
  const session = made[draw(made.length)] as string
  const key = keys[draw(keys.length)] as string
  const pick = draw(12)
  if (pick < 2) {
    const asked = { topic: `child ${draw(9)}`, parent: session, metadata: { n: draw(9) } }
    const child = await outcome(cairn.session.create(draw(2) ? { ...asked, name: `Name ${made.length}` } : asked))
    if ('session_id' in child) made.push(String(child.session_id))
  } else if (pick === 2) {
    const status = (['completed', 'failed', 'cancelled'] as const)[draw(3)] as 'failed'
    if (session !== root) await outcome(cairn.session.end({ session, status, reason: `for ${draw(9)}` }))
  } else if (pick === 3) {
    const target = { target: draw(2) ? key : key.slice(0, draw(2)), prefix: draw(2) === 0 }
    const schema = { type: ['object', 'array', 'number', 'string'][draw(4)] as string }
    await outcome(
      draw(3)
        ? cairn.schema.set({ session, ...target, schema, force: true })
        : cairn.schema.delete({ session, ...target }),
    )
  } else if (pick < 7) await outcome(cairn.state.append({ session, key: 'l', items: [randomValue(draw)] }))
  else if (pick === 7) await outcome(cairn.state.increment({ session, key: 'n', delta: draw(5) }))
  else if (pick === 8)
    await outcome(cairn.state.merge({ session, key: 'o', patch: { [`m${draw(5)}`]: randomValue(draw) } }))
  else if (pick === 9) await outcome(cairn.state.delete({ session, key }))
  else if (pick === 10)
    await outcome(cairn.state.replace({ session, state: { o: { wide: '*'.repeat(1500) }, x: randomValue(draw) } }))
  else await outcome(cairn.state.set({ session, key, value: randomValue(draw) }))
}

/** What each read answered at each event at which an operation ended. */
type Copies = Map<number, Record<string, object>>

async function play(cairn: Cairn, draw: Draw, root: string, made: string[]): Promise<Copies> {
  const copies: Copies = new Map()
  for (let step = 0; step < steps; step++) {
    await change(cairn, draw, root, made)
    if (step === steps - 2) await cairn.session.end({ session: root, reason: 'all is done' })
    vi.setSystemTime(Date.now() + minute)
    const seq = (await cairn.log.list({ session: root, limit: 1 })).last_seq
    const answers: Record<string, object> = {}
    for (const [name, read] of Object.entries(reads(cairn, root, made))) answers[name] = await outcome(read({}))
    copies.set(seq, answers)
  }
  return copies
}

/** The statuses of the sessions after an event, from the events themselves. */
function statusesAt(events: readonly { seq: number; type: string; stream: string; data: unknown }[], at: number) {
  const statuses = new Map<string, string>()
  for (const { type, stream, data } of events.filter(({ seq }) => seq <= at)) {
    const { status, to } = data as { status: string; to: string }
    if (type === 'session_created') statuses.set(stream, status)
    if (type === 'status_changed') statuses.set(stream, to)
  }
  return statuses
}

type Branch = { session_id: string; status: string; children: Branch[] }

const below = (tree: Branch): Branch[] => [tree, ...tree.children.flatMap(below)]

for (const kind of STORES) {
  describe(`reads as of an event on ${kind.name}`, () => {
    const store = sharedStore(kind)

    async function history(seed: number) {
      const cairn = await store().open()
      const root = await store().createRoot()
      const made = [root]
      const copies = await play(cairn, drawing(seedOf(seed)), root, made)
      return { cairn, root, made, copies, last: Math.max(...copies.keys()) }
    }

    it('each read at each event answers what it answered then', async () => {
      const { cairn, root, made, copies, last } = await history(11)
      const { events } = await cairn.log.list({ session: root, since: 0, limit: 1000 })
      for (let at = 1; at <= last; at++) {
        const tree = (await cairn.session.tree({ session: root, at })) as unknown as Branch
        const then = below(tree).map(({ session_id, status }) => [session_id, status])
        const told = [...statusesAt(events, at)].map(([stream, status]) => [made[Number(stream.slice(8))], status])
        expect(then.sort(), `sessions at ${at}`).toEqual(told.sort())
        const copied = copies.get(at)
        if (copied === undefined) continue
        for (const [name, read] of Object.entries(reads(cairn, root, made))) {
          const missing = name.startsWith('show ') ? { refused: 'session_not_found' } : undefined
          expect(await outcome(read({ at })), `${name} at ${at}`).toEqual(copied[name] ?? missing)
        }
      }
    })

    it('U49 after a compaction what was compacted is refused and the rest answers what it did', async () => {
      const { cairn, root, made, copies, last } = await history(12)
      const { floor } = await cairn.store.compact({ session: root, older_than: `${Math.floor(steps / 2)}m` })
      expect(floor).toBeGreaterThan(5)
      const ofState = /^(?:all|summary|whole summary|events|some events|get|history|why|rows of state)\b/
      // Of these the bodies, or the earlier versions, are gone whatever point is asked for.
      const shortened = /^(?:log|newest|first of|events|some events|history|why)\b/
      for (const [at, copied] of copies) {
        for (const [name, read] of Object.entries(reads(cairn, root, made))) {
          const found = await outcome(read({ at }))
          if (ofState.test(name) && at < floor) expect(found, `${name} at ${at}`).toEqual({ refused: 'compacted' })
          else if (!shortened.test(name))
            expect(found, `${name} at ${at}`).toEqual(copied[name] ?? { refused: 'session_not_found' })
        }
        const { events } = await cairn.log.list({ session: root, since: 0, limit: 1000, at })
        const { events: then } = copied.log as typeof events extends unknown ? { events: typeof events } : never
        const bare = (list: typeof events) => list.map(({ data: _data, body: _body, digest: _digest, ...rest }) => rest)
        expect(bare(events)).toEqual(bare(then))
        for (const { seq, stream, data, body } of events) {
          const isGone = stream === 'state' && seq <= floor
          expect({ seq, data, body }).toEqual({
            seq,
            data: isGone ? null : then[seq - 1]?.data,
            body: isGone ? 'removed' : undefined,
          })
        }
      }
      expect(await refused(cairn.state.summary({ session: root, at: last + 1 }))).toMatchObject({
        code: 'invalid_input',
        details: { last },
      })
    })

    it('a fork has the past of what it came from, under its own ids', async () => {
      const { cairn, root, made, copies } = await history(13)
      const forkAt = [...copies.keys()].at(-8) as number
      const { session_id: fork } = await cairn.session.fork({ session: root, at: forkAt })
      await cairn.session.create({ topic: 'only here', parent: fork })
      const rows = (answer: object) => {
        const { tables } = answer as { tables: Record<string, object[]> }
        return tables
      }
      for (const [at, copied] of [...copies].filter(([at]) => at <= forkAt)) {
        const state = await cairn.log.rows({ session: fork, part: 'state', at })
        expect(rows(state), `rows at ${at}`).toEqual(rows(copied['rows of state'] as object))
        const statuses = below((await cairn.session.tree({ session: fork, at })) as unknown as Branch)
        const then = below(copied.tree as Branch)
        expect(statuses.map(({ status }) => status)).toEqual(then.map(({ status }) => status))
        expect(statuses.some(({ session_id }) => made.includes(session_id))).toBe(false)
      }
      const listed = (await cairn.session.list({ at: forkAt, all: true, limit: 1000 })).sessions
      expect(listed.find(({ session_id }) => session_id === fork)).toMatchObject({ status: 'running' })
    })

    it('ls lists each root as it was at that place of its own log, or at its end', async () => {
      const cairn = await store().open()
      const made: { id: string; ends: number; last: number }[] = []
      for (let at = 0; at < 7; at++) {
        const id = (await cairn.session.create({ topic: `root ${at}`, project: '/listed' })).session_id
        for (let n = 0; n < at; n++) await cairn.state.set({ session: id, key: 'n', value: n })
        if (at % 2) await cairn.session.end({ session: id, status: 'failed' })
        vi.setSystemTime(Date.now() + minute)
        made.push({ id, ends: at % 2 ? at + 2 : Number.POSITIVE_INFINITY, last: at % 2 ? at + 2 : at + 1 })
      }
      const newestFirst = made.toReversed()
      for (const at of [0, 1, 3, 5, 100]) {
        const wanted = newestFirst.map(({ id, ends }) => ({
          session_id: id,
          status: ends <= at ? 'failed' : 'running',
        }))
        const there = at === 0 ? [] : wanted
        const { sessions } = await cairn.session.list({ at, all: true, project: '/listed' })
        expect(sessions.map(({ session_id, status }) => ({ session_id, status }))).toEqual(there)
        // Page by page, of those that had not ended.
        const open: object[] = []
        for (let cursor: string | undefined, more = true; more; ) {
          const page = await cairn.session.list({ at, limit: 2, project: '/listed', ...(cursor ? { cursor } : {}) })
          expect(page.sessions.length).toBeLessThanOrEqual(2)
          open.push(...page.sessions.map(({ session_id, status }) => ({ session_id, status })))
          cursor = page.next_cursor ?? undefined
          more = cursor !== undefined
        }
        expect(open).toEqual(there.filter(({ status }) => status === 'running'))
      }
    })

    it('refuses what is still to come, a session that was still to come, and a since after the end', async () => {
      const cairn = await store().open()
      const root = await store().createRoot()
      await cairn.state.set({ session: root, key: 'k', value: 1 })
      const { session_id: child } = await cairn.session.create({ topic: 'later', parent: root })
      for (const read of [cairn.session.show, cairn.session.tree]) {
        const told = await refused(read({ session: child, at: 2 }))
        expect(told).toMatchObject({ code: 'session_not_found', details: { created_seq: 3 } })
        expect(await read({ session: child, at: 3 })).toMatchObject({ session_id: child, parent_session_id: root })
        expect(await refused(read({ session: root, at: 0 }))).toMatchObject({ code: 'session_not_found' })
      }
      expect(await cairn.state.get({ session: child, key: 'k', at: 2 })).toMatchObject({ value: 1 })
      const all = reads(cairn, root, [root])
      const { 'some events': some, ...others } = all
      expect(await refused((some as (typeof all)[string])({ at: 1 }))).toMatchObject({
        details: { path: 'since', last: 0 },
      })
      for (const [name, read] of Object.entries(others)) {
        expect(await refused(read({ at: 4 })), name).toMatchObject({ code: 'invalid_input', details: { last: 3 } })
      }
      expect(await refused(cairn.log.list({ session: root, since: 3, at: 2 }))).toMatchObject({ code: 'invalid_input' })
      expect(await refused(cairn.lease.list({ session: root, at: 1 } as object))).toMatchObject({
        code: 'invalid_input',
      })
      expect(await refused(cairn.log.rows({ session: root, part: 'nothing' }))).toMatchObject({ code: 'not_found' })
      expect(await refused(cairn.log.rows({ session: root, part: 'leases', table: 'leases' }))).toMatchObject({
        code: 'not_found',
      })
    })
  })
}
