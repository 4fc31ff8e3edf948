import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { newChild, refused } from '../setup/roots.ts'
import { freshStore, STORES, sharedStore } from '../setup/stores.ts'

const workflow = {
  objective: 'Make the parser faster',
  strategy: 'adaptive',
  max_parallel: 2,
  agents: [
    { id: 'profile', role: 'researcher', run: ['sh', '-c', 'true'] },
    { id: 'Fix', role: 'worker', run: ['true'], depends_on: ['profile'], task: 'Speed it up.\nAll of it.' },
    { id: 'check', role: 'worker', run: ['true'], depends_on: ['Fix'] },
  ],
}

async function planned(cairn: Cairn, more: object = {}) {
  return cairn.session.create({ topic: 'faster parser', workflow, ...more })
}

async function rowsOf(cairn: Cairn, session: string, at?: number) {
  const { tables } = await cairn.log.rows({ session, part: 'workflow', ...(at !== undefined && { at }) })
  return tables as Record<string, Record<string, unknown>[]>
}

for (const kind of STORES) {
  describe(`a root with a workflow on ${kind.name}`, () => {
    const store = sharedStore(kind)
    const other = freshStore(kind)

    it('S1-29 S1-32 S1-33 S1-34 is created with all its agents at once, and nothing runs yet', async () => {
      const cairn = await store().open()
      const made = await planned(cairn)
      expect(made.status).toBe('created')
      const tree = await cairn.session.tree({ session: made.session_id })
      expect(tree).toMatchObject({ status: 'created', strategy: 'adaptive', objective: 'Make the parser faster' })
      expect(tree.children.map(({ status, topic }) => [status, topic])).toEqual([
        ['created', 'sh -c true'],
        ['created', 'Speed it up.'],
        ['created', 'true'],
      ])
      const { agents, agent_progress, agent_roles } = await rowsOf(cairn, made.session_id)
      expect(agents?.map(({ id, role, phase }) => [id, role, phase])).toEqual([
        ['profile', 'researcher', null],
        ['Fix', 'worker', null],
        ['check', 'worker', null],
      ])
      expect(agent_progress).toEqual([])
      expect(agent_roles).toEqual([
        { role: 'researcher', agents: 1 },
        { role: 'worker', agents: 2 },
      ])
    })

    it('S1-55 S1-30 U61 names its agents by role and number, and knows them by their ids and names', async () => {
      const cairn = await store().open()
      const { session_id: root } = await planned(cairn)
      const { children } = await cairn.session.tree({ session: root })
      const names = children.map(({ session_name }) => session_name)
      expect(names[0]).toMatch(/^agent_researcher_1_[0-9a-f]{6}$/)
      expect(names[1]).toMatch(/^agent_worker_1_[0-9a-f]{6}$/)
      expect(names[2]).toMatch(/^agent_worker_2_[0-9a-f]{6}$/)
      const inRoot = await store().open({ session: root })
      for (const name of ['fix', 'FIX', names[1] as string, children[1]?.session_id as string])
        expect((await inRoot.session.show({ session: name })).session_id).toBe(children[1]?.session_id)
    })

    it('refuses what is no workflow, a second agent of a name, more than fit, and one below another session', async () => {
      const cairn = await store().open({ limits: { agents: 2 } })
      const agents = [{ id: 'a', run: ['true'] }]
      expect(await refused(cairn.session.create({ topic: 't', workflow: { agents: [{ id: 'a' }] } }))).toMatchObject({
        code: 'invalid_input',
        details: { path: 'agents[0]' },
      })
      expect(await refused(cairn.session.create({ topic: 't', name: 'A', workflow: { agents } }))).toMatchObject({
        code: 'already_exists',
      })
      expect(await refused(planned(cairn))).toMatchObject({ code: 'invalid_input', details: { limit: 'agents' } })
      const { session_id: parent } = await cairn.session.create({ topic: 't' })
      expect(await refused(cairn.session.create({ topic: 't', parent, workflow: { agents } }))).toMatchObject({
        code: 'invalid_input',
        details: { path: 'workflow' },
      })
      const { session_id } = await cairn.session.create({ topic: 't', workflow: { agents } })
      expect(await refused(newChild(cairn, session_id, 'a'))).toMatchObject({ code: 'already_exists' })
    })

    it('is the same elsewhere, and in a fork with ids of its own', async () => {
      const cairn = await store().open()
      const { session_id: session } = await planned(cairn, { initial_state: { done: 0 } })
      const { events } = await cairn.log.list({ session, since: 0, limit: 1000 })
      const there = await other().open()
      await there.log.adopt({ root: session, events })
      expect(await rowsOf(there, session)).toEqual(await rowsOf(cairn, session))
      const bare = ({ children }: Awaited<ReturnType<Cairn['session']['tree']>>) =>
        children.map(({ session_id, session_name }) => [session_id, session_name])
      expect(bare(await there.session.tree({ session }))).toEqual(bare(await cairn.session.tree({ session })))
      const fork = await cairn.session.fork({ session })
      expect(await rowsOf(cairn, fork.session_id)).toEqual(await rowsOf(cairn, session))
      const inFork = await store().open({ session: fork.session_id })
      expect((await inFork.session.show({ session: 'check' })).root_session_id).toBe(fork.session_id)
    })

    it('is not taken in with facts that no root records', async () => {
      const cairn = await store().open()
      const { session_id: session } = await planned(cairn)
      const seq = (await cairn.log.list({ session, limit: 1 })).last_seq
      const early = await rowsOf(cairn, session, seq - 1)
      expect(early.agents).toHaveLength(2)
    })
  })
}
