// Histories whose hashes fit and that no Cairn could have written: each is refused by the event that is wrong, and nothing of it stays.

import { describe, expect, it } from 'vitest'
import { ask } from '../../src/domain/log/questions.ts'
import { aboutSessions } from '../../src/domain/sessions/questions.ts'
import type { Cairn } from '../../src/open.ts'
import { newChild, newRoot, refused, rootNumber } from '../setup/roots.ts'
import { engineOf } from '../setup/store-engine.ts'
import { freshStore, STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { anId, aRoot, aTime, chained, child, type Forged, fact, type Given, lease, schema, session } from './forging.ts'

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])

/** Each but the first lines begins with a root that is as it should be; the last event is the wrong one. */
const hostile: Record<string, readonly Forged[]> = {
  'begins without a session': [fact('set', { value: 1 })],
  'begins with session 1': [session({ no: 1 })],
  'begins in the name of another session': [session({}, { session_no: 1 })],
  'has a status that does not exist': [session({ status: 'weird' })],
  'begins with a session that has ended': [session({ status: 'completed' })],
  'has a status that is no text': [session({ status: 5 })],
  'has a topic that is no text': [session({ topic: 5 })],
  'has no topic': [session({ topic: undefined })],
  'has a topic that is too long': [session({ topic: 'x'.repeat(501) })],
  'has an unknown type of session': [session({ type: 'agent' })],
  'has a member that no session has': [session({ id: 'x' })],
  'has metadata that is no object': [session({ metadata: [1] })],
  'has a name that is too long': [session({ name: 'n'.repeat(129) })],
  'has a name with a control character': [session({ name: 'a\u001b[2J' })],
  'has a name like an id': [session({ name: 'abcdef12' })],
  'makes the root twice': [session(), session({ no: 0 })],
  'skips the number of a session': [session(), child({ no: 2 })],
  'has a huge number of a session': [session(), child({ no: Number.MAX_SAFE_INTEGER })],
  'has half a number of a session': [session(), child({ no: 1.5 }, { stream: 'session/1' })],
  'has a parent that is not there': [session(), child({ no: 1, parent: 77 })],
  'has its own parent': [session(), child({ no: 1, parent: 1 })],
  'has a later parent': [session(), child({ no: 1, parent: 2 })],
  'has a second root': [session(), child({ no: 1, parent: null })],
  'has a parent that is no number': [session(), child({ no: 1, parent: 'x' })],
  'makes a session in the stream of another': [session(), child({ no: 1 }, { stream: 'session/2' })],
  'gives a name twice': [session({ name: 'Same' }), child({ no: 1, name: 'same' })],
  'is deeper than trees are': [session(), ...Array.from({ length: 16 }, (_, at) => child({ no: at + 1, parent: at }))],
  'makes two sessions of one id': [
    session(),
    child({ no: 1 }, { id: '019a8c00000070008000000000000001' }),
    child({ no: 2 }, { id: '019a8c00000070008000000000000001' }),
  ],
  'is of a session that is not there': [session(), fact('set', { value: 1 }, { session_no: 1 })],
  'ends a session that is not there': [
    session(),
    { stream: 'session/1', type: 'status_changed', data: { from: 'running', to: 'completed' } },
  ],
  'ends a session of a strange stream': [
    session(),
    { stream: 'session/00', type: 'status_changed', data: { from: 'running', to: 'completed' } },
  ],
  'has a stream that is no session': [
    session(),
    { stream: 'session/abc', type: 'status_changed', data: { from: 'running', to: 'completed' } },
  ],
  'changes to a status that does not exist': [
    session(),
    { stream: 'session/0', type: 'status_changed', data: { from: 'running', to: 'zzz' } },
  ],
  'changes from a status that was not': [
    session(),
    { stream: 'session/0', type: 'status_changed', data: { from: 'paused', to: 'completed' } },
  ],
  'changes a status as none can be': [
    session(),
    { stream: 'session/0', type: 'status_changed', data: { from: 'running', to: 'skipped' } },
  ],
  'skips versions': [session(), fact('set', { value: 1 }, { version: Number.MAX_SAFE_INTEGER })],
  'has a version twice': [session(), fact('set', { value: 1 }), fact('set', { value: 2 }, { version: 1 })],
  'sets a key in the stream of a session': [session(), fact('set', { value: 1 }, { stream: 'session/0' })],
  'ends a session in the state': [session(), fact('status_changed', { from: 'running', to: 'completed' })],
  'sets a key in the stream of schemas': [session(), fact('set', { value: 1 }, { stream: 'schema' })],
  'sets no value': [session(), fact('set', {})],
  'sets no key': [session(), fact('set', { value: 1 }, { key: null })],
  'sets an empty key': [session(), fact('set', { value: 1 }, { key: '' })],
  'sets a long key': [session(), fact('set', { value: 1 }, { key: 'k'.repeat(257) })],
  'sets a key with a control character': [session(), fact('set', { value: 1 }, { key: 'a\n\u001b[31m' })],
  'sets a reserved key': [session(), fact('set', { value: 1 }, { key: '__proto__' })],
  'sets what is too deep': [session(), fact('set', { value: deep(65) })],
  'sets what is too large': [session(), fact('set', { value: 'x'.repeat(1024 * 1024) })],
  'grows what is too large': [
    session(),
    fact('append', { items: ['x'.repeat(600_000)] }),
    fact('append', { items: ['x'.repeat(600_000)] }),
  ],
  'sets a number that is not exact': [session(), fact('set', { value: 2 ** 53 })],
  'has a body that is a list': [session(), fact('set', [])],
  'has a body that is a text': [session(), fact('set', 'x')],
  'has a key where there is none': [session(), fact('init', { payload: {} })],
  'goes at no time': [session(), fact('set', { value: 1, expires_at: 'soon' })],
  'goes at half a millisecond': [session(), fact('set', { value: 1, expires_at: 1.5 })],
  'goes before all time': [session(), fact('set', { value: 1, expires_at: -1 })],
  'goes at a time of another kind': [session(), fact('set', { value: 1, expires_at: '2026-01-31' })],
  'goes after all time': [session(), fact('set', { value: 1, expires_at: 9e15 })],
  'goes with nobody': [session(), fact('set', { value: 1, owner: 7 })],
  'goes with a text': [session(), fact('set', { value: 1, owner: 'x' })],
  'lapses what is not there': [session(), fact('lapsed', { reason: 'session_ended' })],
  'lapses what stays': [
    session(),
    fact('set', { value: 1 }),
    fact('lapsed', { reason: 'expired', expires_at: '1970-01-01T00:00:00.001Z' }),
  ],
  'lapses for no reason': [session(), fact('set', { value: 1 }), fact('lapsed', { reason: 'x' })],
  'deletes what is not there': [session(), fact('delete', {})],
  'increments by a text': [session(), fact('increment', { delta: 'x' })],
  'increments by nothing': [session(), fact('increment', { delta: null })],
  'increments a text': [session(), fact('set', { value: 'x' }), fact('increment', { delta: 1 })],
  'increments beyond what is exact': [
    session(),
    fact('set', { value: 1e15 }),
    fact('increment', { delta: Number.MAX_SAFE_INTEGER }),
  ],
  'bounds by an object': [session(), fact('min', { value: { a: 1 } })],
  'appends a text': [session(), fact('append', { items: 'xyz' })],
  'appends what is like a list': [session(), fact('append', { items: [1] }), fact('append', { items: { length: 3 } })],
  'appends to a number': [session(), fact('set', { value: 1 }), fact('append', { items: [1] })],
  'merges a text': [session(), fact('set', { value: {} }), fact('patch', { patch: 'zz' })],
  'merges into a number': [session(), fact('set', { value: 1 }), fact('patch', { patch: { a: 1 } })],
  'patches by a prototype': [
    session(),
    fact('set', { value: {} }),
    fact('json_patch', { operations: [{ op: 'add', path: '/__proto__/x', value: 1 }] }),
  ],
  'patches what is not there': [session(), fact('json_patch', { operations: [{ op: 'add', path: '/a/b', value: 1 }] })],
  'patches by what is no operation': [session(), fact('set', { value: {} }), fact('json_patch', { operations: [1] })],
  'starts with a text': [session(), fact('init', { payload: 'abc' }, { key: null })],
  'starts with nothing': [session(), fact('init', { payload: null }, { key: null })],
  'starts with a reserved key': [session(), fact('init', { payload: { _a: 1 } }, { key: null })],
  'starts twice': [session(), fact('set', { value: 1 }), fact('init', { payload: {} }, { key: null })],
  'replaces all by a list': [session(), fact('full_replace', { payload: [] }, { key: null })],
  'has a schema that cannot be used': [session(), schema({ target: 'a', prefix: false, schema: { pattern: '(((' } })],
  'has a schema of nothing': [session(), schema({ prefix: false, schema: {} })],
  'has a schema of a strange prefix': [session(), schema({ target: 'a', prefix: 'yes', schema: {} })],
  'has a schema of a reserved key': [session(), schema({ target: '_a', prefix: false, schema: {} })],
  'deletes a schema that is not there': [session(), schema({ target: 'a', prefix: false }, 'schema_deleted')],
  'counts nothing': [session(), fact('counter_add', {})],
  'counts what it did not': [
    session(),
    fact('counter_add', { kind: 'g-counter', value: 1, actor: '0/main', plus: 9, minus: 0 }),
  ],
  'counts by nobody': [
    session(),
    fact('counter_add', { kind: 'g-counter', value: 1, actor: '7/main', plus: 1, minus: 0 }),
  ],
  'counts down what only grows': [
    session(),
    fact('counter_add', { kind: 'g-counter', value: -1, actor: '0/main', plus: 0, minus: 1 }),
  ],
  'counts a plain value': [
    session(),
    fact('set', { value: 1 }),
    fact('counter_add', { kind: 'g-counter', value: 1, actor: '0/main', plus: 1, minus: 0 }),
  ],
  'adds a number for items': [session(), fact('set_add', { items: 5, actor: '0/main', first: 1, replaced: {} })],
  'adds what was added': [session(), fact('set_add', { items: [5], actor: '0/main', first: 7, replaced: {} })],
  'removes from nothing': [session(), fact('set_remove', { items: [5], actor: '0/main', removed: {} })],
  'writes at no time': [session(), fact('register_set', { value: 1, clock: ['x', 0, '0/main'] })],
  'writes at another time': [
    session(),
    fact('register_set', { value: 1, clock: [new Date(aTime + 1).toISOString(), 0, '0/main'] }),
  ],
  'writes without a clock': [session(), fact('register_set', { value: 1, clock: [] })],
  'claims nothing': [session(), lease('lease_claimed', {})],
  'claims for ever': [session(), lease('lease_claimed', { name: 'a', epoch: 1, holder: 'x', ttl_ms: 1e12 })],
  'claims as nobody knows': [session(), lease('lease_lost', { name: 'a', epoch: 0 })],
}

