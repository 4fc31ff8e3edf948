// What differs between two points, in the state, the plan and the journal.
import { describe, expect, it } from 'vitest'
import { lastSeq, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

const brief = ({ changes }: { changes: { op: string; id: string; before: unknown; after: unknown }[] }) =>
  changes.map(({ op, id, before, after }) => [op, id, before, after])

for (const kind of STORES) {
  describe(`differences on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S2-1 C21 tells what became of everything between two points, also the other way round', async () => {
      const { cairn } = await newRoot(store())
      await cairn.task.add({ text: 'Lex' })
      await cairn.decision.add({ decision: 'SQLite', context: 'c', reason: 'r' })
      await cairn.addBlocker({ description: 'No key', affects: ['docs'] })
      await cairn.journal.next({ text: 'one' })
      const from = await lastSeq(cairn)
      await cairn.state.set({ key: 'a', value: 1 })
      await cairn.task.claim({ task: '1' })
      await cairn.task.add({ text: 'Parse' })
      await cairn.decision.add({ decision: 'Postgres', context: 'c', reason: 'r', supersedes: 'decision-001' })
      await cairn.blocker.resolve({ blocker: 'block-001', resolution: 'It came' })
      await cairn.checkpoint.add({ text: 'It compiles' })
      await cairn.journal.next({ text: 'two' })
      const to = await lastSeq(cairn)
      await cairn.task.done({ task: '1' })
      const found = await cairn.journal.diff({ from, to })
      expect(found.changes).toMatchObject([{ op: 'added', key: 'a', after: 1 }])
      expect(
        found.tasks.changes.map(({ op, id, text, before, after }) => [op, id, text, before?.status, after?.status]),
      ).toEqual([
        ['added', 'task-002', 'Parse', undefined, 'open'],
        ['changed', 'task-001', 'Lex', 'open', 'claimed'],
      ])
      expect(brief(found.decisions)).toEqual([
        [
          'changed',
          'decision-001',
          { decision: 'SQLite', superseded_by: null },
          { decision: 'SQLite', superseded_by: 'decision-002' },
        ],
        ['added', 'decision-002', null, { decision: 'Postgres', superseded_by: null }],
      ])
      expect(found.blockers.changes).toMatchObject([
        { op: 'changed', id: 'block-001', before: { status: 'active' }, after: { status: 'resolved' } },
      ])
      expect(brief(found.checkpoints)).toEqual([
        ['added', 'checkpoint-1', null, { text: 'It compiles', status: 'open' }],
      ])
      expect(found.next_action).toMatchObject({ op: 'changed', before: { text: 'one' }, after: { text: 'two' } })
      expect(found.position).toMatchObject({ after: { task: expect.stringContaining('Lex') } })
      const back = await cairn.journal.diff({ from: to, to: from })
      expect(back.tasks.changes.map(({ op, before, after }) => [op, before?.status, after?.status])).toEqual([
        ['removed', 'open', undefined],
        ['changed', 'claimed', 'open'],
      ])
      const { session_id: fork } = await cairn.session.fork({ at: to })
      const ofFork = await cairn.journal.diff({ session: fork, from, to: 'now' })
      expect({ ...ofFork, root_session_id: '' }).toEqual({ ...found, root_session_id: '' })
      const same = await cairn.journal.diff({ from: to, to })
      expect(same).toMatchObject({ changes: [], position: null, next_action: null, tasks: { changes: [], more: 0 } })
    })

    it('says nothing of a position that is where it was, whatever else the journal counts', async () => {
      const { cairn } = await newRoot(store())
      await cairn.journal.position({ phase: 3 })
      const from = await lastSeq(cairn)
      await cairn.decision.add({ decision: 'SQLite', context: 'c', reason: 'r' })
      const found = await cairn.journal.diff({ from, to: 'now' })
      expect(found).toMatchObject({ position: null, decisions: { changes: [{ op: 'added' }], more: 0 } })
    })

    it('is bounded: the newest of each kind, the rest counted', async () => {
      const { cairn } = await newRoot(store())
      for (let at = 1; at <= 5; at++) await cairn.task.add({ text: `Task ${at}` })
      const { tasks } = await cairn.journal.diff({ from: 1, to: 'now', entries: 2 })
      expect(tasks.changes.map(({ id }) => id)).toEqual(['task-005', 'task-004'])
      expect(tasks.more).toBe(3)
      expect((await refused(cairn.journal.diff({ from: 1, to: 999 }))).code).toBe('invalid_input')
    })
  })
}
