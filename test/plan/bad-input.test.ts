// What the plan refuses, by code and with a hint; nothing is recorded by it.
import { describe, expect, it } from 'vitest'
import { lastSeq, newRoot, refused } from '../setup/roots.ts'
import { freshStore, STORES } from '../setup/stores.ts'

for (const kind of STORES) {
  describe(`bad input for the plan on ${kind.name}`, () => {
    const store = freshStore(kind)

    it('refuses unknown tasks, phases, plans and checkpoints, and dependencies on what is not there', async () => {
      const { cairn } = await newRoot(store())
      await cairn.task.add({ text: 'a' })
      const before = await lastSeq(cairn)
      const asked: [string, () => Promise<unknown>][] = [
        ['unknown_dependency', () => cairn.task.add({ text: 'b', after: ['2'] })],
        ['unknown_dependency', () => cairn.task.after({ task: '1', after: ['task-009'] })],
        ['invalid_input', () => cairn.task.add({ text: 'b', after: ['first'] })],
        ['not_found', () => cairn.task.claim({ task: '9' })],
        ['not_found', () => cairn.task.add({ text: 'b', phase: 'research' })],
        ['not_found', () => cairn.task.add({ text: 'b', phase: 'build', plan: '1' })],
        ['not_found', () => cairn.plan.add({ name: 'x', phase: '17' })],
        ['invalid_input', () => cairn.plan.add({ name: 'x' })],
        ['not_found', () => cairn.phase.enter({ phase: 'research' })],
        ['not_found', () => cairn.checkpoint.complete({ checkpoint: 1 })],
        ['not_found', () => cairn.commit.add({ sha: 'abcd', message: 'x', checkpoint: 4 })],
        ['illegal_transition', () => cairn.phase.done({})],
        ['illegal_transition', () => cairn.task.reset({ task: '1' })],
        ['illegal_transition', () => cairn.task.done({ task: '1' })],
        ['not_found', () => cairn.task.done({})],
        ['invalid_input', () => cairn.task.claim({ task: '1', ttl: '1ms' })],
      ]
      for (const [code, ask] of asked) expect((await refused(ask())).code, String(ask)).toBe(code)
      expect(await lastSeq(cairn)).toBe(before)
    })

    it('U25 spells out a cycle of tasks', async () => {
      const { cairn } = await newRoot(store())
      await cairn.task.add({ text: 'a' })
      await cairn.task.add({ text: 'b', after: ['1'] })
      await cairn.task.add({ text: 'c', after: ['2'] })
      expect(await refused(cairn.task.after({ task: '1', after: ['3'] }))).toMatchObject({
        code: 'cycle',
        message: 'These tasks would wait for each other: task-001 → task-003 → task-002 → task-001.',
      })
      expect(await refused(cairn.task.after({ task: '1', after: ['1'] }))).toMatchObject({ code: 'cycle' })
      await cairn.task.after({ task: '3', after: [] })
      expect(await cairn.task.after({ task: '1', after: ['3'] })).toMatchObject({ after: ['task-003'] })
      expect((await cairn.task.ready({})).tasks.map(({ id }) => id)).toEqual(['task-003'])
    })

    it('refuses what is too long, blank or would be obeyed by a terminal, and counts beyond their limits', async () => {
      const limits = {
        entryChars: 50,
        tasks: 4,
        taskEdges: 2,
        buildCheckpoints: 1,
        phases: 1,
        plans: 1,
        commits: 1,
        artifacts: 1,
      }
      const { cairn } = await newRoot(store(), { limits })
      const megabyte = 'x'.repeat(1_048_576)
      for (const text of [megabyte, 'x'.repeat(51), ' \n ', 'a\u001b[2Jb', 'a\u0000']) {
        expect(await refused(cairn.task.add({ text }))).toMatchObject({ code: 'invalid_input' })
        expect(await refused(cairn.checkpoint.add({ text }))).toMatchObject({ code: 'invalid_input' })
      }
      expect(await refused(cairn.phase.add({ name: 'a\nb' }))).toMatchObject({ code: 'invalid_input' })
      for (const name of ['add', 'LS', '12'])
        expect(await refused(cairn.phase.add({ name }))).toMatchObject({ code: 'invalid_input' })
      await cairn.task.add({ text: 'a' })
      for (const text of ['b', 'c']) await cairn.task.add({ text, after: ['1'] })
      const edges = await refused(cairn.task.add({ text: 'd', after: ['1'] }))
      expect(edges).toMatchObject({ message: 'task-001 has 2 tasks that wait for it; the limit taskEdges is 2.' })
      expect(await refused(cairn.task.add({ text: 'd', after: ['1', '2', '3'] }))).toMatchObject({
        code: 'invalid_input',
      })
      await cairn.task.add({ text: 'd' })
      const told = async (asking: Promise<unknown>) => (await refused(asking)).details.limit
      expect(await told(cairn.task.add({ text: 'e' }))).toBe('tasks')
      await cairn.checkpoint.add({ text: 'a' })
      expect(await told(cairn.checkpoint.add({ text: 'b' }))).toBe('buildCheckpoints')
      await cairn.phase.add({ name: 'Polish' })
      expect(await told(cairn.phase.add({ name: 'Ship' }))).toBe('phases')
      await cairn.plan.add({ name: 'a', phase: 'polish' })
      expect(await told(cairn.plan.add({ name: 'b', phase: 'polish' }))).toBe('plans')
      await cairn.commit.add({ sha: 'ABCD', message: 'a' })
      expect(await told(cairn.commit.add({ sha: 'abce', message: 'b' }))).toBe('commits')
      await cairn.artifact.add({ name: 'a', path: 'a.md' })
      expect(await told(cairn.artifact.add({ name: 'b', path: 'b.md' }))).toBe('artifacts')
    })

    it('refuses paths of one machine, and paths out of the project', async () => {
      const { cairn } = await newRoot(store())
      for (const path of ['/etc/passwd', '~/x', 'C:\\x', '../x', 'a/../../b']) {
        expect(await refused(cairn.artifact.add({ name: 'a', path }))).toMatchObject({ code: 'invalid_input' })
      }
      expect(await refused(cairn.git.set({ worktree: '/srv/x' }))).toMatchObject({ code: 'invalid_input' })
      expect(await cairn.git.set({ worktree: '../x-feature' })).toMatchObject({ worktree: '../x-feature' })
    })
  })
}