/** What an event says of itself besides its body. */
const headers: Record<string, Forged> = {
  'a short id': { id: 'ab' },
  'a long id': { id: 'ab'.repeat(1000) },
  'a huge actor': { actor: 'A'.repeat(1000) },
  'an actor that moves the cursor': { actor: '\u001b[2J' },
  'a cause that is none': { cause: { a: { b: [1, 2] } } },
  'a huge cause': { cause: { run: 'x'.repeat(1000) } },
  'a time after all others': { at: '+275760-09-13T00:00:00.000Z' },
  'a time before 1970': { at: '1960-01-01T00:00:00.000Z' },
  'a long request': { request: 'x'.repeat(1000) },
  'a long stream': { stream: `session/${'0'.repeat(1000)}` },
}

/** All that is in the tables of a store that a history could touch. */
async function rowsIn(store: TestStore): Promise<string> {
  const tables = ['roots', 'sessions', 'session_names', 'streams', 'segments', 'state_keys', 'state_schemas']
  const all: unknown[] = []
  for (const table of tables) all.push(await store.sql(`SELECT * FROM ${table} ORDER BY root`))
  const [count] = await store.sql('SELECT COUNT(*) AS n FROM events')
  return JSON.stringify([all, Number(count?.n)])
}

const whole = (cairn: Cairn) => cairn.store.doctor({}).then(({ ok }) => ok)

