import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshStore, STORES } from '../setup/stores.ts'
import { freshProject, treeOf } from './folders.ts'

/** The example that the format was described with. */
const example = {
  $schema: 'Session state manifest v2 - programmatic updates only',
  session_id: '2026-02-14_feature-dark-mode_a1b2c3',
  topic: 'Implement dark mode',
  description: 'Add dark mode toggle with system preference detection',
  session_type: 'full',
  created_at: '2026-02-14T10:00:00.000Z',
  updated_at: '2026-02-14T14:30:00.000Z',
  current_phase: 'build',
  status: 'active',
  phase_history: {
    spec_started_at: '2026-02-14T10:00:00.000Z',
    spec_completed_at: '2026-02-14T11:30:00.000Z',
    plan_started_at: '2026-02-14T11:30:00.000Z',
    plan_completed_at: '2026-02-14T12:00:00.000Z',
    build_started_at: '2026-02-14T12:00:00.000Z',
    build_completed_at: null,
    docs_started_at: null,
    docs_completed_at: null,
  },
  build_progress: { checkpoints_total: 5, checkpoints_completed: [1, 2], current_checkpoint: 3 },
  git: { branch: 'feature/dark-mode', worktree: null, base_branch: 'main' },
  commits: [
    {
      sha: 'abc1234',
      message: 'feat: add theme provider component',
      checkpoint: 1,
      created_at: '2026-02-14T13:00:00.000Z',
    },
  ],
  artifacts: { spec: 'spec.md', plan: 'plan.json', plan_readable: 'plan.md' },
}

const fine = { synced: 1, failed: 0, total: 1, errors: [] }

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

for (const kind of STORES) {
  describe(`state.json with a store on ${kind.name}`, () => {
    const store = freshStore(kind)
    const other = freshStore(kind)
    const project = freshProject()

    function bare(dir: string, name: string, text: string): string {
      const folder = join(dir, 'agents', 'sessions', name)
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'state.json'), text)
      return folder
    }

    it('S4-2 S4-22 S4-42 S4-71 a folder with nothing else is taken in, and written again it says the same', async () => {
      const dir = project()
      const folder = bare(dir, example.session_id, json(example))
      const tree = treeOf(dir)
      const cairn = await store().open()
      expect(await cairn.project.onboard({ dirs: [dir] })).toEqual(fine)
      expect(await cairn.project.onboard({ dirs: [dir] })).toEqual(fine)
      const [{ session_id: session, slug }] = (await cairn.session.list({})).sessions as {
        session_id: string
        slug: string
      }[] as [{ session_id: string; slug: string }]
      const there = await other().open()
      await there.project.onboard({ dirs: [dir] })
      await store().close()
      expect(treeOf(dir)).toBe(tree)
      expect((await there.session.show({ session: slug })).session_id).toBe(session)
      await there.journal.note({ session, text: 'on it' })
      await other().close()
      const { cairn: link, updated_at, ...written } = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'))
      const { updated_at: _, ...expected } = example
      expect(written).toEqual(expected)
      expect([link.root, updated_at > example.updated_at]).toEqual([session, true])
    })

    it('S4-66 of version 1 or of another tool it is taken as it is, and what is unknown is kept', async () => {
      const dir = project()
      bare(
        dir,
        'old-work',
        `\ufeff${json({ session_id: 'old-work', topic: 'Old work', current_phase: 'plan', status: 'in_progress', goals: ['fast'], open_questions: ['why?'], key_decisions: ['yes'] })}`.replaceAll(
          '\n',
          '\r\n',
        ),
      )
      const cairn = await store().open()
      expect(await cairn.project.onboard({ dirs: [dir] })).toMatchObject({ synced: 1, failed: 0 })
      const shown = await cairn.session.show({ session: 'old-work' })
      expect(shown).toMatchObject({
        topic: 'Old work',
        status: 'running',
        metadata: { goals: ['fast'], open_questions: ['why?'], key_decisions: ['yes'] },
      })
      expect((await cairn.manifest.show({ session: 'old-work' })).current_phase).toBe('plan')
    })

    it('S4-18 C18 an edit by hand becomes events of whoever made it, and one that cannot be is put aside', async () => {
      const cairn = await store().open()
      const { session_id: session, dir } = await cairn.session.create({ topic: 'Work', project_dir: project() })
      const path = join(dir as string, 'state.json')
      await cairn.phase.enter({ session, phase: 'spec' })
      await store().close()
      const state = JSON.parse(readFileSync(path, 'utf8'))
      expect([state.session_id, state.current_phase, state.status]).toEqual([basename(dir as string), 'spec', 'active'])
      const edited = {
        ...state,
        current_phase: 'plan',
        status: 'paused',
        git: { ...state.git, branch: 'x' },
        commits: [{ sha: 'AB12', message: 'm', checkpoint: null }],
      }
      writeFileSync(path, json(edited))
      const again = await store().open()
      await again.state.set({ session, key: 'a', value: 1 })
      await store().close()
      expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
        current_phase: 'plan',
        status: 'paused',
        git: { branch: 'x' },
        commits: [{ sha: 'ab12' }],
      })
      const third = await store().open()
      const { events } = await third.log.list({ session, stream: 'manifest', since: 0 })
      expect(events).toMatchObject([{ actor: 'human' }, { actor: 'human' }])
      const before = readFileSync(path, 'utf8')
      const aside = () => readdirSync(dir as string).filter((name) => /^state\.json\.rejected-[^.]*$/.test(name))
      const bad = [
        '{"',
        before.replace('"status": "paused"', '<<<<<<< HEAD\n"status": "paused"\n=======\n>>>>>>> x'),
        json({ ...JSON.parse(before), topic: 'Other' }),
        json({ ...JSON.parse(before), current_phase: 'docs' }),
      ]
      for (const [at, text] of bad.entries()) {
        writeFileSync(path, text)
        await (await store().reopen()).state.set({ session, key: 'a', value: at })
        await store().close()
        expect(aside()).toHaveLength(at + 1)
        expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
          topic: 'Work',
          current_phase: 'plan',
          status: 'paused',
        })
      }
      expect(
        aside()
          .map((name) => readFileSync(join(dir as string, name), 'utf8'))
          .sort(),
      ).toEqual([...bad].sort())
    })

    it('is written at most five times a second, and never changed where nothing did', async () => {
      const cairn = await store().open()
      const { session_id: session, dir } = await cairn.session.create({ topic: 'Work', project_dir: project() })
      await cairn.journal.note({ session, text: 'x' })
      await store().close()
      const { mtimeMs, ino } = statSync(join(dir as string, 'state.json'))
      const again = await store().open()
      await again.session.show({ session })
      await store().close()
      expect(statSync(join(dir as string, 'state.json'))).toMatchObject({ mtimeMs, ino })
    })
  })
}
