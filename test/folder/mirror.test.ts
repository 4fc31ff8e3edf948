import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { freshStore, STORES, type TestStore } from '../setup/stores.ts'
import { freshProject, linesOf, mirrorOf } from './folders.ts'

/** A root with a folder, and the store that it is in. */
async function withFolder(store: TestStore, project: string) {
  const cairn = await store.open()
  const made = await cairn.session.create({ topic: 'Work', project_dir: project })
  return { cairn, session: made.session_id, dir: made.dir as string, slug: made.slug }
}

const eventsOf = async (cairn: Cairn, session: string) =>
  (await cairn.log.list({ session, since: 0, limit: 1000 })).events as { seq: number; hash: string }[]

const hashes = (lines: readonly { seq: number; hash: string }[]) => lines.map(({ seq, hash }) => `${seq} ${hash}`)

for (const kind of STORES) {
  describe(`a session folder with a store on ${kind.name}`, () => {
    const store = freshStore(kind)
    const project = freshProject()

    it('S4-11 C1 has a mirror of the whole log, that what follows is added to', async () => {
      const dir = project()
      const { cairn, session, dir: folder, slug } = await withFolder(store(), dir)
      expect(folder).toBe(join(dir, 'agents', 'sessions', slug))
      await cairn.state.set({ session, key: 'a', value: 1 })
      await cairn.session.create({ topic: 'child', parent: session })
      const all = await eventsOf(cairn, session)
      const again = await store().reopen()
      expect(hashes(mirrorOf(folder))).toEqual(hashes(all))
      await again.state.set({ session, key: 'a', value: 'ü\u2028' })
      const more = await eventsOf(again, session)
      await store().close()
      expect(hashes(mirrorOf(folder))).toEqual(hashes(more))
      expect(mirrorOf(folder).at(-1)).toMatchObject({
        stream: 'state',
        type: 'set',
        key: 'a',
        data: { value: 'ü\u2028' },
      })
      const [head] = linesOf(join(folder, 'log', readdirSync(join(folder, 'log'))[0] as string))
      expect(head).toMatchObject({ cairn: 1, root: session, after: 0 })
      expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toContain('/transcripts/')
    })

    it('is made only in a project that asked for it, and then for all its sessions', async () => {
      const dir = project()
      const cairn = await store().open()
      const before = await cairn.session.create({ topic: 'none', project: dir })
      await store().reopen()
      expect([before.dir, existsSync(join(dir, 'agents'))]).toEqual([undefined, false])
      const { dir: folder } = await withFolder(store(), dir)
      const other = await (await store().open()).session.create({ topic: 'next', project: dir })
      expect([existsSync(folder), other.dir?.startsWith(join(dir, 'agents'))]).toEqual([true, true])
    })

    it('keeps conversations apart: the mirror has their headers and digests', async () => {
      const { cairn, session, dir } = await withFolder(store(), project())
      await cairn.context.append({ session, role: 'user', content: 'a long story' })
      await store().close()
      const said = mirrorOf(dir).at(-1)
      expect(said).toMatchObject({
        stream: 'context/0',
        data: null,
        body: 'elsewhere',
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      })
      expect(JSON.stringify(mirrorOf(dir))).not.toContain('long story')
      expect(linesOf(join(dir, 'transcripts', '0.jsonl'))).toMatchObject([{ seq: said.seq, id: said.id }])
      expect(readFileSync(join(dir, 'transcripts', '0.jsonl'), 'utf8')).toContain('a long story')
    })

    it('has a value that was allowed to look like a secret as its digest only', async () => {
      const { cairn, session, dir } = await withFolder(store(), project())
      const value = `ghp_${'a1B2'.repeat(9)}`
      await cairn.state.set({ session, key: 'k', value, allow_secret: true })
      await store().close()
      expect(mirrorOf(dir).at(-1)).toMatchObject({ key: 'k', data: null, body: 'withheld' })
      expect(JSON.stringify(mirrorOf(dir))).not.toContain(value)
    })

    it('cuts off a torn last line and writes it again, and a mirror that is behind catches up', async () => {
      const { cairn, session, dir } = await withFolder(store(), project())
      for (let value = 0; value < 20; value++) await cairn.state.set({ session, key: 'n', value })
      await store().close()
      const path = join(dir, 'log', readdirSync(join(dir, 'log'))[0] as string)
      const whole = readFileSync(path)
      for (const size of [whole.length - 1, whole.length - 40, whole.length - 2000, 30]) {
        truncateSync(path, size)
        const again = await store().open()
        expect((await again.store.doctor({})).checks).toContainEqual(
          expect.objectContaining({ name: 'folders', ok: false }),
        )
        expect((await again.store.doctor({ repair: true })).ok).toBe(true)
        expect(readFileSync(path)).toEqual(whole)
        await store().close()
      }
      truncateSync(path, whole.length - 500)
      const again = await store().open()
      await again.state.set({ session, key: 'n', value: 'last' })
      const all = await eventsOf(again, session)
      await store().close()
      expect(hashes(mirrorOf(dir))).toEqual(hashes(all))
    })

    it('that was deleted or holds something else fails no operation; doctor names it, and a repair writes it', async () => {
      const { session, dir } = await withFolder(store(), project())
      await store().close()
      rmSync(dir, { recursive: true })
      const second = await store().open()
      await second.state.set({ session, key: 'a', value: 1 })
      await store().close()
      expect(existsSync(dir)).toBe(false)
      const third = await store().open()
      const found = (await third.store.doctor({})).checks.find(({ name }) => name === 'folders')
      expect(found).toEqual({ name: 'folders', ok: false, detail: `${dir} is missing` })
      await third.store.doctor({ repair: true })
      expect(hashes(mirrorOf(dir))).toEqual(hashes(await eventsOf(third, session)))
      const own = join(dir, 'log', readdirSync(join(dir, 'log'))[0] as string)
      appendFileSync(own, `${JSON.stringify({ seq: 9, hash: 'f'.repeat(64) })}\n`)
      await third.state.set({ session, key: 'a', value: 2 })
      expect((await third.store.doctor({})).checks.find(({ name }) => name === 'folders')).toMatchObject({
        name: 'folders',
        ok: false,
        detail: expect.stringContaining('after the log'),
      })
      await third.store.doctor({ repair: true })
      expect(readdirSync(join(dir, 'log'))).toHaveLength(2)
      expect((await third.store.doctor({})).ok).toBe(true)
    })

    it('is not written through a link that leads out of the project', async () => {
      const [dir, elsewhere] = [project(), project()]
      symlinkSync(elsewhere, join(dir, 'agents'))
      const { cairn, session } = await withFolder(store(), dir)
      await cairn.state.set({ session, key: 'a', value: 1 })
      await store().close()
      expect(readdirSync(elsewhere)).toEqual(['.git'])
      const second = project()
      const { session: other, dir: folder } = await withFolder(store(), second)
      await store().close()
      for (const name of ['transcripts', 'inbox']) symlinkSync(elsewhere, join(folder, name))
      writeFileSync(join(elsewhere, 'theirs.json'), '{}')
      const again = await store().open()
      await again.context.append({ session: other, role: 'user', content: 'hello' })
      await store().close()
      expect(readdirSync(elsewhere).sort()).toEqual(['.git', 'theirs.json'])
    })

    it('of a fork holds its own events and names its origin, and begins when something happens in it', async () => {
      const { cairn, session, dir } = await withFolder(store(), project())
      await cairn.state.set({ session, key: 'a', value: 1 })
      const { session_id: fork, at } = (await cairn.session.fork({ session })) as { session_id: string; at: number }
      await store().close()
      expect(readdirSync(join(dir, '..'))).toHaveLength(1)
      const again = await store().open()
      await again.state.set({ session: fork, key: 'a', value: 2 })
      await store().close()
      const [other] = readdirSync(join(dir, '..')).filter((name) => !dir.endsWith(name))
      const path = join(dir, '..', other as string, 'log')
      const [head, ...lines] = linesOf(join(path, readdirSync(path)[0] as string))
      expect(head).toMatchObject({ root: fork, after: at, origin: { root: session, at } })
      expect(lines).toMatchObject([{ seq: at + 1, data: { value: 2 } }])
    })

    it('that cannot be written to fails no operation, and has all once it can', async () => {
      const { cairn, session, dir } = await withFolder(store(), project())
      await cairn.state.set({ session, key: 'a', value: 1 })
      await store().close()
      renameSync(join(dir, 'log'), join(dir, 'kept'))
      writeFileSync(join(dir, 'log'), 'no folder')
      const again = await store().open()
      await again.state.set({ session, key: 'a', value: 2 })
      expect((await again.store.doctor({})).checks.find(({ name }) => name === 'folders')).toMatchObject({
        name: 'folders',
        ok: false,
      })
      rmSync(join(dir, 'log'))
      renameSync(join(dir, 'kept'), join(dir, 'log'))
      await again.state.set({ session, key: 'a', value: 3 })
      const all = await eventsOf(again, session)
      await store().close()
      expect(hashes(mirrorOf(dir))).toEqual(hashes(all))
    })
  })
}
