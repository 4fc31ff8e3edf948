import { describe, expect, it } from 'vitest'
import { isWholeCheckpoint } from '../../src/domain/workflow/checkpoint.ts'
import { refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { supervise } from './supervised.ts'

const phased = {
  phases: [
    { name: 'Research', agents: [{ id: 'read', run: ['true'] }] },
    { name: 'Build', agents: [{ id: 'build', run: ['true'], depends_on: ['read'] }] },
  ],
}

for (const kind of STORES) {
  describe(`checkpoints on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S1-63 S1-64 S1-67 S1-68 S1-69 S1-71 U33 say where the work stood, and whether they are whole', async () => {
      const cairn = await store().open()
      const { root, step, starting, exiting } = await supervise(cairn, phased, { initial_state: { ready: true } })
      expect(await refused(cairn.workflow.checkpoint({ session: root }))).toMatchObject({ code: 'not_found' })
      await cairn.session.start({ session: root })
      await step(
        { move: 'checkpoint', why: 'phase', phase: 1 },
        { move: 'phase', phase: 1, to: 'running' },
        starting(1),
      )
      const result = { text: 'found', bytes: 5, digest: 'b'.repeat(64) }
      await step(exiting(1, { result }), { move: 'complete', agent: 1 }, { move: 'checkpoint', why: 'agent', agent: 1 })
      await cairn.state.set({ session: root, key: 'ready', value: false })
      const { checkpoint } = await cairn.workflow.checkpoint({ session: root })
      expect(checkpoint).toMatchObject({
        session_id: root,
        status: 'running',
        last_checkpoint: { why: 'agent' },
        current_phase: {
          phase_id: 1,
          phase_name: 'Research',
          outputs: [{ agent_id: 'read', sha256: result.digest, bytes: 5 }],
        },
        planned_phases: [{ phase_id: 2, agents: ['build'] }],
        agents: { running: [], pending: [{ agent_id: 'build', state: 'created' }], ended: [{ agent_id: 'read' }] },
        orchestrator_context: { depends_on: { read: [], build: ['read'] } },
        shared_context: { state_version: 1 },
      })
      const { events } = await cairn.log.list({ session: root, since: 0, limit: 1000 })
      const named = events.find(({ seq }) => seq === checkpoint.sequence)
      expect(named?.hash).toBe(checkpoint.hash)
      expect(isWholeCheckpoint(checkpoint)).toBe(true)
      expect(isWholeCheckpoint({ ...checkpoint, sequence: 1 })).toBe(false)
      const first = events.find(({ type }) => type === 'checkpoint_taken')
      const { checkpoint: before } = await cairn.workflow.checkpoint({ session: root, at: first?.seq as number })
      expect(before).toMatchObject({ last_checkpoint: { why: 'phase' }, current_phase: null, status: 'running' })
      expect((await cairn.session.status({ session: root })).last_checkpoint).toMatchObject({ why: 'agent' })
    })

    it('S1-65 is taken when the plan is extended', async () => {
      const cairn = await store().open()
      const { root } = await supervise(cairn, { ...phased, profiles: { helper: { adapter: 'claude' } } })
      const agents = [{ id: 'more', use: 'helper', task: 'Help.', phase: 'Build', depends_on: ['read'] }]
      expect((await cairn.workflow.extend({ session: root, agents })).agents).toMatchObject([{ id: 'more' }])
      expect((await cairn.workflow.checkpoint({ session: root })).checkpoint).toMatchObject({
        last_checkpoint: { why: 'plan' },
        planned_phases: [{ phase_id: 1 }, { phase_id: 2, agents: ['build', 'more'] }],
      })
    })
  })
}