for (const kind of STORES) {
  describe(`a history that no Cairn wrote, on ${kind.name},`, () => {
    const store = sharedStore(kind)

    async function isRefused(events: Given, root = aRoot()): Promise<void> {
      const cairn = await store().open()
      const before = await rowsIn(store())
      const refusal = await refused(cairn.log.adopt({ root, events }))
      // What no JSON value may hold is refused where it comes in, as everywhere.
      const isInput = refusal.message.startsWith('events[')
      expect(isInput ? ['invalid_input', 'too_deep', 'number_out_of_range'] : ['invalid_input']).toContain(refusal.code)
      if (!isInput) {
        expect(refusal.details).toMatchObject({ seq: events.length })
        expect(refusal.message).toMatch(new RegExp(`^Event ${events.length} `))
        expect(refusal.hint).toContain('Nothing was adopted.')
      }
      expect(await rowsIn(store())).toBe(before)
    }

    it('is taken in if it is like one', async () => {
      const { cairn } = await newRoot(store())
      const root = aRoot()
      const events = chained([
        session({ name: 'a root', metadata: {} }),
        child({ no: 1, name: 'Same' }),
        fact('set', { value: deep(60), expires_at: new Date(aTime + 1000).toISOString(), owner: 1 }),
        fact('lapsed', { reason: 'expired', expires_at: new Date(aTime + 1000).toISOString() }),
        fact('counter_add', { kind: 'g-counter', value: 1, actor: '0/main', plus: 1, minus: 0 }),
        fact('register_set', { value: 1, clock: [new Date(aTime).toISOString(), 0, '1/main'] }, { key: 'b' }),
        lease('lease_claimed', { name: 'a', epoch: 1, holder: 'x', ttl_ms: 1000 }),
        schema({ target: '', prefix: true, schema: {} }),
        { stream: 'session/1', type: 'status_changed', data: { from: 'running', to: 'completed' } },
      ])
      expect(await cairn.log.adopt({ root, events })).toMatchObject({ adopted: events.length })
    })

    it.each(Object.keys(hostile))('is refused: %s', async (what) => {
      await isRefused(chained(hostile[what] as Forged[]))
    })

    it.each(Object.keys(headers))('is refused: %s', async (what) => {
      const event = fact('set', { value: 1 }, headers[what])
      const isOfStream = headers[what]?.stream !== undefined
      const change = { type: 'status_changed', key: null, data: { from: 'running', to: 'completed' } }
      await isRefused(chained([session(), isOfStream ? { ...event, ...change } : event]))
    })

    it('is refused where it would have the id of a session that is there', async () => {
      const { cairn, session: other } = await newRoot(store())
      const { session_id: kid } = await cairn.session.create({ topic: 'a child', parent: other })
      await isRefused(chained([session()]), kid)
      expect(await cairn.session.show({ session: kid })).toMatchObject({ root_session_id: other })
      expect(await whole(cairn)).toBe(true)
    })
  })

  describe(`a history that goes wrong late, on ${kind.name},`, () => {
    const store = freshStore(kind)
    const unfit = fact('json_patch', { operations: [{ op: 'add', path: '/a/b/c', value: 1 }] }, { key: 'z' })

    it('leaves nothing, however many events come before', async () => {
      const cairn = await store().open()
      const counted = Array.from({ length: 5200 }, () => fact('increment', { delta: 1 }))
      const before = await rowsIn(store())
      const refusal = await refused(cairn.log.adopt({ root: aRoot(), events: chained([session(), ...counted, unfit]) }))
      expect(refusal).toMatchObject({ code: 'invalid_input', details: { seq: 5202 } })
      expect(await rowsIn(store())).toBe(before)
      expect(await whole(cairn)).toBe(true)
    })

    it('leaves no fork where it parted, nor anything behind a root that it goes on with', async () => {
      const cairn = await store().open()
      const root = aRoot()
      const known = chained([session(), fact('set', { value: 1 }), fact('set', { value: 2 })])
      await cairn.log.adopt({ root, events: known })
      const before = await rowsIn(store())
      for (const shared of [2, 3]) {
        const first = known.slice(0, shared) as unknown as (Forged & { seq: number; hash: string })[]
        const rest = chained([unfit], first.at(-1), first)
        const events = [...known.slice(0, shared), ...rest]
        const refusal = await refused(cairn.log.adopt({ root, events }))
        expect(refusal).toMatchObject({ code: 'invalid_input', details: { seq: shared + 1 } })
        expect(await rowsIn(store())).toBe(before)
      }
      expect(await whole(cairn)).toBe(true)
    })

    it('is refused as such when two processes bring it at once, or taken in by one of them', async () => {
      const [one, other] = [await store().open(), await store().open()]
      const root = aRoot()
      const events = chained([session(), child({ no: 1 }, { id: anId() }), fact('set', { value: 1 })])
      const both = await Promise.all([one, other].map((cairn) => cairn.log.adopt({ root, events })))
      expect(both.map(({ adopted }) => adopted).sort()).toEqual([0, 3])
      expect(await whole(one)).toBe(true)
    })
  })

  describe(`rows that no history makes, on ${kind.name},`, () => {
    const store = freshStore(kind, { damaged: true })

    it('end every walk: sessions that are below each other are each found once', async () => {
      const { cairn, session: root } = await newRoot(store())
      for (const name of ['one', 'two']) await newChild(cairn, root, name)
      await store().sql('UPDATE sessions SET parent_no = 3 - no WHERE no > 0')
      const engine = await engineOf(store())
      const above = await engine.read(ask(aboutSessions.sessions_above, await rootNumber(store(), root), 1), false)
      await engine.close()
      expect(above.map(({ no }) => no).sort()).toEqual([1, 2])
    })

    it('are shown as they are: a key named __proto__ is one like any other', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.set({ session, key: 'a', value: { b: 1 } })
      await store().sql("UPDATE state_keys SET key = '__proto__'")
      const { state, keys } = await (await store().reopen()).state.all({ session })
      expect(JSON.stringify(state)).toBe('{"__proto__":{"b":1}}')
      expect(Object.keys(keys)).toEqual(['__proto__'])
    })
  })
}
