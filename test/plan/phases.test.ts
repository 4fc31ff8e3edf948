// Which phase may follow which: one table, tried from each phase to each other, for every type of session.
import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { freshStore, STORES } from '../setup/stores.ts'

type Type = 'full' | 'quick' | 'research'

/** How to get to a phase, and what may follow without going back. */
const legal: Readonly<Record<Type, readonly (readonly [way: string, next: string])[]>> = {
  full: [
    ['', 'spec'],
    ['spec', 'plan'],
    ['spec plan', 'build'],
    ['spec plan build', 'docs complete'],
    ['spec plan build docs', 'complete'],
    ['spec plan build complete', ''],
  ],
  quick: [
    ['', 'plan'],
    ['plan', 'build'],
    ['plan build', 'complete'],
    ['plan build complete', ''],
  ],
  research: [
    ['', 'spec'],
    ['spec', 'complete'],
    ['spec complete', ''],
  ],
}

const cases = Object.entries(legal).flatMap(([type, rows]) =>
  rows.map(([way, next]) => ({
    type: type as Type,
    way: way.split(' ').filter(Boolean),
    next: next.split(' ').filter(Boolean),
  })),
)
const kinds = ['spec', 'plan', 'build', 'docs', 'complete']

async function statesOf(cairn: Cairn, session?: string): Promise<Record<string, string>> {
  const { phases } = await cairn.phase.list(session === undefined ? {} : { session })
  return Object.fromEntries(phases.map(({ name, state }) => [name, state]))
}

for (const kind of STORES) {
  describe(`phases on ${kind.name}`, () => {
    const store = freshStore(kind)

    it.each(cases)('U47 S4-58 $type after $way goes on to: $next, and to nothing else', async ({ type, way, next }) => {
      const { cairn } = await newRoot(store())
      const at = async () => {
        const { session_id: session } = await cairn.session.create({ topic: 'a test', type })
        for (const phase of way) await cairn.phase.enter({ session, phase })
        return session
      }
      const own = legal[type].flatMap(([, each]) => each.split(' '))
      const session = await at()
      for (const phase of kinds.filter((each) => each !== way.at(-1) && !next.includes(each))) {
        const refusal = await refused(cairn.phase.enter({ session, phase }))
        expect(refusal.code).toBe(own.includes(phase) ? 'illegal_transition' : 'not_found')
        if (refusal.code === 'illegal_transition') expect(refusal.details.legal).toEqual(next)
      }
      for (const phase of next) {
        const each = phase === next[0] ? session : await at()
        const state = phase === 'complete' ? 'completed' : 'running'
        expect(await cairn.phase.enter({ session: each, phase })).toMatchObject({ name: phase, state })
        const states = await statesOf(cairn, each)
        for (const before of way) expect(states[before]).toBe('completed')
        if (phase === 'complete' && type === 'full' && !way.includes('docs')) expect(states.docs).toBe('skipped')
      }
    })

    it('U47 going back needs a reason, and what was left is planned again', async () => {
      const { cairn } = await newRoot(store())
      for (const phase of ['spec', 'plan', 'build']) await cairn.phase.enter({ phase })
      expect(await refused(cairn.phase.enter({ phase: 'spec' }))).toMatchObject({
        code: 'illegal_transition',
        details: { reopen: true },
      })
      expect(await cairn.phase.enter({ phase: 'spec', reopen: 'The goals changed.' })).toMatchObject({
        from: 'build',
        reason: 'The goals changed.',
      })
      expect(await statesOf(cairn)).toEqual({
        spec: 'running',
        plan: 'completed',
        build: 'planned',
        docs: 'planned',
        complete: 'planned',
      })
      for (const phase of ['plan', 'build', 'complete']) await cairn.phase.enter({ phase })
      expect(await cairn.phase.enter({ phase: 'docs', reopen: 'They are wanted after all.' })).toMatchObject({
        state: 'running',
      })
      expect(await cairn.phase.enter({ phase: 'complete' })).toMatchObject({ state: 'completed' })
    })

    it('entering the phase that the work is in changes nothing', async () => {
      const { cairn } = await newRoot(store())
      await cairn.phase.enter({ phase: 'spec' })
      const before = (await cairn.log.list({ limit: 1 })).last_seq
      expect(await cairn.phase.enter({ phase: 'SPEC' })).toMatchObject({ changed: false })
      expect((await cairn.log.list({ limit: 1 })).last_seq).toBe(before)
    })

    it('C4 a root may have phases of its own instead of the fixed ones, or besides them once those have begun', async () => {
      const { cairn } = await newRoot(store())
      for (const name of ['Research', 'Build']) await cairn.phase.add({ name })
      expect(await refused(cairn.phase.add({ name: 'research' }))).toMatchObject({ code: 'already_exists' })
      expect(await statesOf(cairn)).toEqual({ Research: 'planned', Build: 'planned' })
      await cairn.task.add({ text: 'Look', phase: '1' })
      await cairn.task.claim({})
      expect(await statesOf(cairn)).toEqual({ Research: 'running', Build: 'planned' })
      expect(await cairn.phase.enter({ phase: '2' })).toMatchObject({ name: 'Build', from: 'Research' })
      expect(await refused(cairn.phase.enter({ phase: 'Research' }))).toMatchObject({ details: { reopen: true } })
      expect(await refused(cairn.phase.enter({ phase: 'spec' }))).toMatchObject({ code: 'not_found' })
      const { session_id: session } = await cairn.session.create({ topic: 'fixed ones' })
      await cairn.phase.enter({ session, phase: 'spec' })
      expect(await cairn.phase.add({ session, name: 'Polish' })).toMatchObject({ phase: 6 })
      expect(Object.keys(await statesOf(cairn, session))).toEqual([...kinds, 'Polish'])
    })

    it('S2-31 S4-51 a phase that is completed leaves the position without a task', async () => {
      const { cairn } = await newRoot(store())
      for (const phase of ['spec', 'plan', 'build']) await cairn.phase.enter({ phase })
      await cairn.task.add({ text: 'a' })
      await cairn.task.claim({})
      expect(await cairn.phase.done({})).toMatchObject({ name: 'build', state: 'completed', changed: true })
      expect(await cairn.phase.done({ phase: 'build' })).toMatchObject({ changed: false })
      expect(await refused(cairn.phase.done({ phase: 'docs' }))).toMatchObject({ code: 'illegal_transition' })
      const { events } = await cairn.log.list({ stream: 'journal', since: 0 })
      expect(events.at(-1)?.data).toMatchObject({ task: null, wave: null, status: 'completed' })
    })

    it('a root that never uses its plan has no rows of it, and one that is forked keeps its phases', async () => {
      const { cairn } = await newRoot(store())
      const { session_id: session } = await cairn.session.create({ topic: 'a test', type: 'quick' })
      for (const table of ['phases', 'plan_totals', 'manifests', 'tasks'])
        expect(await store().sql(`SELECT * FROM ${table}`)).toEqual([])
      expect(await statesOf(cairn, session)).toEqual({ plan: 'planned', build: 'planned', complete: 'planned' })
      await cairn.phase.enter({ session, phase: 'plan' })
      await cairn.phase.enter({ session, phase: 'build' })
      const { session_id: fork } = await cairn.session.fork({ session, at: 3 })
      expect(await statesOf(cairn, String(fork))).toEqual({ plan: 'running', build: 'planned', complete: 'planned' })
    })
  })
}
