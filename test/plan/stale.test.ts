// A worker that is not heard of any more: its task can be taken back by anybody, and the log says that it crashed.
import { describe, expect, it } from 'vitest'
import { type Cairn, methodsOf } from '../../src/open.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { freshStore, STORES } from '../setup/stores.ts'
import { newFamily } from '../tokens/family.ts'
import { claimed } from './claimed.ts'

async function isStale(cairn: Cairn): Promise<boolean> {
  return (await cairn.task.list({})).tasks[0]?.stale === true
}

async function untilStale(cairn: Cairn): Promise<void> {
  while (!(await isStale(cairn))) await new Promise((resolve) => setTimeout(resolve, 5))
}

for (const kind of STORES) {
  describe(`a stale claim on ${kind.name}`, () => {
    const store = freshStore(kind)

    it('S2-73 S2-74 S2-76 is reset by anybody after taskStaleMs without progress, and its worker has crashed', async () => {
      const { cairn, session } = await newRoot(store(), { limits: { taskStaleMs: 1 } })
      const worker = await newChild(cairn, session, 'worker')
      const { run } = await cairn.run.start({ session: worker })
      await cairn.task.add({ text: 'a' })
      const { token } = await claimed(cairn, { session: worker, ttl: '1h' })
      await untilStale(cairn)
      const other = await newChild(cairn, session, 'other')
      expect(await cairn.task.reset({ session: other, task: '1' })).toMatchObject({
        why: 'stale',
        crashed: true,
        status: 'open',
      })
      expect((await cairn.task.list({})).tasks).toMatchObject([
        { status: 'open', claimed_by: null, run: null, ready: true },
      ])
      const { events } = await cairn.log.list({ since: 0, stream: 'plan' })
      expect(events.at(-1)?.data).toMatchObject({ task: 1, why: 'stale', crashed: { run } })
      const { runs } = await cairn.run.list({ session: worker })
      expect(runs).toMatchObject([{ run, how: 'crashed' }])
      const late = cairn.task.done({ session: worker, task: '1', token: String(token) })
      expect(await refused(late)).toMatchObject({ code: 'illegal_transition' })
      expect(await cairn.task.claim({ session: other })).toMatchObject({ id: 'task-001' })
    })

    it('C21 is not stale while its session stands still, and is once its session has ended', async () => {
      const { cairn, session } = await newRoot(store(), { limits: { taskStaleMs: 1 } })
      const worker = await newChild(cairn, session)
      await cairn.task.add({ text: 'a' })
      await cairn.task.claim({ session: worker })
      await cairn.session.setStatus({ session: worker, status: 'paused' })
      expect(await isStale(cairn)).toBe(false)
      await cairn.session.setStatus({ session: worker, status: 'active' })
      await untilStale(cairn)
      await cairn.session.setStatus({ status: 'paused', session })
      expect(await isStale(cairn)).toBe(false)
    })

    it('agents take back only what is stale, or is of their own or below; none poses as another', async () => {
      const opened = await store().openLog({ limits: { taskStaleMs: 3_600_000 } })
      const owner = methodsOf(opened)
      const family = await newFamily(opened)
      const agent = methodsOf({ ...opened, caller: family.agent })
      const { parent, sibling, child, self } = family
      for (const text of ['a', 'b', 'c']) await owner.task.add({ session: parent, text })
      await owner.task.claim({ session: sibling, task: '1' })
      await owner.task.claim({ session: child, task: '2' })
      for (const session of [self, parent, sibling])
        expect(await refused(agent.task.reset({ session, task: '1' }))).toMatchObject({ code: 'held_by_other' })
      for (const session of [parent, sibling]) {
        expect(await refused(agent.task.done({ session, task: '1' }))).toMatchObject({ code: 'forbidden' })
        expect(await refused(agent.task.claim({ session }))).toMatchObject({ code: 'forbidden' })
      }
      expect(await refused(agent.task.block({ session: parent, task: '1' }))).toMatchObject({ code: 'held_by_other' })
      expect(await agent.task.reset({ task: '2' })).toMatchObject({ why: 'reset', crashed: false })
      await agent.task.claim({ task: '2' })
      const second = await refused(agent.task.claim({}))
      expect(second).toMatchObject({ code: 'illegal_transition', details: { task: 'task-002' } })
      await owner.session.end({ session: sibling, status: 'failed' })
      expect(await agent.task.reset({ task: '1' })).toMatchObject({ why: 'stale', crashed: true })
    })
  })
}
