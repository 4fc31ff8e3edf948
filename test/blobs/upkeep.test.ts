import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { chunkBytes } from '../../src/domain/blobs/blob.ts'
import type { Cairn } from '../../src/open.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { freshStore, STORES } from '../setup/stores.ts'
import { bytesOf, contentOf } from './bytes.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-blobs-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const bytes = bytesOf(12 * chunkBytes + 77, 1)

async function failing(cairn: Cairn) {
  return (await cairn.store.doctor({})).checks.filter(({ ok }) => !ok)
}

/** What is done to the rows of a blob with thirteen chunks, and what is said of it. */
const DAMAGE = [
  ['a chunk that is gone', 'DELETE FROM blob_chunks WHERE no = 5', /^blob [0-9a-f]{64} of sess_\w+ has no chunk 5$/],
  ['no chunk at all', 'DELETE FROM blob_chunks', /^blob [0-9a-f]{64} of sess_\w+ has no chunk 0$/],
  [
    'a chunk of another place',
    'UPDATE blob_chunks SET chunk = (SELECT o.chunk FROM blob_chunks o WHERE o.no = 2) WHERE no = 3',
    /has bytes that do not match its hash$/,
  ],
  ['a chunk too many', 'UPDATE blobs SET bytes = 1048576 * 3', /has bytes that do not match its hash$/],
  [
    'a chunk far away',
    'INSERT INTO blob_chunks (content, no, chunk) SELECT content, 99, chunk FROM blob_chunks WHERE no = 1',
    /has more chunks than bytes$/,
  ],
  [
    'another name',
    "UPDATE blobs SET hash = 'x' || substr(hash, 2)",
    /^blob x[0-9a-f]{63} .* has bytes that do not match/,
  ],
  [
    'chunks of an upload with a gap',
    "INSERT INTO blob_chunks (content, no, chunk) SELECT 'stray', no, chunk FROM blob_chunks WHERE no IN (0, 2)",
    /^content stray of no root has chunks that no upload left like this$/,
  ],
] as const

for (const kind of STORES) {
  describe(`backup, restore and doctor of blobs on ${kind.name}`, () => {
    const store = freshStore(kind, { damaged: true })

    it.each(STORES)(
      'are in backups, which can be restored into $name, with what forks share of them',
      async (other) => {
        const { cairn, session } = await newRoot(store())
        const { hash } = await cairn.blob.put({ content: bytes })
        const empty = await cairn.blob.put({ content: new Uint8Array() })
        const fork = (await cairn.session.fork({})).session_id
        const file = join(folder, 'copy.db')
        await cairn.store.backup({ file })
        const target = await other.make()
        onTestFinished(() => target.remove())
        const restored = await target.open()
        await restored.store.restore({ file })
        for (const each of [session, fork]) {
          expect((await contentOf(restored, hash, each)).equals(bytes)).toBe(true)
          expect(await contentOf(restored, empty.hash, each)).toHaveLength(0)
        }
        expect(await failing(restored)).toEqual([])
        const chunks = 'SELECT content, no, chunk FROM blob_chunks ORDER BY content, no'
        const [one, copy] = [await store().sql(chunks), await target.sql(chunks)]
        expect(copy.length).toBe(13)
        expect(copy.map(({ chunk }) => chunk)).toEqual(one.map(({ chunk }) => chunk))
        const { slug: confirm } = await restored.session.show({ session })
        await restored.store.remove({ session, confirm, force: true })
        expect((await contentOf(restored, hash, fork)).equals(bytes)).toBe(true)
      },
    )

    it.each(DAMAGE)('doctor finds %s, and a backup that has it is not restored', async (_, statement, found) => {
      const { cairn } = await newRoot(store())
      await cairn.blob.put({ content: bytes })
      const { checks } = await cairn.store.doctor({})
      expect(checks).toContainEqual({ name: 'blobs', ok: true, detail: '1 blob, each with the bytes of its hash' })
      await store().sql(statement)
      expect(await failing(cairn)).toEqual([{ name: 'blobs', ok: false, detail: expect.stringMatching(found) }])
      const file = join(folder, 'copy.db')
      await cairn.store.backup({ file })
      const target = await kind.make()
      onTestFinished(() => target.remove())
      expect(await refused((await target.open()).store.restore({ file }))).toMatchObject({ code: 'storage_error' })
    })

    it('doctor leaves uploads alone that have not come to their end, and looks at shared bytes once', async () => {
      const { cairn } = await newRoot(store())
      await cairn.blob.put({ content: bytes })
      await cairn.session.fork({})
      async function* examined() {
        yield bytes.subarray(0, 3 * chunkBytes)
        const { checks, ok } = await cairn.store.doctor({})
        expect(ok).toBe(true)
        expect(checks).toContainEqual({ name: 'blobs', ok: true, detail: '1 blob, each with the bytes of its hash' })
        yield bytes.subarray(5)
      }
      await cairn.blob.put({ content: examined() })
    })
  })
}
