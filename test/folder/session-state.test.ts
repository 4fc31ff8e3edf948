import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SessionStateManager } from '../../src/index.ts'
import { freshStore, STORES } from '../setup/stores.ts'
import { freshProject } from './folders.ts'

const [SQLite] = STORES

describe('SessionStateManager', () => {
  const store = freshStore(SQLite as (typeof STORES)[number])
  const project = freshProject()
  const codeOf = (asking: Promise<unknown>) =>
    asking.then(
      () => 'done',
      ({ code }) => code,
    )

  function bare(dir: string, state: object): string {
    const folder = join(dir, 'agents', 'sessions', '2026-02-14_work_a1b2c3')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'state.json'),
      JSON.stringify({
        session_id: '2026-02-14_work_a1b2c3',
        topic: 'Work',
        created_at: '2026-02-14T10:00:00Z',
        ...state,
      }),
    )
    return folder
  }

  it('S4-47 S4-48 S4-49 S4-50 S4-51 S4-52 S4-53 S4-54 S4-55 S4-56 S4-57 works on a folder without a store, that a store takes in later', async () => {
    const dir = project()
    const folder = bare(dir, {
      current_phase: 'spec',
      build_progress: { checkpoints_total: 2, checkpoints_completed: [], current_checkpoint: 1 },
    })
    const state = new SessionStateManager(folder, { home: store().home })
    expect(await state.load()).toMatchObject({ topic: 'Work', current_phase: 'spec', status: 'active' })
    await state.completePhase('spec')
    await state.transitionToPhase('plan')
    await state.startCheckpoint(1)
    await state.completeCheckpoint(1)
    await state.setGitBranch('feature/x')
    await state.setGitWorktree(join(dir, '..', 'other'))
    await state.addCommit('abc1234', 'feat: x', 1)
    await state.setStatus('paused')
    await state.save()
    const expected = {
      session_id: '2026-02-14_work_a1b2c3',
      current_phase: 'plan',
      status: 'paused',
      phase_history: { spec_completed_at: expect.any(String), plan_started_at: expect.any(String) },
      build_progress: { checkpoints_total: 2, checkpoints_completed: [1], current_checkpoint: 2 },
      git: { branch: 'feature/x', worktree: '../other' },
      commits: [{ sha: 'abc1234', message: 'feat: x', checkpoint: 1 }],
    }
    expect(JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'))).toMatchObject(expected)
    expect(readdirSync(join(folder, 'inbox'))).toHaveLength(8)
    const cairn = await store().open()
    expect(await cairn.project.onboard({ dirs: [dir] })).toMatchObject({ synced: 1, failed: 0 })
    await cairn.state.set({ session: '2026-02-14_work_a1b2c3', key: 'a', value: 1 })
    await store().close()
    expect(readdirSync(join(folder, 'inbox'))).toEqual([])
    expect(JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'))).toMatchObject(expected)
  })

  it('S4-58 holds to the same rules as the store, and what is refused changes nothing', async () => {
    const folder = bare(project(), { current_phase: 'spec' })
    const state = new SessionStateManager(folder, { home: store().home })
    const before = readFileSync(join(folder, 'state.json'))
    expect(await codeOf(state.transitionToPhase('build'))).toBe('illegal_transition')
    expect(await codeOf(state.completeCheckpoint(1))).toBe('not_found')
    expect(await codeOf(state.addCommit('../x', 'm'))).toBe('invalid_input')
    expect([readdirSync(folder), readFileSync(join(folder, 'state.json'))]).toEqual([['state.json'], before])
    expect(await codeOf(new SessionStateManager(join(folder, 'none'), { home: store().home }).load())).toBe('not_found')
  })

  it('is a client of the store where that knows the root', async () => {
    const cairn = await store().open()
    const { session_id: session, dir } = await cairn.session.create({ topic: 'Work', project_dir: project() })
    await cairn.journal.note({ session, text: 'so that there is a state.json' })
    const state = new SessionStateManager(dir as string, { home: store().home })
    await state.transitionToPhase('spec')
    expect(await codeOf(state.transitionToPhase('docs'))).toBe('illegal_transition')
    expect((await state.load()).current_phase).toBe('spec')
    await state.close()
    expect((await cairn.manifest.show({ session })).current_phase).toBe('spec')
    expect(readdirSync(dir as string)).not.toContain('inbox')
  })
})
