// What a root is tied to: build checkpoints, git, commits, artifacts and its status, in the words of state.json.
import { describe, expect, it } from 'vitest'
import { newRoot, refused } from '../setup/roots.ts'
import { freshStore, STORES } from '../setup/stores.ts'

for (const kind of STORES) {
  describe(`the manifest on ${kind.name}`, () => {
    const store = freshStore(kind)

    it('U46 S4-52 S4-53 S4-60 C5 build checkpoints are completed in any order, twice does nothing, and each is a moment to go back to', async () => {
      const { cairn } = await newRoot(store())
      for (const text of ['a', 'b', 'c']) await cairn.checkpoint.add({ text })
      expect(await cairn.checkpoint.start({ checkpoint: 1 })).toMatchObject({ status: 'started', changed: true })
      expect(await cairn.checkpoint.start({ checkpoint: 1 })).toMatchObject({ changed: false })
      expect(await cairn.checkpoint.complete({ checkpoint: 3 })).toMatchObject({ status: 'completed', changed: true })
      const before = (await cairn.log.list({ limit: 1 })).last_seq
      expect(await cairn.checkpoint.complete({ checkpoint: 3 })).toMatchObject({ changed: false })
      expect((await cairn.log.list({ limit: 1 })).last_seq).toBe(before)
      expect((await cairn.checkpoint.list({})).current_checkpoint).toBe(1)
      for (const checkpoint of [1, 2]) await cairn.checkpoint.complete({ checkpoint })
      expect((await cairn.manifest.show({})).build_progress).toEqual({
        checkpoints_total: 3,
        checkpoints_completed: [1, 2, 3],
        current_checkpoint: null,
      })
      const { events } = await cairn.log.list({ stream: 'workflow', since: 0 })
      expect(events.map(({ type }) => type)).toEqual(['checkpoint_taken', 'checkpoint_taken', 'checkpoint_taken'])
      expect(events[0]?.data).toMatchObject({ why: 'build', upto: (events[0]?.seq ?? 0) - 1 })
    })

    it('S4-38 S4-39 S4-40 S4-41 S4-54 S4-55 S4-56 S4-61 S4-63 git and commits are as they were said last', async () => {
      const { cairn } = await newRoot(store())
      await cairn.checkpoint.add({ text: 'a' })
      await cairn.git.set({ branch: 'main', base_branch: 'main', worktree: '../a' })
      expect(await cairn.git.set({ branch: 'parser', clear: ['worktree'] })).toEqual({
        branch: 'parser',
        worktree: null,
        base_branch: 'main',
        changed: true,
      })
      expect(await cairn.git.set({ branch: 'parser' })).toMatchObject({ changed: false })
      expect(await refused(cairn.git.set({}))).toMatchObject({ code: 'invalid_input' })
      expect(await cairn.commit.add({ sha: 'ABC1234', message: 'Add it', checkpoint: 1 })).toMatchObject({
        sha: 'abc1234',
        added: true,
      })
      expect(await cairn.commit.add({ sha: 'abc1234', message: 'Again' })).toMatchObject({
        message: 'Add it',
        added: false,
      })
      expect(await refused(cairn.commit.add({ sha: 'main', message: 'x' }))).toMatchObject({ code: 'invalid_input' })
      const at = (await cairn.log.list({ limit: 1 })).last_seq
      await cairn.commit.add({ sha: 'def5678', message: 'More' })
      expect((await cairn.commit.list({ at })).commits).toHaveLength(1)
      const shown = await cairn.manifest.show({})
      expect(shown.git).toEqual({ branch: 'parser', worktree: null, base_branch: 'main' })
      expect(shown.commits).toMatchObject([
        { sha: 'abc1234', message: 'Add it', checkpoint: 1 },
        { sha: 'def5678', message: 'More', checkpoint: null },
      ])
    })

    it('S4-8 S4-42 artifacts are named by their paths in the project', async () => {
      const { cairn } = await newRoot(store())
      await cairn.artifact.add({ name: 'report', path: 'draft.md' })
      await cairn.artifact.add({ name: 'report', path: 'report.md' })
      expect((await cairn.artifact.list({})).artifacts).toMatchObject([{ name: 'report', path: 'report.md' }])
      expect((await cairn.manifest.show({})).artifacts).toEqual({
        report: 'report.md',
        spec: 'spec.md',
        plan: 'plan.json',
        plan_readable: 'plan.md',
      })
    })

    it('S4-30 S4-57 S4-62 C2 a status is set by any word that is understood; the one it has changes nothing', async () => {
      const { cairn, session } = await newRoot(store())
      const set = (status: 'active' | 'in_progress' | 'paused' | 'interrupted' | 'finished' | 'failed') =>
        cairn.session.setStatus({ session, status })
      expect(await set('active')).toMatchObject({ status: 'running', changed: false })
      expect(await set('paused')).toMatchObject({ status: 'paused', was: 'running' })
      expect((await cairn.manifest.show({})).status).toBe('paused')
      expect(await set('interrupted')).toMatchObject({ status: 'resumable', word: 'active' })
      expect(await set('active')).toMatchObject({ status: 'resumable', changed: false })
      expect(await set('in_progress')).toMatchObject({ status: 'running' })
      expect(await set('finished')).toMatchObject({ status: 'completed', word: 'complete' })
      expect(await refused(set('failed'))).toMatchObject({ code: 'illegal_transition' })
    })

    it('S4-23 to S4-37 shows what state.json says, as of any event', async () => {
      const { cairn } = await newRoot(store())
      for (const phase of ['spec', 'plan']) await cairn.phase.enter({ phase })
      const shown = await cairn.manifest.show({})
      expect(shown).toMatchObject({ session_type: 'full', current_phase: 'plan', status: 'active' })
      const history = shown.phase_history as Record<string, string | null>
      expect(Object.keys(history)).toEqual(
        ['spec', 'plan', 'build', 'docs'].flatMap((phase) => [`${phase}_started_at`, `${phase}_completed_at`]),
      )
      expect(history).toMatchObject({ plan_completed_at: null, build_started_at: null })
      expect(Date.parse(String(history.spec_completed_at))).toBeGreaterThanOrEqual(
        Date.parse(String(history.spec_started_at)),
      )
      expect(await cairn.manifest.show({ at: 1 })).toMatchObject({ current_phase: 'spec' })
    })
  })
}
