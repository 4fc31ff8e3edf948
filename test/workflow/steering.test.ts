import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { progressOf, statusesOf, supervise } from './supervised.ts'

const phased = {
  phases: [
    {
      name: 'Research',
      agents: [
        { id: 'read', run: ['true'] },
        { id: 'look', run: ['true'] },
      ],
    },
    { name: 'Build', agents: [{ id: 'build', run: ['true'], depends_on: ['read'] }] },
  ],
}

async function phasesOf(cairn: Cairn, root: string) {
  return (await cairn.session.status({ session: root })).phases.map(({ state }) => state)
}

for (const kind of STORES) {
  describe(`steering on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S1-35 S1-40 S1-41 starts, pauses and resumes a root, once each', async () => {
      const cairn = await store().open()
      const { root } = await supervise(cairn)
      expect(await refused(cairn.session.pause({ session: root }))).toMatchObject({ code: 'illegal_transition' })
      expect(await cairn.session.start({ session: root })).toMatchObject({ status: 'running' })
      expect(await refused(cairn.session.start({ session: root }))).toMatchObject({ code: 'illegal_transition' })
      expect(await cairn.session.pause({ session: root })).toMatchObject({ status: 'paused' })
      expect(await refused(cairn.session.pause({ session: root }))).toMatchObject({ code: 'illegal_transition' })
      expect(await refused(cairn.session.start({ session: root }))).toMatchObject({
        hint: expect.stringContaining('resume'),
      })
      expect(await cairn.session.resume({ session: root })).toMatchObject({ status: 'running' })
    })

    it('S1-12 pauses and resumes one agent, named by its id, its name or its session', async () => {
      const cairn = await store().open()
      const { root } = await supervise(cairn)
      await cairn.session.start({ session: root })
      const [one] = (await cairn.session.status({ session: root })).agents
      const names = ['one', 'ONE', one?.name as string, one?.session_id as string]
      for (const agent of names) {
        expect(await cairn.session.pause({ session: root, agent })).toMatchObject({ id: 'one', agents: 1 })
        expect(await progressOf(cairn, root, 1)).toMatchObject({ held: 1 })
        expect(await refused(cairn.session.pause({ session: root, agent }))).toMatchObject({
          code: 'illegal_transition',
        })
        await cairn.session.resume({ session: root, agent })
        expect(await progressOf(cairn, root, 1)).toMatchObject({ held: 0 })
      }
      expect(await refused(cairn.session.pause({ session: root, agent: 'nobody' }))).toMatchObject({
        code: 'not_found',
      })
      await cairn.session.pause({ session: one?.session_id as string })
      expect(await progressOf(cairn, root, 1)).toMatchObject({ held: 1 })
      await cairn.session.resume({ session: root })
      expect(await progressOf(cairn, root, 1)).toMatchObject({ held: 0 })
    })

    it('U24 U35 retries what failed, with what was skipped for it, and counts its attempts anew', async () => {
      const cairn = await store().open()
      const { root, step, starting, exiting } = await supervise(cairn)
      await cairn.session.start({ session: root })
      await step(starting(1), exiting(1, { how: 'failed', exit_code: 1 }), { move: 'fail', agent: 1, reason: 'exit 1' })
      await step({ move: 'need', agent: 1, raises: { kind: 'failed', text: 'one failed: exit 1' } })
      await step({ move: 'skip', agent: 3, reason: 'one failed' }, starting(2), exiting(2), {
        move: 'complete',
        agent: 2,
      })
      await step({ move: 'root', to: 'failed', reason: 'one failed' })
      expect(await statusesOf(cairn, root)).toEqual(['failed', 'failed', 'completed', 'skipped'])
      expect(await refused(cairn.session.retry({ session: root, agent: 'two' }))).toMatchObject({
        code: 'illegal_transition',
      })
      expect(await refused(cairn.session.retry({ session: root, agent: 'three' }))).toMatchObject({
        code: 'illegal_transition',
      })
      expect((await cairn.session.status({ session: root })).needs).toHaveLength(1)
      expect(await cairn.session.retry({ session: root, agent: 'one' })).toMatchObject({ agents: 2, id: 'one' })
      expect(await statusesOf(cairn, root)).toEqual(['running', 'created', 'completed', 'created'])
      expect(await progressOf(cairn, root, 1)).toMatchObject({ attempts: 0, exited: null })
      expect((await cairn.session.status({ session: root })).needs).toEqual([])
      expect(await step(starting(1))).toEqual({ made: 1, refused: [] })
    })

    it('S1-61 resume of a phase keeps what has completed, retry of it runs all of it again', async () => {
      const cairn = await store().open()
      const { root, step, starting, exiting } = await supervise(cairn, phased)
      await cairn.session.start({ session: root })
      await step({ move: 'phase', phase: 1, to: 'running' }, starting(1), exiting(1), { move: 'complete', agent: 1 })
      expect(await cairn.session.pause({ session: root, phase: 'research' })).toMatchObject({
        status: 'paused',
        phase: 1,
      })
      await cairn.session.resume({ session: root, phase: '1' })
      expect(await statusesOf(cairn, root)).toEqual(['running', 'completed', 'created', 'created'])
      expect(await phasesOf(cairn, root)).toEqual(['running', 'planned'])
      await step(starting(2), exiting(2, { how: 'failed', exit_code: 2 }), { move: 'fail', agent: 2, reason: 'exit 2' })
      await step({ move: 'phase', phase: 1, to: 'failed' }, { move: 'skip', agent: 3, reason: 'Research failed' })
      await step({ move: 'phase', phase: 2, to: 'skipped' }, { move: 'root', to: 'failed' })
      expect(await refused(cairn.session.resume({ session: root, phase: 'Research' }))).toMatchObject({
        code: 'illegal_transition',
      })
      expect(await cairn.session.retry({ session: root, phase: 'Research' })).toMatchObject({ agents: 3 })
      expect(await statusesOf(cairn, root)).toEqual(['running', 'resumable', 'created', 'created'])
      expect(await phasesOf(cairn, root)).toEqual(['running', 'planned'])
      expect(await progressOf(cairn, root, 1)).toMatchObject({ attempts: 0, woken: expect.stringContaining('person') })
    })

    it('cancels an agent, a phase and the whole, and goes on with the whole', async () => {
      const cairn = await store().open()
      const { root, step, starting, exiting } = await supervise(cairn, phased)
      await cairn.session.start({ session: root })
      await step({ move: 'phase', phase: 1, to: 'running' }, starting(1))
      await cairn.session.cancel({ session: root, agent: 'look', reason: 'not needed' })
      await cairn.session.cancel({ session: root, phase: 'Build' })
      expect(await statusesOf(cairn, root)).toEqual(['running', 'running', 'cancelled', 'cancelled'])
      expect(await phasesOf(cairn, root)).toEqual(['running', 'skipped'])
      await cairn.session.cancel({ session: root })
      expect(await statusesOf(cairn, root)).toEqual(['cancelled', 'cancelled', 'cancelled', 'cancelled'])
      expect(await step(exiting(1, { how: 'cancelled', cause: 'person' }))).toEqual({ made: 1, refused: [] })
      expect(await refused(cairn.session.cancel({ session: root }))).toMatchObject({ code: 'illegal_transition' })
      expect(await cairn.session.resume({ session: root })).toMatchObject({ status: 'running', agents: 1 })
      expect(await statusesOf(cairn, root)).toEqual(['running', 'created', 'cancelled', 'cancelled'])
    })

    it('approves, asks and answers', async () => {
      const cairn = await store().open()
      const { root, step, starting, exiting } = await supervise(cairn)
      await cairn.session.start({ session: root })
      expect(await refused(cairn.session.approve({ session: root }))).toMatchObject({ code: 'illegal_transition' })
      const raises = { kind: 'approval', text: 'one asks to begin.' } as const
      await step(
        { move: 'park', agent: 1, why: 'approval', raises },
        { move: 'park', agent: 2, why: 'approval', raises },
      )
      expect(await refused(cairn.session.approve({ session: root }))).toMatchObject({
        code: 'ambiguous_id',
        details: { candidates: ['one', 'two'] },
      })
      expect(await cairn.session.approve({ session: root, agent: 'one' })).toMatchObject({ agents: 1 })
      expect((await cairn.session.status({ session: root })).needs.map(({ agent }) => agent)).toEqual(['two'])
      await step(starting(1))
      const one = (await cairn.session.status({ session: root })).agents[0]?.session_id as string
      const asked = await cairn.session.ask({ session: one, text: 'Which parser?', actions: ['old', 'new'] })
      expect(await refused(cairn.session.ask({ session: one, text: 'And?' }))).toMatchObject({ code: 'already_exists' })
      expect(await progressOf(cairn, root, 1)).toMatchObject({ asked: asked.need })
      await step(exiting(1), { move: 'park', agent: 1, why: 'question', need: asked.need })
      expect(await cairn.session.answer({ session: root, text: 'The new one.' })).toMatchObject({
        agents: 1,
      })
      expect(await progressOf(cairn, root, 1)).toMatchObject({
        asked: null,
        parked: null,
        woken: JSON.stringify({ agent: 1, by: 'question', text: 'The new one.' }),
      })
      // What it is told is known for as long as its run goes on, whoever starts it.
      await step(starting(1, 2))
      expect(await progressOf(cairn, root, 1)).toMatchObject({
        woken: null,
        told: expect.stringContaining('The new one'),
      })
    })

    it('DESIGN-7 keeps an answer that comes early until what else an agent waits for is there', async () => {
      const cairn = await store().open()
      const { root, step, starting, exiting } = await supervise(cairn)
      await cairn.session.start({ session: root })
      await step(starting(1))
      const one = (await cairn.session.status({ session: root })).agents[0]?.session_id as string
      await cairn.session.ask({ session: one, text: 'Which parser?' })
      await step(exiting(1), { move: 'park', agent: 1, why: 'approval', raises: { kind: 'approval', text: 'Good?' } })
      await cairn.session.answer({ session: one, text: 'The new one.' })
      expect(await progressOf(cairn, root, 1)).toMatchObject({ parked: expect.stringContaining('approval') })
      await cairn.session.approve({ session: one })
      const woken = { agent: 1, by: 'approval', text: 'The new one.' }
      expect(await progressOf(cairn, root, 1)).toMatchObject({ parked: null, woken: JSON.stringify(woken) })
    })

    it('S1-48 S1-49 S1-54 S1-50 shows the status: agents, roles, progress and an estimate; now and then', async () => {
      const cairn = await store().open()
      const { root, step, starting, exiting } = await supervise(cairn)
      await cairn.session.start({ session: root })
      await step(starting(1), exiting(1), { move: 'complete', agent: 1 })
      const status = await cairn.session.status({ session: root })
      expect(status).toMatchObject({
        session: { session_id: root, status: 'running' },
        role_distribution: { worker: { total: 3, running: 0, completed: 1, failed: 0 } },
        progress: 0.333,
        progress_detail: { agents: { total: 3, done: 1 }, from: 'agents' },
      })
      expect(status.agents[0]).toMatchObject({
        id: 'one',
        role: 'worker',
        status: 'completed',
        exit_code: 0,
        attempts: 1,
      })
      expect(status.agents[1]).toMatchObject({ id: 'two', status: 'created', exit_code: null, started_at: null })
      expect(status.estimated_completion).toMatch(/^\d{4}-/)
      const before = await cairn.session.status({ session: root, at: 8 })
      expect(before).toMatchObject({ progress: 0, estimated_completion: null, session: { status: 'created' } })
    })
  })
}
