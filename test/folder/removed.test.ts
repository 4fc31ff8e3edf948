import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshStore, STORES } from '../setup/stores.ts'
import { freshProject, mirrorOf } from './folders.ts'

for (const kind of STORES) {
  describe(`folders of roots that go, on ${kind.name}`, () => {
    const store = freshStore(kind)
    const project = freshProject()

    async function made(dir: string) {
      const cairn = await store().open()
      const { session_id: session, dir: folder, slug } = await cairn.session.create({ topic: 'Work', project_dir: dir })
      await cairn.state.set({ session, key: 'a', value: 'first value' })
      return { cairn, session, slug, folder: folder as string }
    }

    it('rm takes away what Cairn wrote, and leaves what git tracks and what agents wrote', async () => {
      const dir = project()
      rmSync(join(dir, '.git'), { recursive: true })
      execFileSync('git', ['init', '-q', dir])
      const { session, slug, folder } = await made(dir)
      await store().close()
      const [mirror] = readdirSync(join(folder, 'log')) as [string]
      execFileSync('git', ['-C', folder, 'add', join('log', mirror)])
      mkdirSync(join(folder, 'research'))
      writeFileSync(join(folder, 'research', 'notes.md'), 'mine')
      const again = await store().open()
      const done = await again.store.remove({ session, confirm: slug, force: true })
      expect(done.beyond_reach).toContain(`2 files in ${folder}`)
      expect(readdirSync(folder).sort()).toEqual(['log', 'research'])
      expect(await again.project.onboard({ dirs: [dir] })).toMatchObject({
        synced: 0,
        failed: 1,
        errors: [{ error: 'already_exists' }],
      })
      expect(await again.project.onboard({ dirs: [folder] })).toMatchObject({ synced: 1, failed: 0 })
      expect((await again.state.get({ session, key: 'a' })).value).toBe('first value')
    })

    it('rm takes a folder away as a whole where nothing else is in it', async () => {
      const dir = project()
      rmSync(join(dir, '.git'), { recursive: true })
      const { session, slug, folder } = await made(dir)
      await store()
        .reopen()
        .then((cairn) => cairn.store.remove({ session, confirm: slug, force: true }))
      expect(existsSync(folder)).toBe(false)
    })

    it('a fork whose origin goes has all of its events in its own mirror', async () => {
      const { cairn, session, slug, folder } = await made(project())
      const { session_id: fork } = await cairn.session.fork({ session })
      await cairn.state.set({ session: fork, key: 'a', value: 2 })
      const again = await store().reopen()
      await again.store.remove({ session, confirm: slug, force: true })
      const { events } = await again.log.list({ session: fork, since: 0 })
      const all = readdirSync(join(folder, '..')).map((name) => join(folder, '..', name))
      const left = all.find((path) => path !== folder)
      expect(mirrorOf(left as string).map(({ seq, hash }) => [seq, hash])).toEqual(
        (events as { seq: number; hash: string }[]).map(({ seq, hash }) => [seq, hash]),
      )
      expect((await again.store.doctor({})).ok).toBe(true)
    })

    it('erase takes a value out of the mirrors', async () => {
      const { session, slug, folder } = await made(project())
      const again = await store().reopen()
      const said = () =>
        readdirSync(join(folder, 'log'))
          .map((name) => readFileSync(join(folder, 'log', name), 'utf8'))
          .join('')
      expect(said()).toContain('first value')
      await again.store.erase({ session, key: 'a', confirm: slug })
      expect(said()).not.toContain('first value')
      expect(mirrorOf(folder).find(({ key }) => key === 'a')).toMatchObject({ data: null, body: 'removed' })
      expect((await again.store.doctor({})).ok).toBe(true)
    })
  })
}
