import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sha256 } from '../../src/domain/hashing/hashing.ts'
import type { OpenOptions } from '../../src/open.ts'
import { methodsOf, openLog } from '../../src/open.ts'
import { refused } from '../setup/roots.ts'
import { serveHere } from '../setup/serve-here.ts'
import { STORES, type StoreKind, type TestStore } from '../setup/stores.ts'
import { noteOperations, withNotes } from './notes.ts'

async function newStore(kind: StoreKind): Promise<TestStore> {
  const store = await kind.make()
  onTestFinished(() => store.remove())
  return store
}

/** A store with the part in it, as one owner sees it. */
async function opened(options: OpenOptions, bodies: Parameters<typeof withNotes>[0] = 'removable') {
  const { log, caller } = await openLog({ ...options, ...withNotes(bodies) })
  onTestFinished(() => log.close())
  const cairn = methodsOf({ log, caller })
  const run = (name: keyof typeof noteOperations) => (input: object) => log.execute(noteOperations[name], input, caller)
  const notes = {
    write: run('write'),
    strike: run('strike'),
    mark: run('mark'),
    list: run('list'),
    recall: run('recall'),
    count: run('count'),
  }
  const session = (await cairn.session.create({ topic: 'notes' })).session_id
  const slug = (await cairn.session.show({ session })).slug
  return { log, caller, cairn, notes, session, slug }
}

type Opened = Awaited<ReturnType<typeof opened>>

/** Three notes, of which one is written again and one is struck: events 2 to 6. */
async function written({ notes, session }: Opened): Promise<void> {
  await notes.write({ session, name: 'a', words: 'first' })
  await notes.write({ session, name: 'b', words: 'second' })
  await notes.write({ session, name: 'a', words: 'again' })
  await notes.strike({ session, name: 'b' })
  await notes.write({ session, name: 'c', words: 'third' })
  await notes.mark({ session, name: 'a' })
}

async function wordsOf({ notes, session }: Opened, at?: number): Promise<unknown> {
  const { notes: rows } = await notes.list(at === undefined ? { session } : { session, at })
  return Object.fromEntries((rows as { name: string; words: string }[]).map(({ name, words }) => [name, words]))
}

async function isSound({ log, cairn }: Opened): Promise<void> {
  expect(await log.verify()).toEqual([])
  const { checks } = await cairn.store.doctor({})
  expect(checks.filter(({ ok, name }) => !ok && name !== 'modes')).toEqual([])
}

