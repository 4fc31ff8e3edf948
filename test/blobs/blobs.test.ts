import { describe, expect, it } from 'vitest'
import { chunkBytes } from '../../src/domain/blobs/blob.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { bytesOf, contentOf, inPieces, sha256 } from './bytes.ts'

const day = 86_400_000

/** How many chunks there are of content that no blob names. */
async function unnamed(store: TestStore): Promise<number> {
  const [row] = await store.sql(
    'SELECT count(*) AS chunks FROM blob_chunks WHERE content NOT IN (SELECT content FROM blobs)',
  )
  return Number(row?.chunks)
}

async function chunksIn(store: TestStore): Promise<number> {
  return Number((await store.sql('SELECT count(*) AS chunks FROM blob_chunks'))[0]?.chunks)
}

for (const kind of STORES) {
  describe(`blobs on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it.each([0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes])(
      'keeps %i bytes as they are',
      async (length) => {
        const { cairn } = await newRoot(store())
        const bytes = bytesOf(length, length + 1)
        const hash = sha256(bytes)
        expect(await cairn.blob.put({ content: bytes })).toEqual({ hash, bytes: length })
        expect((await contentOf(cairn, hash)).equals(bytes)).toBe(true)
        const [row] = await store().sql('SELECT content FROM blobs WHERE hash = $1', hash)
        const sizes = await store().sql(
          'SELECT no, length(chunk) AS bytes FROM blob_chunks WHERE content = $1 ORDER BY no',
          row?.content as string,
        )
        const expected = Array.from({ length: Math.ceil(length / chunkBytes) }, (_, no) => ({
          no,
          bytes: Math.min(chunkBytes, length - no * chunkBytes),
        }))
        expect(sizes.map(({ no, bytes }) => ({ no: Number(no), bytes: Number(bytes) }))).toEqual(expected)
      },
    )

    it('takes streams of pieces of any size, and says their hash', async () => {
      const { cairn } = await newRoot(store())
      for (const [at, size] of [1000, 65_536, chunkBytes, chunkBytes * 3 + 7].entries()) {
        const bytes = bytesOf(2 * chunkBytes + 12_345, 100 + at)
        const expected = { hash: sha256(bytes), bytes: bytes.length }
        expect(await cairn.blob.put({ content: inPieces(bytes, size) })).toEqual(expected)
        expect((await contentOf(cairn, expected.hash)).equals(bytes)).toBe(true)
      }
      const stream = new Response(bytesOf(5000, 7)).body as ReadableStream<Uint8Array>
      const { hash } = await cairn.blob.put({ content: stream, hash: sha256(bytesOf(5000, 7)) })
      expect((await contentOf(cairn, hash)).equals(bytesOf(5000, 7))).toBe(true)
    })

    it('keeps what is put twice once, also when it is put by many at a time', async () => {
      const { cairn, session } = await newRoot(store())
      const bytes = bytesOf(2 * chunkBytes + 1, 200)
      const expected = { hash: sha256(bytes), bytes: bytes.length }
      const others = await Promise.all([1, 2, 3].map(() => store().open({ session })))
      const before = await chunksIn(store())
      const puts = [cairn, ...others].flatMap(({ blob }) => [
        blob.put({ content: bytes }),
        blob.put({ content: inPieces(bytes, 100_000) }),
        blob.put({ content: inPieces(bytes, 100_000), hash: expected.hash }),
      ])
      for (const put of await Promise.all(puts)) expect(put).toEqual(expected)
      expect(await chunksIn(store())).toBe(before + 3)
      expect(await unnamed(store())).toBe(0)
    })

    it('is copied before it is kept: what becomes of the memory of its giver is no matter', async () => {
      const { cairn } = await newRoot(store())
      const bytes = bytesOf(chunkBytes * 2, 300)
      const hash = sha256(bytes)
      async function* reusing() {
        const piece = new Uint8Array(10_000)
        for await (const part of inPieces(bytes, piece.length)) {
          piece.set(part)
          yield piece.subarray(0, part.length)
        }
      }
      expect(await cairn.blob.put({ content: reusing() })).toEqual({ hash, bytes: bytes.length })
      expect(sha256(await contentOf(cairn, hash))).toBe(hash)
    })

    it('U8 refuses what is too large, misnamed, no bytes, or no hash, and leaves nothing', async () => {
      const { cairn, session } = await newRoot(store(), { limits: { blobBytes: chunkBytes + 1000 } })
      const large = bytesOf(chunkBytes + 1001, 400)
      const fitting = large.subarray(1)
      const before = await chunksIn(store())
      const limit = { code: 'payload_too_large', details: { limit: 'blobBytes', limit_value: chunkBytes + 1000 } }
      expect(await refused(cairn.blob.put({ content: large }))).toMatchObject(limit)
      expect(await refused(cairn.blob.put({ content: inPieces(large, 100_000) }))).toMatchObject(limit)
      const misnamed = { code: 'invalid_input', details: { path: 'hash', found: sha256(fitting) } }
      const hash = sha256(large)
      expect(await refused(cairn.blob.put({ content: fitting, hash }))).toMatchObject(misnamed)
      expect(await refused(cairn.blob.put({ content: inPieces(fitting, 100_000), hash }))).toMatchObject(misnamed)
      for (const none of ['', 'x'.repeat(64), hash.toUpperCase(), hash.slice(1), `${hash}0`, `sha256:${hash}`]) {
        const noHash = { code: 'invalid_input', details: { path: 'hash' } }
        expect(await refused(cairn.blob.put({ content: fitting, hash: none }))).toMatchObject(noHash)
        expect(await refused(cairn.blob.get({ hash: none }))).toMatchObject(noHash)
      }
      for (const content of ['text', 7, undefined, null, {}, [1], ['text'], [null]]) {
        const noBytes = { code: 'invalid_input', details: { path: 'content' } }
        expect(await refused(cairn.blob.put({ content: content as never }))).toMatchObject(noBytes)
      }
      expect(await refused(cairn.blob.get({ hash }))).toMatchObject({ code: 'not_found' })
      expect(await refused(cairn.blob.get({ hash: sha256(fitting) }))).toMatchObject({ code: 'not_found' })
      expect(await chunksIn(store())).toBe(before)
      expect(await refused(cairn.blob.put({ session: 'nobody', content: fitting }))).toMatchObject({
        code: 'session_not_found',
      })
      // Also where it is there already, other bytes are not taken for it.
      await cairn.blob.put({ session, content: fitting })
      const other = inPieces(fitting.subarray(1), 100_000)
      expect(await refused(cairn.blob.put({ content: other, hash: sha256(fitting) }))).toMatchObject({
        code: 'invalid_input',
        details: { found: sha256(fitting.subarray(1)) },
      })
    })

    it('leaves nothing of a stream that fails, and tells its failure', async () => {
      const { cairn } = await newRoot(store())
      const bytes = bytesOf(4 * chunkBytes, 500)
      async function* failing() {
        yield* inPieces(bytes.subarray(0, 3 * chunkBytes + 5), 50_000)
        expect(await unnamed(store())).toBeGreaterThan(0)
        throw new Error('the giver is gone')
      }
      await expect(cairn.blob.put({ content: failing() })).rejects.toThrow('the giver is gone')
      expect(await unnamed(store())).toBe(0)
      expect(await refused(cairn.blob.get({ hash: sha256(bytes) }))).toMatchObject({ code: 'not_found' })
    })

    it('U17 writes nothing in the name of a session that has ended or is gone, whenever that came about', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session, 'child')
      const bytes = bytesOf(2 * chunkBytes, 600)
      async function* meanwhile(act: () => Promise<unknown>) {
        yield bytes.subarray(0, chunkBytes + 1)
        await act()
        yield bytes.subarray(chunkBytes + 1)
      }
      const ending = meanwhile(() => cairn.session.end({ session: child }))
      expect(await refused(cairn.blob.put({ session: child, content: ending }))).toMatchObject({
        code: 'session_ended',
      })
      expect(await refused(cairn.blob.put({ session: child, content: bytes }))).toMatchObject({ code: 'session_ended' })
      const { slug: confirm } = await cairn.session.show({ session })
      const removing = meanwhile(() => cairn.store.remove({ session, confirm, force: true }))
      expect(await refused(cairn.blob.put({ session, content: removing }))).toMatchObject({ code: 'session_not_found' })
      expect(await unnamed(store())).toBe(0)
    })

    it('belongs to one root: another finds it only once it has it too', async () => {
      const [one, other] = [await newRoot(store()), await newRoot(store())]
      const bytes = bytesOf(1000, 700)
      const { hash } = await one.cairn.blob.put({ content: bytes })
      expect(await refused(other.cairn.blob.get({ hash }))).toMatchObject({ code: 'not_found' })
      const child = await newChild(one.cairn, one.session)
      expect((await contentOf(one.cairn, hash, child)).equals(bytes)).toBe(true)
      await other.cairn.blob.put({ content: bytes })
      const { slug: confirm } = await one.cairn.session.show({ session: one.session })
      await one.cairn.store.remove({ session: one.session, confirm, force: true })
      expect((await contentOf(other.cairn, hash)).equals(bytes)).toBe(true)
    })

    it('U37 a fork reads what its origin had, whoever of the two is removed, and the last one takes it along', async () => {
      const origin = await newRoot(store())
      const bytes = bytesOf(chunkBytes + 5, 800)
      const { hash } = await origin.cairn.blob.put({ content: bytes })
      await origin.cairn.state.set({ key: 'k', value: hash })
      const before = await chunksIn(store())
      const fork = (await origin.cairn.session.fork({})).session_id
      const forkOfFork = (await origin.cairn.session.fork({ session: fork })).session_id
      const later = await origin.cairn.blob.put({ content: bytesOf(10, 801) })
      const own = await origin.cairn.blob.put({ session: fork, content: bytesOf(10, 802) })
      expect((await contentOf(origin.cairn, hash, forkOfFork)).equals(bytes)).toBe(true)
      expect(await refused(origin.cairn.blob.get({ session: fork, hash: later.hash }))).toMatchObject({
        code: 'not_found',
      })
      expect(await refused(origin.cairn.blob.get({ hash: own.hash }))).toMatchObject({ code: 'not_found' })
      expect(await origin.cairn.blob.put({ session: fork, content: bytes })).toEqual({ hash, bytes: bytes.length })
      expect(await chunksIn(store())).toBe(before + 2)

      const library = await store().open()
      for (const [gone, left] of [
        [origin.session, [fork, forkOfFork]],
        [fork, [forkOfFork]],
      ] as const) {
        const { slug: confirm } = await library.session.show({ session: gone })
        await library.store.remove({ session: gone, confirm, force: true })
        for (const session of left) expect((await contentOf(library, hash, session)).equals(bytes)).toBe(true)
        expect((await library.store.doctor({})).checks.filter(({ ok }) => !ok)).toEqual([])
      }
      expect(await chunksIn(store())).toBe(before)
      const { slug: confirm } = await library.session.show({ session: forkOfFork })
      await library.store.remove({ session: forkOfFork, confirm, force: true })
      expect(await chunksIn(store())).toBe(before - 2)
    })

    it('stays through compaction and erasure, and so does what a fork has of it', async () => {
      const { cairn, session } = await newRoot(store())
      const bytes = bytesOf(3000, 900)
      const { hash } = await cairn.blob.put({ content: bytes })
      await cairn.state.set({ key: 'k', value: hash })
      const fork = (await cairn.session.fork({})).session_id
      const { slug: confirm } = await cairn.session.show({ session })
      await cairn.store.compact({ session, older_than: '0s' })
      await cairn.store.erase({ session, key: 'k', confirm })
      for (const each of [session, fork]) expect((await contentOf(cairn, hash, each)).equals(bytes)).toBe(true)
      await cairn.store.remove({ session, confirm, force: true })
      expect((await contentOf(cairn, hash, fork)).equals(bytes)).toBe(true)
    })

    it('gc takes out uploads that were begun a day ago and never came to their end, and no other', async () => {
      const { cairn } = await newRoot(store())
      const kept = await cairn.blob.put({ content: bytesOf(10, 1000) })
      const begun = [2 * day, day + 60_000, day - 60_000, 0].map((age) => {
        return `${(Date.now() - age).toString(16).padStart(12, '0')}70008000000000000000`
      })
      const old = `${(Date.now() - 9 * day).toString(16).padStart(12, '0')}70008000000000000000`
      await store().sql(
        'UPDATE blob_chunks SET content = $1 WHERE content = (SELECT content FROM blobs WHERE hash = $2)',
        old,
        kept.hash,
      )
      await store().sql('UPDATE blobs SET content = $1 WHERE hash = $2', old, kept.hash)
      for (const content of begun) {
        for (const no of [0, 1])
          await store().sql(
            `INSERT INTO blob_chunks (content, no, chunk) SELECT $1, ${no}, chunk FROM blob_chunks WHERE content = $2`,
            content,
            old,
          )
      }
      expect((await cairn.store.doctor({})).ok).toBe(true)
      expect(await cairn.store.gc({})).toEqual({ lapsed: 0, requests: 0, uploads: 2, hidden: 0 })
      expect(await cairn.store.gc({})).toEqual({ lapsed: 0, requests: 0, uploads: 0, hidden: 0 })
      const left = await store().sql(
        'SELECT DISTINCT content FROM blob_chunks WHERE content > $1 ORDER BY content',
        old,
      )
      expect(left.map(({ content }) => content)).toEqual(expect.arrayContaining(begun.slice(2)))
      expect(left.map(({ content }) => content)).not.toEqual(expect.arrayContaining(begun.slice(0, 1)))
      expect((await contentOf(cairn, kept.hash)).equals(bytesOf(10, 1000))).toBe(true)
      for (const content of begun) await store().sql('DELETE FROM blob_chunks WHERE content = $1', content)
    })

    it('whoever reads is told when it is removed meanwhile', async () => {
      const { cairn, session } = await newRoot(store())
      const { hash } = await cairn.blob.put({ content: bytesOf(5 * chunkBytes, 1100) })
      const reader = (await cairn.blob.get({ hash })).content.getReader()
      expect((await reader.read()).value).toHaveLength(chunkBytes)
      const { slug: confirm } = await cairn.session.show({ session })
      await cairn.store.remove({ session, confirm, force: true })
      expect(await refused(reader.read())).toMatchObject({ code: 'not_found' })
    })

    it('a store that is closed takes no more of a stream, and has all of what was given whole', async () => {
      const { cairn, session } = await newRoot(store())
      const whole = cairn.blob.put({ content: bytesOf(8 * chunkBytes, 1200) })
      async function* endless() {
        for (;;) yield bytesOf(100_000, 1201)
      }
      const streamed = refused(cairn.blob.put({ content: endless() }))
      const idle = cairn.blob.put({ content: new ReadableStream<Uint8Array>() })
      idle.catch(() => undefined)
      await cairn.close()
      const { hash } = await whole
      expect(await streamed).toMatchObject({ code: 'unavailable' })
      expect(await refused(cairn.blob.get({ hash }))).toMatchObject({ code: 'unavailable' })
      const again = await store().open({ session })
      expect(sha256(await contentOf(again, hash))).toBe(hash)
      await store().sql('DELETE FROM blob_chunks WHERE content NOT IN (SELECT content FROM blobs)')
    })
  })
}
