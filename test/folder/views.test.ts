import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshStore, STORES } from '../setup/stores.ts'
import { freshProject } from './folders.ts'

for (const kind of STORES) {
  describe(`views in a folder with a store on ${kind.name}`, () => {
    const store = freshStore(kind)
    const project = freshProject()

    async function made() {
      const cairn = await store().open()
      const { session_id: session, dir } = await cairn.session.create({
        topic: 'Faster parser',
        project_dir: project(),
      })
      await cairn.phase.enter({ session, phase: 'spec' })
      await cairn.task.add({ session, text: 'Read blocks of 64 KiB' })
      await cairn.decision.add({ session, decision: 'Blocks', context: 'reading', reason: 'fewer calls' })
      await store().close()
      const folder = dir as string
      const text = (name: string) => readFileSync(join(folder, name), 'utf8')
      const folders = async () => {
        const { checks } = await (await store().open()).store.doctor({})
        await store().close()
        return checks.find(({ name }) => name === 'folders')
      }
      const touch = async () => {
        await (await store().open()).state.increment({ session, key: 'touched' })
        await store().close()
      }
      const edit = (name: string, change: (text: string) => string) => {
        writeFileSync(join(folder, name), change(text(name)))
        utimesSync(join(folder, name), new Date(Date.now() - 60_000), new Date(Date.now() - 60_000))
      }
      return { session, folder, text, touch, edit, folders }
    }

    it('S2-2 S4-12 S4-13 S4-14 S4-15 are written for everything that people read', async () => {
      const { folder, text } = await made()
      for (const name of ['state.json', 'STATE.md', 'plan.json', 'plan.md', 'spec.md'])
        expect([name, existsSync(join(folder, name))]).toEqual([name, true])
      expect(text('plan.md')).toContain('Read blocks of 64 KiB')
      expect(JSON.parse(text('plan.json'))).toHaveProperty('tasks')
      expect(text('spec.md')).toContain('# Faster parser')
    })

    it('C1 an edited plan.json becomes events, and spec.md keeps what agents write', async () => {
      const { session, folder, text, touch, edit } = await made()
      edit('plan.json', (plan) => plan.replace('Read blocks of 64 KiB', 'Read blocks of 1 MiB'))
      edit('spec.md', (spec) => `${spec}\nMy own words.\n`)
      await touch()
      const listed = async () =>
        ((await (await store().open()).task.list({ session })).tasks as { text: string }[]).map(({ text }) => text)
      // What cannot be changed is refused, and the file stays as its writer left it.
      expect([await listed(), text('plan.json').includes('1 MiB')]).toEqual([['Read blocks of 64 KiB'], true])
      edit('plan.json', (plan) =>
        JSON.stringify({
          ...JSON.parse(plan.replace('1 MiB', '64 KiB')),
          tasks: [
            ...JSON.parse(plan).tasks.map((task: object) => ({ ...task, text: 'Read blocks of 64 KiB' })),
            { text: 'Measure it' },
          ],
        }),
      )
      await touch()
      expect(await listed()).toEqual(['Read blocks of 64 KiB', 'Measure it'])
      expect(JSON.parse(text('plan.json')).tasks).toMatchObject([{}, { id: 'task-002', text: 'Measure it' }])
      expect(text('spec.md')).toContain('My own words.')
      expect(readdirSync(folder).filter((name) => name.includes('rejected'))).toEqual([])
    })

    it('C18 U41 a view that cannot be taken in is put aside, and written anew', async () => {
      const { folder, text, touch, edit, folders } = await made()
      const before = text('plan.md')
      edit('STATE.md', (state) => `<<<<<<< HEAD\n${state}=======\n>>>>>>> other\n`)
      await touch()
      expect(readdirSync(folder).filter((name) => /^STATE\.md\.rejected-[^.]*$/.test(name))).toHaveLength(1)
      expect(text('STATE.md')).not.toContain('<<<<<<<')
      expect(text('plan.md')).toBe(before)
      expect((await folders())?.detail).toMatch(/edits that were rejected: .*STATE\.md\.rejected-/)
    })
  })
}
