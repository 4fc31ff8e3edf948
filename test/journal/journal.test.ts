// The journal of a root: what each operation records, what follows from it by itself, and what is refused.
import { describe, expect, it } from 'vitest'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

const decision = { decision: 'Use SQLite', context: 'Storage', reason: 'One file' }

for (const kind of STORES) {
  describe(`the journal on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S2-26 S2-34 S2-45 S2-50 keeps decisions with what else there was; one takes the place of another once', async () => {
      const { cairn } = await newRoot(store())
      const alternatives = ['Postgres: needs a server', { text: 'files', why_not: 'no transactions' }]
      expect(await cairn.addDecision({ ...decision, kind: 'technology' })).toMatchObject({ id: 'decision-001' })
      await cairn.decision.add({
        ...decision,
        alternatives: alternatives as never,
        irreversible: true,
        supersedes: '1',
      })
      const { decisions } = await cairn.decision.list({})
      expect(decisions).toMatchObject([
        {
          id: 'decision-002',
          kind: 'architecture',
          reversible: false,
          supersedes: 'decision-001',
          alternatives: [
            { text: 'Postgres', why_not: 'needs a server' },
            { text: 'files', why_not: 'no transactions' },
          ],
        },
      ])
      const again = await refused(cairn.decision.add({ ...decision, supersedes: 'decision-001' }))
      expect([again.code, again.details.superseded_by]).toEqual(['illegal_transition', 'decision-002'])
      expect((await refused(cairn.decision.add({ ...decision, supersedes: '9' }))).code).toBe('not_found')
      expect((await cairn.decision.list({ all: true })).decisions).toHaveLength(2)
      await store().verify()
    })

    it('S2-27 S2-28 S2-35 S2-51 C24 keeps blockers for ever, and moves them only as the table says', async () => {
      const { cairn } = await newRoot(store())
      const legal = { active: ['bypassed', 'resolved'], bypassed: ['resolved'], resolved: [] as string[] }
      const to = {
        bypassed: (blocker: string) => cairn.blocker.bypass({ blocker, workaround: 'around' }),
        resolved: (blocker: string) => cairn.blocker.resolve({ blocker, resolution: 'gone' }),
      }
      for (const [from, allowed] of Object.entries(legal)) {
        for (const next of ['bypassed', 'resolved'] as const) {
          const { id } = await cairn.addBlocker({ description: 'no key', affects: ['docs'] })
          if (from !== 'active') await to[from as 'bypassed'](id)
          if (allowed.includes(next)) expect(await to[next](id)).toMatchObject({ id, status: next })
          else expect((await refused(to[next](id))).details).toMatchObject({ from, to: next, legal: allowed })
        }
      }
      expect((await cairn.blocker.list({ all: true })).blockers).toHaveLength(6)
      expect((await cairn.blocker.list({})).blockers.map(({ status }) => status)).toEqual(['bypassed', 'bypassed'])
      expect((await refused(to.resolved('block-099'))).code).toBe('not_found')
      await store().verify()
    })

    it('S2-53 S2-54 S2-55 a blocker blocks its tasks, pauses a phase of which nothing is left, and needs a person when nothing can go on', async () => {
      const { cairn } = await newRoot(store())
      await cairn.phase.add({ name: 'Build' })
      const { phases } = await cairn.phase.list({})
      const phase = String((phases as { phase: number }[])[0]?.phase)
      const first = (await cairn.task.add({ text: 'lexer', phase })).id
      const second = (await cairn.task.add({ text: 'parser', phase })).id
      await cairn.task.claim({ task: first })
      const one = await cairn.blocker.add({ description: 'no key', affects: [first] })
      expect(one).toMatchObject({ blocked_tasks: [first], paused_phases: [] })
      expect(one).not.toHaveProperty('need')
      expect((await cairn.need.list({})).needs).toEqual([])
      const two = await cairn.blocker.add({ description: 'no grammar', tasks: [second] })
      expect(two).toMatchObject({ blocked_tasks: [second], paused_phases: [Number(phase)], need: 'need-001' })
      const { needs } = await cairn.need.list({})
      expect(needs).toMatchObject([{ id: 'need-001', kind: 'blocker', text: 'no grammar', about: 'blocker/2' }])
      expect((await cairn.need.all({})).needs.map(({ text }) => text)).toContain('no grammar')
      const solved = await cairn.blocker.resolve({ blocker: two.id, resolution: 'written' })
      expect(solved).toMatchObject({ open_tasks: [second] })
      expect((await cairn.need.list({})).needs).toEqual([])
      expect(await cairn.blocker.bypass({ blocker: one.id, workaround: 'recorded answers' })).toMatchObject({
        open_tasks: [first],
      })
      await store().verify()
    })

    it('S2-24 S2-33 S2-5 S2-9 the position moves by itself with tasks, and by hand; what is not said stays', async () => {
      const { cairn } = await newRoot(store())
      await cairn.updateState({ position: { phase: 2, plan: 1, task: 'lexer', wave: 1, status: 'in_progress' } })
      await cairn.updateState({ position: { task: 'parser', wave: null } })
      const { position } = await cairn.journal.show({})
      expect(position).toMatchObject({ phase: 2, plan: 1, task: 'parser', wave: null, status: 'in_progress' })
      const { id } = await cairn.task.add({ text: 'numbers' })
      await cairn.task.claim({ task: id })
      expect((await cairn.journal.show({})).position?.task).toContain('numbers')
      expect((await refused(cairn.journal.position({}))).code).toBe('invalid_input')
    })

    it('S2-29 S2-30 S2-56 S2-57 S2-58 C33 a sitting is numbered, and more than half of the context is an issue of it', async () => {
      const { cairn, session } = await newRoot(store())
      expect(await cairn.sitting.start({ working_on: 'lexer' })).toMatchObject({
        id: 'session-001',
        resumed_from: null,
      })
      const ended = await cairn.sitting.end({
        context_usage: 0.51,
        completed: ['lexer'],
        issues: ['slow tests'],
        handoff: 'Context limit reached',
      })
      expect(ended).toMatchObject({
        id: 'session-001',
        session_id: session,
        status: 'completed',
        context_usage: 0.51,
        completed: ['lexer'],
        handoff_reason: 'Context limit reached',
      })
      expect(ended.issues).toEqual([expect.stringMatching(/quality may have degraded/), 'slow tests'])
      await cairn.sitting.start({})
      expect((await cairn.sitting.end({ context_usage: 0.5 })).issues).toEqual([])
      expect((await refused(cairn.sitting.end({}))).code).toBe('not_found')
      await store().verify()
    })

    it('S2-76 S2-77 who sits down after a crash is told so, and two crashes are taken up one each', async () => {
      const { cairn, session } = await newRoot(store())
      const [a, b] = [await newChild(cairn, session, 'a'), await newChild(cairn, session, 'b')]
      await cairn.sitting.start({ session: a })
      await cairn.sitting.start({ session: b })
      await cairn.sitting.end({ session: a, crashed: true, notes: 'Agent unresponsive, task reset' })
      await cairn.sitting.end({ session: b, sitting: 'session-002', crashed: true })
      expect(await cairn.sitting.start({ session: a })).toMatchObject({
        resumed_from: 'session-001',
        notes: 'Resuming from session-001 crash',
      })
      expect(await cairn.sitting.start({ session: b })).toMatchObject({ resumed_from: 'session-002' })
      expect(await cairn.sitting.start({ session })).toMatchObject({ resumed_from: null })
      // One that is begun while the last was never ended takes that one up; nothing of it is in memory here.
      const later = await store().open({ session })
      expect(await later.sitting.start({ session: a })).toMatchObject({ resumed_from: 'session-003' })
      const { sittings } = await cairn.sitting.list({})
      expect(sittings.find(({ id }) => id === 'session-001')).toMatchObject({
        status: 'crashed',
        notes: 'Agent unresponsive, task reset',
      })
      await store().verify()
    })

    it('S2-72 S2-20 S2-21 S2-23 keeps what to go on from: files, what was built, questions, checks, notes', async () => {
      const { cairn } = await newRoot(store())
      await cairn.journal.update({
        files: ['src/a.ts', 'src/b.ts'],
        implementations: [{ text: 'A lexer', file: 'src/a.ts', contains: 'class Lexer' }],
        questions: ['Which encoding?', 'How large?'],
        verified: [{ text: 'npm test', details: '212 passed' }],
        failed: ['lint' as never],
        next: 'Measure it',
        note: 'The lexer is slow.',
      })
      await cairn.journal.update({ clear: ['files'], files: ['src/c.ts'] })
      await cairn.journal.answer({ question: 'question-001', answer: 'UTF-8' })
      const shown = await cairn.journal.show({})
      expect(shown.resume_context.files.map(({ file }) => file)).toEqual(['src/c.ts'])
      expect(shown.resume_context.open_questions.map(({ id }) => id)).toEqual(['question-002'])
      expect(shown.resume_context.implementations).toMatchObject([{ file: 'src/a.ts', contains: 'class Lexer' }])
      expect(shown.verifications).toMatchObject([{ text: 'lint', passed: false }, { passed: true }])
      expect(shown.next_action).toMatchObject({ text: 'Measure it' })
      const twice = await refused(cairn.journal.answer({ question: '1', answer: 'UTF-16' }))
      expect(twice.code).toBe('illegal_transition')
      await store().verify()
    })

    it('a fork has the journal as of its point, and what is read of the past is what was there', async () => {
      const { cairn, session } = await newRoot(store())
      const { seq } = await cairn.addDecision(decision)
      const before = await cairn.journal.show({})
      const brief = await cairn.journal.brief({})
      await cairn.decision.add({ ...decision, decision: 'Use Postgres', supersedes: '1' })
      await cairn.addBlocker({ description: 'no key' })
      await cairn.journal.update({ next: 'later', questions: ['why?'] })
      expect(await cairn.journal.show({ at: seq })).toEqual(before)
      expect((await cairn.journal.brief({ at: seq })).text).toBe(brief.text)
      const fork = await cairn.session.fork({ session, at: seq })
      const forked = { session: fork.session_id }
      expect((await cairn.decision.list(forked)).decisions.map(({ decision: text }) => text)).toEqual(['Use SQLite'])
      expect((await cairn.blocker.add({ ...forked, description: 'other' })).id).toBe('block-001')
      await store().verify()
    })
  })
}
