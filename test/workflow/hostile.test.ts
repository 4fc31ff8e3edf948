import { describe, expect, it } from 'vitest'
import type { Caller } from '../../src/log/access/caller.ts'
import { methodsOf, type OpenedLog } from '../../src/open.ts'
import { refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { progressOf, statusesOf, supervise } from './supervised.ts'

const workflow = {
  profiles: { helper: { adapter: 'claude', model: 'small' } },
  agents: [
    { id: 'self', run: ['true'], approval: 'after' },
    { id: 'other', run: ['true'] },
  ],
}

/** A root with an agent whose token somebody has; `as` are the methods it can call. */
async function withAgent(opened: OpenedLog) {
  const owner = methodsOf(opened)
  const supervised = await supervise(owner, workflow)
  const { root, step, starting } = supervised
  await owner.session.start({ session: root })
  await step(starting(1))
  const { root: number, rootId } = await opened.log.head(root, opened.caller)
  const [self, other] = (await owner.session.status({ session: root })).agents.map(({ session_id }) => session_id)
  const caller: Caller = { principal: 'agent', actor: 'test', scope: { root: number, rootId, no: 1 }, session: self }
  return {
    ...supervised,
    owner,
    as: methodsOf({ log: opened.log, caller }),
    self: self as string,
    other: other as string,
  }
}

for (const kind of STORES) {
  describe(`the token of an agent on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S2-71 starts agents with profiles of the root alone: no program, no environment, no budget of its own', async () => {
      const { as, root, owner } = await withAgent(await store().openLog())
      const { last_seq: before } = await owner.log.list({ session: root, limit: 1 })
      for (const more of [
        { run: ['sh'] },
        { env: { A: 'b' } },
        { cwd: 'x' },
        { budget: { usd: 9 } },
        { use: 'claude' },
        { use: 'command' },
      ])
        expect(await refused(as.session.spawn({ use: 'helper', task: 'Help.', ...more } as never))).toMatchObject({
          code: 'forbidden',
        })
      for (const more of [
        { run: ['sh'] },
        { use: 'helper', task: 't', env: { A: 'b' } },
        { use: 'helper', task: 't', retries: 99 },
      ])
        expect(await refused(as.workflow.extend({ agents: [{ id: 'x', ...more }] } as never))).toMatchObject({
          code: 'forbidden',
        })
      for (const more of [{ max_parallel: 99 }, { budget: { usd: 99 } }, { profiles: { x: { adapter: 'codex' } } }])
        expect(await refused(as.workflow.extend(more as never))).toMatchObject({ code: 'forbidden' })
      expect((await owner.log.list({ session: root, limit: 1 })).last_seq).toBe(before)
      const made = await as.session.spawn({ use: 'helper', task: 'Help.' })
      expect(made).toMatchObject({ status: 'created', id: expect.stringMatching(/^worker-\d+$/) })
      const tree = await owner.session.tree({ session: root })
      expect(tree.children[0]?.children.map(({ session_id }) => session_id)).toEqual([made.session_id])
    })

    it('U2 cannot supervise, steer or approve, and reaches nothing beside or above itself', async () => {
      const { as, root, self, other, owner, step, exiting } = await withAgent(await store().openLog())
      await step(exiting(1), { move: 'park', agent: 1, why: 'approval', raises: { kind: 'approval', text: 'Good?' } })
      const tries: (() => Promise<unknown>)[] = [
        () => as.lease.claim({ name: 'orchestrator', ttl: '1m' }),
        () => as.workflow.step({ moves: [{ move: 'complete', agent: 1 }] } as never),
        () => as.session.approve({}),
        () => as.session.approve({ session: self }),
        () => as.session.answer({ text: 'yes' }),
        () => as.session.start({ session: root }),
        () => as.session.retry({ agent: 'self' }),
        () => as.session.resume({ session: self }),
        () => as.session.pause({ session: other }),
        () => as.session.cancel({ session: other }),
        () => as.session.cancel({ session: root }),
        () => as.session.cancel({ agent: 'other' }),
        () => as.session.spawn({ session: other, use: 'helper', task: 't' }),
        () => as.session.ask({ session: other, text: 'Who?' }),
        () => as.workflow.extend({ session: root, agents: [{ id: 'x', use: 'helper', task: 't' }] }),
      ]
      const { last_seq: before } = await owner.log.list({ session: root, limit: 1 })
      for (const [at, attempt] of tries.entries())
        expect([at, (await refused(attempt())).code]).toEqual([at, 'forbidden'])
      expect((await owner.log.list({ session: root, limit: 1 })).last_seq).toBe(before)
      expect(await statusesOf(owner, root)).toEqual(['running', 'resumable', 'created'])
      expect(await progressOf(owner, root, 1)).toMatchObject({ parked: expect.stringContaining('approval') })
    })

    it('S0-36 adds no more agents at once than a batch has operations, and none below too deep a tree', async () => {
      const { as } = await withAgent(await store().openLog({ limits: { batch: 3, treeDepth: 3 } }))
      const agents = Array.from({ length: 4 }, (_, at) => ({ id: `more-${at}`, use: 'helper', task: 't' }))
      expect(await refused(as.workflow.extend({ agents }))).toMatchObject({ details: { limit: 'batch' } })
      const { agents: added } = await as.workflow.extend({ agents: agents.slice(0, 3) })
      const deep = { session: added[0]?.session_id as string, use: 'helper', task: 't' }
      expect(await refused(as.session.spawn(deep))).toMatchObject({ details: { limit: 'treeDepth' } })
    })
  })
}
