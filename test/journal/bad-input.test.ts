// What a journal does not take: a code, a message and a hint each, and nothing is recorded.
import { expect, it } from 'vitest'
import { lastSeq, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

for (const kind of STORES) {
  const store = sharedStore(kind)

  it(`refuses what is no entry, and records nothing of it, on ${kind.name}`, async () => {
    const { cairn } = await newRoot(store())
    const before = await lastSeq(cairn)
    const words = { context: 'c', reason: 'r' }
    const bad: Promise<unknown>[] = [
      cairn.journal.note({ text: 'x'.repeat(1024 * 1024) }),
      cairn.journal.note({ text: 'a \u001b[31m red' }),
      cairn.journal.note({ text: ' \n ' }),
      cairn.journal.update({}),
      cairn.journal.update({ files: ['../secret'] }),
      cairn.journal.update({ files: ['/etc/passwd'] }),
      cairn.journal.update({ files: Array.from({ length: 101 }, (_, at) => `f${at}`) }),
      cairn.decision.add({ ...words, decision: 'x', kind: 'whim' as never }),
      cairn.decision.add({ ...words, decision: 'x', supersedes: 'block-001' }),
      cairn.decision.add({ ...words, decision: `token ghp_${'a'.repeat(36)}` }),
      cairn.blocker.add({ description: 'x', affects: [''] }),
      cairn.blocker.add({ description: 'x', affects: ['task-007'] }),
      cairn.blocker.resolve({ blocker: 'block-1x', resolution: 'r' }),
      cairn.journal.answer({ question: 'question-001', answer: 'a' }),
      cairn.sitting.end({ sitting: 'session-009' }),
      cairn.sitting.end({ context_usage: 1.5 }),
      cairn.journal.brief({ max_tokens: 10 }),
      cairn.journal.brief({ since: 999 }),
      cairn.journal.brief({ at: 999 }),
    ]
    const codes = await Promise.all(bad.map(async (each) => (await refused(each)).code))
    const known = ['invalid_input', 'not_found', 'looks_like_secret', 'history_lost']
    expect(codes.filter((code) => !known.includes(code))).toEqual([])
    expect(await lastSeq(cairn)).toBe(before)
  })

  it(`holds the entries of each kind to the limit journalEntries on ${kind.name}`, async () => {
    const { cairn } = await newRoot(store(), { limits: { journalEntries: 2 } })
    for (const text of ['one', 'two']) await cairn.journal.note({ text })
    const full = await refused(cairn.journal.note({ text: 'three' }))
    expect(full.details).toMatchObject({ limit: 'journalEntries', limit_value: 2 })
    await cairn.journal.update({ questions: ['a', 'b'] })
    expect((await refused(cairn.journal.update({ questions: ['c'] }))).code).toBe('invalid_input')
  })
}
