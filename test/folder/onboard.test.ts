import {
  appendFileSync,
  cpSync,
  mkdirSync,
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
import { freshProject, mirrorOf, treeOf } from './folders.ts'

async function made(store: TestStore, project: string, topic = 'Work') {
  const cairn = await store.open()
  const { session_id: session, dir } = await cairn.session.create({ topic, project_dir: project })
  return { cairn, session, dir: dir as string }
}

const fine = (total: number) => ({ synced: total, failed: 0, total, errors: [] })

/** The log as it is shown, without what differs from store to store. */
async function logOf(cairn: Cairn, session: string) {
  const { events } = await cairn.log.list({ session, since: 0, limit: 1000 })
  return (events as { session_id: string }[]).map(({ session_id: _, ...event }) => event)
}

/** A copy of a project, as a clone has it: without what git ignores. */
function cloned(from: string, to: string, withConversations = false): string {
  cpSync(join(from, 'agents'), join(to, 'agents'), {
    recursive: true,
    filter: (path) => withConversations || !/\/(?:transcripts|inbox|\.lock|\.rendered)/.test(path),
  })
  return to
}

for (const kind of STORES) {
  describe(`onboarding into a store on ${kind.name}`, () => {
    const store = freshStore(kind)
    const other = freshStore(kind)
    const project = freshProject()

    it('S4-3 S4-5 S4-70 S4-72 S4-73 takes in the folders of a clone, event by event, and links them to it', async () => {
      const dir = project()
      const { cairn, session } = await made(store(), dir)
      const child = await cairn.session.create({ topic: 'child', parent: session })
      await cairn.state.set({ session: child.session_id, key: 'a', value: 1 })
      await cairn.context.append({ session, role: 'user', content: 'hello' })
      const { session_id: second } = await cairn.session.create({ topic: 'second', project: dir })
      const before = [
        await logOf(cairn, session),
        await logOf(cairn, second),
        (await cairn.state.all({ session })).state,
      ]
      await store().close()
      const clone = cloned(dir, project())
      const tree = treeOf(clone)
      const there = await other().open()
      expect(await there.project.onboard({ dirs: [clone] })).toEqual(fine(2))
      expect(await there.project.onboard({ dirs: [clone] })).toEqual(fine(2))
      const after = [
        await logOf(there, session),
        await logOf(there, second),
        (await there.state.all({ session })).state,
      ]
      expect(after[0]).toHaveLength((before[0] as unknown[]).length)
      const hashes = (log: unknown) => (log as { hash: string }[]).map(({ hash }) => hash)
      expect([hashes(after[0]), after[1], after[2]]).toEqual([hashes(before[0]), before[1], before[2]])
      expect((after[0] as { body?: string }[]).filter(({ body }) => body === 'elsewhere')).toHaveLength(1)
      expect((await there.session.show({ session })).project_dir).toBe(clone)
      expect((await there.store.doctor({})).ok).toBe(true)
      await other().close()
      expect(treeOf(clone)).toBe(tree)
    })

    it('takes conversations too where they came along', async () => {
      const dir = project()
      const { cairn, session } = await made(store(), dir)
      await cairn.context.append({ session, role: 'user', content: 'hello' })
      const { messages } = await cairn.context.show({ session })
      await store().close()
      const there = await other().open()
      expect(await there.project.onboard({ dirs: [cloned(dir, project(), true)] })).toEqual(fine(1))
      expect((await there.context.show({ session })).messages).toEqual(messages)
    })

    it('goes on in a file of its own, that begins with the first new event; the origin takes that in again', async () => {
      const dir = project()
      const { cairn, session, dir: folder } = await made(store(), dir)
      await cairn.state.set({ session, key: 'a', value: 1 })
      const { last_seq } = await cairn.log.list({ session })
      await store().close()
      const clone = cloned(dir, project())
      const there = await other().open()
      await there.project.onboard({ dirs: [clone] })
      await there.state.set({ session, key: 'a', value: 2 })
      await other().close()
      const copy = folder.replace(dir, clone)
      const [mine] = readdirSync(join(folder, 'log')) as [string]
      const [added, ...none] = readdirSync(join(copy, 'log')).filter((name) => name !== mine) as [string]
      expect([none, readFileSync(join(copy, 'log', mine))]).toEqual([[], readFileSync(join(folder, 'log', mine))])
      expect(
        readFileSync(join(copy, 'log', added), 'utf8')
          .split('\n')
          .map((line) => line.slice(0, 12)),
      ).toEqual(['{"cairn":1,"', `{"seq":${Number(last_seq) + 1},"id`, ''])
      cpSync(join(copy, 'log', added), join(folder, 'log', added))
      const again = await store().open()
      expect(await again.project.onboard({ dirs: [dir] })).toEqual(fine(1))
      expect((await again.state.get({ session, key: 'a' })).value).toBe(2)
      await again.state.set({ session, key: 'a', value: 3 })
      const all = (await logOf(again, session)).map((event) => (event as unknown as { hash: string }).hash)
      await store().close()
      rmSync(join(folder, 'log', added))
      expect(mirrorOf(folder).map(({ hash }) => hash)).toEqual(all)
    })

    it('U42 two that went on separately are both kept: the longer is the root, the other a fork where they parted', async () => {
      const dir = project()
      const { cairn, session, dir: folder } = await made(store(), dir)
      const { last_seq: common } = await cairn.log.list({ session })
      await store().close()
      const clone = cloned(dir, project())
      const there = await other().open()
      await there.project.onboard({ dirs: [clone] })
      for (const value of [1, 2]) await there.state.set({ session, key: 'there', value })
      await other().close()
      const here = await store().open()
      await here.state.set({ session, key: 'here', value: 1 })
      await store().close()
      // What git merges: files of different names.
      cpSync(join(folder.replace(dir, clone), 'log'), join(folder, 'log'), { recursive: true, force: false })
      const third = await other().open()
      await third.store.remove({ session, confirm: (await third.session.show({ session })).slug, force: true })
      const merged = cloned(dir, project())
      expect(await third.project.onboard({ dirs: [merged] })).toMatchObject({
        failed: 1,
        errors: [{ error: 'already_exists' }],
      })
      const [named] = readdirSync(join(merged, 'agents', 'sessions')).map((name) =>
        join(merged, 'agents', 'sessions', name),
      )
      expect(await third.project.onboard({ dirs: [named as string] })).toEqual(fine(1))
      expect((await third.state.all({ session })).state).toEqual({ there: 2 })
      const { forks } = (await third.session.tree({ session, forks: true })) as unknown as {
        forks: { session_id: string; at: number }[]
      }
      expect(forks).toMatchObject([{ at: common }])
      expect((await third.state.all({ session: forks[0]?.session_id as string })).state).toEqual({ here: 1 })
      expect(await third.project.onboard({ dirs: [merged] })).toEqual(fine(1))
      await other().close()
    })

    it('a fork comes in with the root that it was forked from', async () => {
      const dir = project()
      const { cairn, session } = await made(store(), dir)
      await cairn.state.set({ session, key: 'a', value: 1 })
      const { session_id: fork } = await cairn.session.fork({ session })
      await cairn.state.set({ session: fork, key: 'a', value: 2 })
      await cairn.state.set({ session, key: 'a', value: 3 })
      await store().close()
      const there = await other().open()
      expect(await there.project.onboard({ dirs: [cloned(dir, project())] })).toEqual(fine(2))
      const values = [
        (await there.state.get({ session: fork, key: 'a' })).value,
        (await there.state.get({ session, key: 'a' })).value,
      ]
      expect(values).toEqual([2, 3])
    })

    it('a moved project is found again, and its folders are written to where they are now', async () => {
      const dir = project()
      const { session, dir: folder } = await made(store(), dir)
      await store().close()
      const moved = project()
      renameSync(join(dir, 'agents'), join(moved, 'agents'))
      const cairn = await store().open()
      await cairn.project.onboard({ dirs: [moved] })
      await cairn.state.set({ session, key: 'a', value: 1 })
      const { last_seq } = await cairn.log.list({ session })
      await store().close()
      expect(mirrorOf(folder.replace(dir, moved)).at(-1)?.seq).toBe(last_seq)
    })

    it('one bad folder is named, and the others go in', async () => {
      const dir = project()
      const { cairn, dir: folder, session } = await made(store(), dir)
      await cairn.state.set({ session, key: 'a', value: 'x'.repeat(500) })
      await store().close()
      const sessions = join(folder, '..')
      const [mirror] = readdirSync(join(folder, 'log')) as [string]
      const bad = (name: string, change: (path: string, text: string) => void) => {
        cpSync(folder, join(sessions, name), { recursive: true })
        const path = join(sessions, name, 'log', mirror)
        change(path, readFileSync(path, 'utf8'))
      }
      bad('2026-01-01_changed_aaaaaa', (path, text) => writeFileSync(path, text.replace('xxxx', 'xxxy')))
      bad('2026-01-01_gap_aaaaaa', (path, text) =>
        writeFileSync(
          path,
          text
            .split('\n')
            .filter((_, at) => at !== 1)
            .join('\n'),
        ),
      )
      bad('2026-01-01_newer_aaaaaa', (path, text) => writeFileSync(path, text.replace('"cairn":1', '"cairn":2')))
      bad('2026-01-01_nojson_aaaaaa', (path) => appendFileSync(path, '<<<<<<< HEAD\n'))
      bad('2026-01-01_link_aaaaaa', (path) => {
        rmSync(path)
        symlinkSync('/etc/passwd', path)
      })
      symlinkSync(folder, join(sessions, '2026-01-01_linked_aaaaaa'))
      mkdirSync(join(sessions, '2026-01-01_empty_aaaaaa'))
      bad('2026-01-01_torn_aaaaaa', (path) => truncateSync(path, 60))
      const tree = treeOf(dir)
      const there = await other().open()
      const done = await there.project.onboard({ dirs: [dir] })
      expect(done.errors.map(({ folder, error }) => [folder.replace(/.*_(\w+)_aaaaaa$/, '$1'), error])).toEqual(
        expect.arrayContaining([
          ['changed', 'invalid_input'],
          ['gap', 'invalid_input'],
          ['newer', 'store_too_new'],
          ['nojson', 'invalid_input'],
          ['link', 'forbidden'],
          ['linked', 'forbidden'],
          ['empty', 'not_found'],
        ]),
      )
      expect((await there.state.get({ session, key: 'a' })).value).toBe('x'.repeat(500))
      await other().close()
      expect(treeOf(dir)).toBe(tree)
    })
  })
}
