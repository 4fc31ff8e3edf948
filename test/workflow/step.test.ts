import { describe, expect, it } from 'vitest'
import { refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { progressOf, statusesOf, supervise } from './supervised.ts'

for (const kind of STORES) {
  describe(`a step of whoever supervises a root on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S1-44 S1-45 starts an agent, records its exit and completes it, many moves in one commit', async () => {
      const cairn = await store().open()
      const { root, step, starting, exiting } = await supervise(cairn)
      await cairn.session.start({ session: root })
      expect(await step(starting(1), starting(2))).toEqual({ made: 2, refused: [] })
      expect(await statusesOf(cairn, root)).toEqual(['running', 'running', 'running', 'created'])
      const digest = 'a'.repeat(64)
      const left = exiting(1, { result: { text: 'found it', bytes: 8, digest } })
      expect(await step(left, { move: 'complete', agent: 1 }, { move: 'checkpoint', why: 'agent', agent: 1 })).toEqual({
        made: 3,
        refused: [],
      })
      expect(await statusesOf(cairn, root)).toEqual(['running', 'completed', 'running', 'created'])
      expect(await progressOf(cairn, root, 1)).toMatchObject({
        run: null,
        attempts: 1,
        exited: JSON.stringify({ agent: 1, run: 'run_1_1', cause: 'exit', exit_code: 0 }),
        result: JSON.stringify({ text: 'found it', bytes: 8, digest }),
      })
    })

    it('FAULT-39 leaves out what no longer fits, and says so', async () => {
      const cairn = await store().open()
      const { root, step, starting, exiting } = await supervise(cairn)
      await cairn.session.start({ session: root })
      expect(await step(starting(1), starting(1), starting(2, 2), { move: 'complete', agent: 1 })).toEqual({
        made: 1,
        refused: ['1 illegal_transition', '2 illegal_transition', '3 illegal_transition'],
      })
      const gone = exiting(3)
      expect(await step(gone, { move: 'wake', agent: 3, by: 'children' }, { move: 'thawed', agent: 3 })).toEqual({
        made: 0,
        refused: ['0 illegal_transition', '1 illegal_transition', '2 illegal_transition'],
      })
      expect(await step({ move: 'skip', agent: 9, reason: 'no' })).toEqual({ made: 0, refused: ['0 not_found'] })
    })

    it('U31 U17 takes moves of the holder of the lease alone, and of one at a time', async () => {
      const cairn = await store().open()
      const { root, step, starting, token } = await supervise(cairn)
      await cairn.session.start({ session: root })
      const moves = [{ move: 'complete', agent: 1 }]
      expect(await refused(cairn.workflow.step({ session: root, moves } as never))).toMatchObject({ code: 'fenced' })
      const claim = { session: root, name: 'orchestrator', ttl: '1h' }
      expect(await refused(cairn.lease.claim(claim))).toMatchObject({ code: 'held_by_other' })
      await cairn.lease.release({ session: root, name: 'orchestrator', token })
      const second = await cairn.lease.claim(claim)
      expect(await refused(step(starting(1)))).toMatchObject({ code: 'fenced' })
      expect(await statusesOf(cairn, root)).toEqual(['running', 'created', 'created', 'created'])
      await cairn.session.end({ session: root, status: 'cancelled' })
      // Its processes are still to be stopped, and it must hear of that.
      await cairn.lease.heartbeat({ session: root, name: 'orchestrator', token: second.token })
    })

    it('DESIGN-7 parks an agent with what it waits for, and wakes it', async () => {
      const cairn = await store().open()
      const { root, step, starting, exiting } = await supervise(cairn)
      await cairn.session.start({ session: root })
      const asking = { kind: 'approval', text: 'May it begin?' } as const
      expect(await step({ move: 'park', agent: 1, why: 'approval', raises: asking })).toEqual({ made: 1, refused: [] })
      expect(await progressOf(cairn, root, 1)).toMatchObject({
        parked: JSON.stringify({ agent: 1, why: 'approval', need: 1 }),
      })
      expect(await statusesOf(cairn, root)).toEqual(['running', 'resumable', 'created', 'created'])
      await step(starting(2), exiting(2, { cause: 'crash', how: 'failed', exit_code: 1 }))
      await step({ move: 'park', agent: 2, why: 'backoff', wake_at: 1, failures: 1 })
      expect(await progressOf(cairn, root, 2)).toMatchObject({ failures: 1, wake_at: 1 })
      await step({ move: 'wake', agent: 2, by: 'backoff' }, starting(2, 2))
      expect(await progressOf(cairn, root, 2)).toMatchObject({ attempts: 2, failures: 1, wake_at: null, woken: null })
    })

    it('S1-40 counts the time of a run without that in which it stood still', async () => {
      const cairn = await store().open()
      const { root, step, starting, exiting } = await supervise(cairn)
      await cairn.session.start({ session: root })
      await step(starting(1), { move: 'paused', agent: 1 })
      expect(await statusesOf(cairn, root)).toEqual(['running', 'paused', 'created', 'created'])
      const { paused_at, run_at } = await progressOf(cairn, root, 1)
      expect(paused_at).toBe(run_at)
      await step(exiting(1, { how: 'cancelled', cause: 'person' }))
      expect(await progressOf(cairn, root, 1)).toMatchObject({ ran_ms: 0, paused_at: null })
    })

    it('ends with an agent what it started, its leases and its needs', async () => {
      const cairn = await store().open()
      const { root, step, starting } = await supervise(cairn)
      await cairn.session.start({ session: root })
      await step(starting(1))
      const child = await cairn.session.create({
        topic: 'below',
        parent: (await cairn.session.tree({ session: root })).children[0]?.session_id,
      } as never)
      await cairn.lease.claim({ session: child.session_id, name: 'build', ttl: '1h' })
      await step({ move: 'need', agent: 1, raises: { kind: 'stale', text: 'It is silent.' } })
      expect(await step({ move: 'cancel', agent: 1, reason: 'enough' })).toEqual({ made: 1, refused: [] })
      expect(await statusesOf(cairn, root)).toEqual(['running', 'cancelled', 'created', 'created', 'cancelled'])
      const { leases } = await cairn.lease.list({ session: root })
      expect(leases.map(({ name, held }) => [name, held])).toEqual([
        ['build', false],
        ['orchestrator', true],
      ])
      const { tables } = await cairn.log.rows({ session: root, part: 'journal', table: 'needs' })
      expect((tables as { needs: unknown[] }).needs).toMatchObject([{ need: 1, how: 'withdrawn', open: null }])
    })
  })
}
