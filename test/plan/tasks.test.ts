// Tasks as workers see them: claimed, done, blocked and reset, on both stores.
import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { freshStore, STORES } from '../setup/stores.ts'
import { claimed } from './claimed.ts'

async function idsReady(cairn: Cairn): Promise<string[]> {
  return (await cairn.task.ready({})).tasks.map(({ id }) => id)
}

/** The facts of a stream that say where the work is. */
async function positions(cairn: Cairn): Promise<unknown[]> {
  const { events } = await cairn.log.list({ stream: 'journal', since: 0 })
  return events.map(({ data }) => data)
}

for (const kind of STORES) {
  describe(`tasks on ${kind.name}`, () => {
    const store = freshStore(kind)

    it('S2-24 S2-25 a claimed task is the position of the work, and when it is done the next one is', async () => {
      const { cairn } = await newRoot(store())
      await cairn.task.add({ text: 'Write the lexer' })
      await cairn.task.add({ text: 'Write the parser\nas the grammar says', after: ['task-001'] })
      expect(await cairn.task.claim({})).toMatchObject({
        id: 'task-001',
        text: 'Write the lexer',
        phase: 3,
        status: 'claimed',
      })
      expect(await refused(cairn.task.claim({}))).toMatchObject({
        code: 'not_found',
        message: 'No task is ready: 1 wait for others, 1 are claimed, 0 are blocked.',
      })
      const done = await cairn.task.done({ task: '1', result: 'src/lexer.ts' })
      expect(done).toMatchObject({ id: 'task-001', next: { id: 'task-002' } })
      expect((await cairn.task.list({})).tasks).toMatchObject([
        { id: 'task-001', status: 'done', result: 'src/lexer.ts', ready: false },
        { id: 'task-002', status: 'open', after: ['task-001'], ready: true },
      ])
      await cairn.task.claim({})
      await cairn.task.done({})
      expect(await positions(cairn)).toEqual([
        { phase: 3, task: 'task-001 Write the lexer', wave: 1, status: 'in_progress' },
        { task: 'task-002 Write the parser', status: 'open' },
        { status: 'in_progress' },
        { task: null, wave: null, status: null },
      ])
    })

    it('S2-10 the waves of a plan come one after the other, and plans side by side', async () => {
      const { cairn } = await newRoot(store())
      await cairn.plan.add({ name: 'API', phase: 'build' })
      await cairn.plan.add({ name: 'CLI', phase: '3' })
      const add = (plan: string, wave: number) =>
        cairn.task.add({ text: `${plan} ${wave}`, phase: 'build', plan, wave })
      await add('API', 2)
      await add('API', 1)
      await add('CLI', 3)
      await add('API', 1)
      expect(await idsReady(cairn)).toEqual(['task-002', 'task-004', 'task-003'])
      expect(await refused(cairn.task.claim({ task: '1' }))).toMatchObject({ code: 'illegal_transition' })
      for (const task of ['2', '4']) await finish(cairn, task)
      expect(await idsReady(cairn)).toEqual(['task-001', 'task-003'])
      const { phases, tasks } = await cairn.plan.show({})
      expect(tasks).toEqual({ tasks: 4, open: 2, claimed: 0, blocked: 0, done: 2 })
      expect((phases as { plans: unknown }[])[2]?.plans).toMatchObject([
        { plan: 1, name: 'API', tasks: { tasks: 3, done: 2 } },
        { plan: 2, name: 'CLI', tasks: { tasks: 1, done: 0 } },
      ])
    })

    it('U24 nobody is handed a task before those it waits for are done, and reopening one holds back the others again', async () => {
      const { cairn } = await newRoot(store())
      for (const text of ['a', 'b']) await cairn.task.add({ text })
      await cairn.task.add({ text: 'c', after: ['1', 'task-002'] })
      expect(await refused(cairn.task.claim({ task: '3' }))).toMatchObject({
        code: 'illegal_transition',
        details: { waits_for: ['task-001', 'task-002'] },
      })
      for (const task of ['1', '2']) await finish(cairn, task)
      expect(await idsReady(cairn)).toEqual(['task-003'])
      expect(await cairn.task.reset({ task: '2', reason: 'The tests fail.' })).toMatchObject({
        was: 'done',
        why: 'reopened',
      })
      expect(await idsReady(cairn)).toEqual(['task-002'])
    })

    it('only the session that claimed a task says that it is done, or whoever has its token', async () => {
      const { cairn, session } = await newRoot(store())
      const [one, two] = [await newChild(cairn, session), await newChild(cairn, session)]
      await cairn.task.add({ text: 'a' })
      const { token } = await claimed(cairn, { session: one })
      expect(await refused(cairn.task.claim({ session: two, task: '1' }))).toMatchObject({ code: 'held_by_other' })
      expect(await refused(cairn.task.done({ session: two, task: '1' }))).toMatchObject({ code: 'held_by_other' })
      expect(await refused(cairn.task.progress({ session: two, task: '1' }))).toMatchObject({ code: 'held_by_other' })
      expect(await refused(cairn.task.claim({ session: one, task: '1' }))).toMatchObject({ code: 'held_by_other' })
      const again = await claimed(cairn, { session: one, reclaim: true })
      expect(again).toMatchObject({ id: 'task-001' })
      const write = (fence: string) => cairn.state.set({ session: one, key: 'k', value: 1, fence })
      expect(await refused(write(`task/1:${token}`))).toMatchObject({ code: 'fenced' })
      await write(`task/1:${again.token}`)
      expect(await refused(cairn.task.done({ session: one, task: '1', token: String(token) }))).toMatchObject({
        code: 'fenced',
      })
      await cairn.task.progress({ session: one, note: 'half of it' })
      await cairn.task.done({ session: two, task: '1', token: String(again.token) })
      expect(await refused(write(`task/1:${again.token}`))).toMatchObject({ code: 'fenced' })
      expect(await refused(cairn.task.done({ session: one, task: '1' }))).toMatchObject({ code: 'illegal_transition' })
    })

    it('where all tasks are done, whoever claims is told so: a pool of workers ends', async () => {
      const { cairn } = await newRoot(store())
      expect(await refused(cairn.task.claim({}))).toMatchObject({ code: 'not_found', details: { tasks: 0 } })
      await cairn.task.add({ text: 'a' })
      await finish(cairn, '1')
      expect(await cairn.task.claim({})).toEqual({ id: null })
      expect(await cairn.task.wait({ timeout: '0' })).toMatchObject({ id: null, tasks: 1, done: 1 })
      await cairn.task.add({ text: 'b' })
      expect(await cairn.task.claim({})).toMatchObject({ id: 'task-002' })
    })

    it('who waits for a task hears of one that is added, given back or no longer waits for another, and of the last', async () => {
      const { cairn } = await newRoot(store())
      expect(await refused(cairn.task.wait({ timeout: '0' }))).toMatchObject({ code: 'timeout', details: { open: 0 } })
      const ready = () => cairn.task.wait({ timeout: '1m' }).then(({ id }) => id)
      const added = ready()
      await cairn.task.add({ text: 'a' })
      expect(await added).toBe('task-001')
      await cairn.task.add({ text: 'b', after: ['1'] })
      await cairn.task.claim({})
      expect(await refused(cairn.task.wait({ timeout: '1ms' }))).toMatchObject({
        code: 'timeout',
        message: 'Timed out after 1ms, no task is ready: 1 wait for others, 1 are claimed, 0 are blocked.',
      })
      const back = ready()
      await cairn.task.reset({ task: '1' })
      expect(await back).toBe('task-001')
      await cairn.task.claim({})
      const next = ready()
      await cairn.task.done({})
      expect(await next).toBe('task-002')
      await cairn.task.claim({})
      const last = ready()
      await cairn.task.done({})
      expect(await last).toBe(null)
    })

    it('64 who claim at once get 64 tasks, in the order of work, and nobody gets one twice', async () => {
      const { cairn } = await newRoot(store())
      for (let no = 1; no <= 70; no++) await cairn.task.add({ text: `task ${no}`, wave: no <= 66 ? 1 : 2 })
      for (const task of ['3', '5']) await cairn.task.claim({ task })
      const claims = await Promise.allSettled(Array.from({ length: 66 }, () => cairn.task.claim({})))
      const ids = claims.flatMap((claim) => (claim.status === 'fulfilled' ? [claim.value.id] : []))
      expect(ids).toHaveLength(64)
      expect(new Set(ids).size).toBe(64)
      expect([...ids].sort()).not.toContain('task-067')
      const lost = claims.filter(({ status }) => status === 'rejected')
      expect(lost).toHaveLength(2)
    })

    it('S2-53 S2-54 a blocked task is nobody’s, and a phase of which all that is left is blocked is paused until it is not', async () => {
      const { cairn } = await newRoot(store())
      for (const phase of ['spec', 'plan', 'build']) await cairn.phase.enter({ phase })
      for (const text of ['a', 'b']) await cairn.task.add({ text })
      const { token } = await claimed(cairn, { task: '1' })
      expect(await cairn.task.block({ task: '1', reason: 'No access.' })).toMatchObject({
        paused_phases: [],
        all_blocked: false,
      })
      expect(await refused(cairn.task.done({ task: '1', token: String(token) }))).toMatchObject({
        code: 'illegal_transition',
      })
      expect(await cairn.task.block({ task: '2' })).toMatchObject({ paused_phases: [3], all_blocked: true })
      expect(await refused(cairn.task.claim({ task: '1' }))).toMatchObject({
        message: 'task-001 is blocked: No access.',
      })
      expect((await cairn.phase.list({})).current).toBe('build')
      expect((await phaseNamed(cairn, 'build')).state).toBe('paused')
      expect(await cairn.task.reset({ task: '2' })).toMatchObject({ was: 'blocked', why: 'unblocked' })
      expect((await phaseNamed(cairn, 'build')).state).toBe('running')
      expect(await idsReady(cairn)).toEqual(['task-002'])
    })

    it('reads of the past know the plan as it was, and so does a fork', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.task.add({ text: 'a' })
      await cairn.task.add({ text: 'b', after: ['1'] })
      const at = (await cairn.log.list({ limit: 1 })).last_seq
      await finish(cairn, '1')
      const then = await cairn.task.list({ at })
      expect(then.tasks).toMatchObject([
        { status: 'open', ready: true },
        { status: 'open', ready: false },
      ])
      expect((await cairn.task.ready({ at })).tasks).toMatchObject([{ id: 'task-001' }])
      const { session_id: fork } = await cairn.session.fork({ session, at })
      expect((await cairn.task.list({ session: String(fork) })).tasks).toEqual(then.tasks)
      const claimed = await cairn.task.claim({ session: String(fork) })
      expect(claimed).toMatchObject({ id: 'task-001' })
      await cairn.task.done({ session: String(fork), task: '1' })
      expect((await cairn.task.ready({ session: String(fork) })).tasks).toMatchObject([{ id: 'task-002' }])
    })
  })
}

async function finish(cairn: Cairn, task: string): Promise<void> {
  await cairn.task.claim({ task })
  await cairn.task.done({ task })
}

async function phaseNamed(cairn: Cairn, wanted: string) {
  const { phases } = await cairn.phase.list({})
  return phases.find(({ name }) => name === wanted) as (typeof phases)[number]
}