for (const kind of STORES) {
  describe(`a part that was handed in on ${kind.name}`, () => {
    it('is recorded, read at any event, replayed and verified', async () => {
      const store = await newStore(kind)
      const one = await opened(store.options)
      await written(one)
      expect(await wordsOf(one)).toEqual({ a: 'again', c: 'third' })
      const past = [{}, {}, { a: 'first' }, { a: 'first', b: 'second' }, { a: 'again', b: 'second' }, { a: 'again' }]
      for (const [at, words] of past.entries()) expect(await wordsOf(one, at), `at ${at}`).toEqual(words)
      await isSound(one)
      await store.sql(`UPDATE notes SET words = 'forged' WHERE name = 'c'`)
      expect(await one.log.verify()).toMatchObject([{ where: 'notes c', what: 'differs in words' }])
      await store.sql(`UPDATE row_versions SET row = '["a","x",2]' WHERE tbl = 'notes' AND seq = 2`)
      expect((await one.log.verify()).map(({ where }) => where)).toContain('row_versions notes/a/2')
      expect(await one.cairn.store.doctor({ repair: true })).toMatchObject({ ok: true })
      expect(await wordsOf(one)).toEqual({ a: 'again', c: 'third' })
      expect(await wordsOf(one, 2)).toEqual({ a: 'first' })
    })

    it('asks questions of its own, and about the past in a decision', async () => {
      const store = await newStore(kind)
      const one = await opened(store.options)
      await written(one)
      expect(await one.notes.count({ session: one.session })).toEqual({ count: 2 })
      expect(await one.notes.recall({ session: one.session, name: 'b', at: 4 })).toMatchObject({ words: 'second' })
      const { session_id: session } = await one.cairn.session.fork({ session: one.session, at: 5 })
      expect(await one.notes.recall({ session, name: 'a', at: 2 })).toMatchObject({ words: 'first' })
      expect(await one.notes.count({ session })).toEqual({ count: 1 })
      expect(await wordsOf({ ...one, session })).toEqual({ a: 'first' })
      expect(await wordsOf(one)).toEqual({ a: 'again', b: 'second', c: 'third' })
      await isSound(one)
    })

    it('is compacted and erased: bodies and earlier rows go, what is there stays', async () => {
      const store = await newStore(kind)
      const one = await opened(store.options)
      await written(one)
      await one.cairn.store.compact({ session: one.session, older_than: '0s' })
      expect(await wordsOf(one)).toEqual({ a: 'again', c: 'third' })
      expect(await store.sql(`SELECT seq FROM events WHERE stream = 'notes' AND data IS NOT NULL`)).toEqual([])
      expect((await store.sql(`SELECT place FROM row_versions WHERE tbl = 'notes' ORDER BY place`)).length).toBe(3)
      await isSound(one)
      await one.notes.write({ session: one.session, name: 'a', words: 'secret' })
      await one.notes.write({ session: one.session, name: 'a', words: 'clean' })
      await one.cairn.store.erase({ session: one.session, key: 'a', confirm: one.slug })
      const kept = await store.sql(`SELECT row AS text FROM row_versions UNION ALL SELECT data FROM events`)
      expect(JSON.stringify(kept)).not.toContain('secret')
      expect(await wordsOf(one)).toEqual({ a: 'clean', c: 'third' })
      await isSound(one)
      await one.notes.write({ session: one.session, name: 'd', words: 'later' })
      await isSound(one)
    })

    it('is removed with its root, and a row without one is found', async () => {
      const store = await newStore(kind)
      const one = await opened(store.options)
      await written(one)
      await one.cairn.store.remove({ session: one.session, force: true, confirm: one.slug })
      for (const table of ['notes', 'note_marks', 'events', 'row_versions'])
        expect(await store.sql(`SELECT * FROM ${table}`), table).toEqual([])
      await store.sql(`INSERT INTO note_marks VALUES (77, 'lost', 1)`)
      expect(await one.log.verify()).toMatchObject(
        [{ where: 'note_marks', what: /no head/ }].map(() => ({ where: 'note_marks' })),
      )
      await store.sql('DELETE FROM note_marks')
    })

    it('is forked, with its past and its plain rows', async () => {
      const store = await newStore(kind)
      const one = await opened(store.options)
      await written(one)
      const { session_id: session } = await one.cairn.session.fork({ session: one.session, at: 4 })
      const fork = { ...one, session }
      expect(await wordsOf(fork)).toEqual({ a: 'again', b: 'second' })
      expect(await wordsOf(fork, 2)).toEqual({ a: 'first' })
      expect((await one.notes.list({ session })).marks).toEqual([{ name: 'a', marks: 1 }])
      await one.notes.write({ session, name: 'b', words: 'of the fork' })
      expect(await wordsOf(one)).toEqual({ a: 'again', c: 'third' })
      expect(await wordsOf(fork)).toEqual({ a: 'again', b: 'of the fork' })
      await one.cairn.store.remove({ session: one.session, force: true, confirm: one.slug })
      expect(await wordsOf(fork, 3)).toEqual({ a: 'first', b: 'second' })
      await isSound(one)
    })

    it('is adopted, also where bodies stayed elsewhere, and backed up', async () => {
      const [from, to] = [await newStore(kind), await newStore(kind)]
      const one = await opened(from.options, 'may be absent')
      await written(one)
      const { events } = await one.cairn.log.list({ session: one.session })
      const other = await opened(to.options, 'may be absent')
      await other.cairn.log.adopt({ root: one.session, events })
      expect(await wordsOf({ ...other, session: one.session })).toEqual({ a: 'again', c: 'third' })
      const third = await opened((await newStore(kind)).options, 'may be absent')
      const without = events.map((event) => {
        if (event.stream !== 'notes') return event
        return { ...event, data: null, digest: sha256(JSON.stringify(event.data)) }
      })
      await third.cairn.log.adopt({ root: one.session, events: without })
      const shown = (await third.cairn.log.list({ session: one.session })).events.filter(
        ({ stream }) => stream === 'notes',
      )
      expect(shown.map(({ data, body, hash }) => [data, body, hash])).toEqual(
        events.filter(({ stream }) => stream === 'notes').map(({ hash }) => [null, 'elsewhere', hash]),
      )
      const heard: number[] = []
      for await (const { seq } of third.log.follow(one.session, { since: 0 }, third.caller)) {
        heard.push(seq)
        if (heard.length === events.length) break
      }
      expect(heard).toEqual(events.map(({ seq }) => seq))
      await third.cairn.session.fork({ session: one.session, at: 4 })
      await isSound(third)
      const file = join(from.home, '..', 'copy.db')
      await other.cairn.store.backup({ file })
      const back = await newStore(kind)
      const { log, caller } = await openLog({ ...back.options, ...withNotes('may be absent') })
      onTestFinished(() => log.close())
      await methodsOf({ log, caller }).store.restore({ file })
      expect(await log.verify()).toEqual([])
      expect(await log.execute(noteOperations.list, { session: one.session }, caller)).toMatchObject({
        notes: [{ name: 'a' }, { name: 'c' }],
        marks: [],
      })
    })

    it('refuses bodies that are missing where the part keeps them', async () => {
      const [from, to] = [await newStore(kind), await newStore(kind)]
      const one = await opened(from.options)
      await written(one)
      const { events } = await one.cairn.log.list({ session: one.session })
      // The chain vouches for the digest: only the part says that this is not enough.
      const cut = events.map((event) =>
        event.seq === 3 ? { ...event, data: null, digest: sha256(JSON.stringify(event.data)) } : event,
      )
      const other = await opened(to.options)
      expect(await refused(other.cairn.log.adopt({ root: one.session, events: cut }))).toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('The body of event 3 was removed'),
        details: { seq: 3 },
      })
      expect(await refused(other.cairn.session.show({ session: one.session }))).toMatchObject({
        code: 'session_not_found',
      })
    })
  })
}

it('a part that was handed in has its routes', async () => {
  const store = await newStore(STORES[0] as StoreKind)
  const serving = await serveHere({ ...store.options, port: 0, added: withNotes() })
  onTestFinished(() => serving.stop())
  const { readFileSync } = await import('node:fs')
  const token = readFileSync(join(store.home, 'token'), 'utf8').trim()
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${serving.discovered.url}${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: (await response.json()) as { [name: string]: unknown } }
  }
  const { body } = await ask('POST', '/sessions', { topic: 't' })
  const notes = `/sessions/${body.session_id}/notes`
  expect(await ask('PUT', `${notes}/a`, { words: 'over HTTP' })).toMatchObject({
    status: 201,
    body: { name: 'a', seq: 2 },
  })
  expect(await ask('GET', notes)).toMatchObject({ status: 200, body: { notes: [{ name: 'a', words: 'over HTTP' }] } })
})
