// A conversation as whoever records and resumes one meets it.
import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { removeRoot } from '../forks/pictures.ts'
import { secrets } from '../setup/planted-secrets.ts'
import { lastSeq, newChild, newRoot, refused, rootNumber } from '../setup/roots.ts'
import { freshStore, STORES, sharedStore } from '../setup/stores.ts'

const twoCalls = [
  { type: 'text', text: 'I look.' },
  { type: 'tool_use', id: 'c1', name: 'ls', input: { path: '.' } },
  { type: 'tool_use', id: 'c2', name: 'cat', input: { path: 'a.ts' } },
]

/** System, user, an assistant that calls two tools, and their results: versions 1 to 7. */
async function talk(cairn: Cairn, session: string): Promise<void> {
  await cairn.context.append({ session, role: 'system', content: 'Be brief.' })
  await cairn.context.append({ session, role: 'user', content: 'What is here?' })
  await cairn.context.append({ session, role: 'assistant', content: twoCalls, id: 'msg_1' })
  await cairn.context.append({ session, role: 'tool', tool_call_id: 'c1', content: 'a.ts' })
  await cairn.context.append({ session, role: 'tool', tool_call_id: 'c2', content: 'export {}' })
}

async function texts(cairn: Cairn, session: string, more: object = {}): Promise<unknown[]> {
  const { messages } = await cairn.context.show({ session, format: 'text', ...more })
  return (messages as { content: string }[]).map(({ content }) => content)
}

for (const kind of STORES) {
  describe(`a conversation on ${kind.name}`, () => {
    const store = sharedStore(kind)
    const other = freshStore(kind)

    it('S3-2 S3-3 S3-8 S3-9 S3-10 S3-11 S3-12 has a number for each message, call and result, and the form that was given', async () => {
      const { cairn, session } = await newRoot(store())
      await talk(cairn, session)
      const { messages, system, last_sequence, format } = await cairn.context.show({ session })
      expect([last_sequence, format, system]).toEqual([7, 'anthropic', 'Be brief.'])
      expect(messages).toEqual([
        { role: 'user', content: 'What is here?' },
        { role: 'assistant', content: twoCalls },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: 'a.ts' },
            { type: 'tool_result', tool_use_id: 'c2', content: 'export {}' },
          ],
        },
      ])
      const raw = (await cairn.context.show({ session, format: 'raw' })).messages as { type: string; at: string }[]
      expect(raw.map(({ type }) => type)).toEqual([
        'system_message',
        'user_message',
        'assistant_message',
        'tool_call',
        'tool_call',
        'tool_result',
        'tool_result',
      ])
      expect(raw.every(({ at }) => !Number.isNaN(Date.parse(at)))).toBe(true)
      const { messages: chat } = await cairn.context.show({ session, format: 'openai' })
      expect((chat as { role: string }[]).map(({ role }) => role)).toEqual([
        'system',
        'user',
        'assistant',
        'tool',
        'tool',
      ])
    })

    it('C30 has numbers of its own, beside those of the log, and is read at either', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session)
      await talk(cairn, child)
      await cairn.state.increment({ key: 'n' })
      const { sequence_number, seq } = await cairn.context.append({ session: child, role: 'user', content: 'And now?' })
      expect([sequence_number, seq]).toEqual([8, 11])
      expect(await texts(cairn, child, { point: 2 })).toEqual(['Be brief.', 'What is here?'])
      expect(await texts(cairn, child, { at: 4 })).toEqual(['Be brief.', 'What is here?'])
      expect(await texts(cairn, child, { at: 10 })).toEqual(await texts(cairn, child, { point: 7 }))
      expect((await refused(cairn.context.show({ session: child, point: 9 }))).code).toBe('invalid_input')
      expect(await texts(cairn, session)).toEqual([])
    })

    it('S3-53 U36 says "outcome unknown" of calls without a result, and leaves the log as it is', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.context.append({ session, role: 'user', content: 'Go.' })
      await cairn.context.append({ session, role: 'assistant', content: twoCalls })
      await cairn.context.append({ session, role: 'tool', tool_call_id: 'c2', content: 'done' })
      for (const format of ['anthropic', 'openai', 'responses'] as const) {
        const { messages } = await cairn.context.show({ session, format })
        expect(JSON.stringify(messages)).toContain('outcome unknown: interrupted')
        expect(JSON.stringify(messages)).toContain('done')
      }
      expect(await lastSeq(cairn)).toBe(6)
    })

    it('U36 cuts only where a model could go on, and names the nearest points', async () => {
      const { cairn, session } = await newRoot(store())
      await talk(cairn, session)
      for (const point of [3, 4, 5, 6]) {
        const { code, details } = await refused(cairn.context.overwrite({ session, from_point: point }))
        expect([code, details]).toEqual(['bad_cut', { point, nearest: [2, 7] }])
        expect((await refused(cairn.context.copy({ session, to_point: point }))).code).toBe('bad_cut')
        const beside = cairn.context.copy({ session, to_point: point, context_only: true })
        expect((await refused(beside)).code).toBe('bad_cut')
      }
      expect((await refused(cairn.context.overwrite({ session, from_point: 99 }))).details).toMatchObject({
        nearest: [7],
      })
      expect(await lastSeq(cairn)).toBe(8)
    })

    it('S3-47 S3-59 C16 is overwritten by hiding: numbers go on, and what is hidden can be read', async () => {
      const { cairn, session } = await newRoot(store())
      await talk(cairn, session)
      expect(await cairn.context.overwrite({ session, from_point: 2 })).toMatchObject({ hidden: 5, last_sequence: 8 })
      await cairn.context.append({ session, role: 'user', content: 'Something else.' })
      expect(await texts(cairn, session)).toEqual(['Be brief.', 'What is here?', 'Something else.'])
      const all = await texts(cairn, session, { all: true })
      expect(all).toContain('export {}')
      expect(all).toContain('rewound to 2')
      expect(await texts(cairn, session, { point: 7 })).toHaveLength(5)
      expect(await cairn.context.overwrite({ session })).toMatchObject({ hidden: 0, last_sequence: 9 })
    })

    it('is rewound together with the state, in one step', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.set({ key: 'a', value: 'before' })
      await cairn.context.append({ session, role: 'user', content: 'one' })
      await cairn.state.set({ key: 'a', value: 'after' })
      await cairn.state.set({ key: 'b', value: 1 })
      await cairn.context.append({ session, role: 'user', content: 'two' })
      const done = await cairn.context.overwrite({ session, from_point: 1, with_state: true })
      expect(done.changed).toEqual([
        { key: 'b', version: 2, deleted: true },
        { key: 'a', version: 3 },
      ])
      expect((await cairn.state.all({})).state).toEqual({ a: 'before' })
      expect(await texts(cairn, session)).toEqual(['one'])
    })

    it('U38 is rebuilt alone: what was done in the meantime stays done', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.context.append({ session, role: 'user', content: 'one' })
      await cairn.state.increment({ key: 'done' })
      await cairn.context.append({ session, role: 'user', content: 'two' })
      await cairn.context.overwrite({ session, from_point: 1 })
      expect(await texts(cairn, session)).toEqual(['one'])
      expect((await cairn.state.all({})).state).toEqual({ done: 1 })
    })

    it('S3-17 S3-18 S3-19 has each number once: the store itself refuses a second', async () => {
      const { cairn, session } = await newRoot(store())
      await talk(cairn, session)
      const root = await rootNumber(store(), session)
      const again = `UPDATE events SET version = 1 WHERE root = $1 AND stream = 'context/0' AND version = 2`
      await expect((async () => store().sql(again, root))()).rejects.toThrow(/unique/i)
      expect(await texts(cairn, session)).toHaveLength(5)
    })

    it('U39 is compacted: a summary stands for messages that stay readable', async () => {
      const { cairn, session } = await newRoot(store())
      await talk(cairn, session)
      await cairn.context.append({ session, role: 'user', content: 'Go on.' })
      const { from, upto } = await cairn.context.compact({ session, upto: 7, summary: 'It looked around.' })
      expect([from, upto]).toEqual([2, 7])
      const { messages, system } = await cairn.context.show({ session, format: 'anthropic' })
      expect(system).toBe('Be brief.')
      expect(messages).toEqual([
        { role: 'user', content: 'It looked around.' },
        { role: 'user', content: 'Go on.' },
      ])
      expect(await texts(cairn, session, { all: true })).toContain('export {}')
      expect((await refused(cairn.context.compact({ session, from: 3, upto: 5, summary: 'x' }))).code).toBe('bad_cut')
      expect((await refused(cairn.context.compact({ session, from: 2, upto: 7, summary: 'x' }))).code).toBe(
        'invalid_input',
      )
    })

    it('S3-44 S3-54 S3-58 U37 is copied with its whole root, which stays whole when the origin is removed', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session, 'worker')
      await cairn.state.set({ key: 'before', value: 1 })
      await talk(cairn, child)
      await cairn.state.set({ key: 'after', value: 1 })
      const copy = await cairn.context.copy({ session: child, to_point: 7 })
      expect(copy).toMatchObject({ copied: 7 })
      expect(copy.session_id).not.toBe(copy.root_session_id)
      await removeRoot(cairn, session)
      expect(await texts(cairn, copy.session_id)).toHaveLength(5)
      expect((await cairn.state.all({ session: copy.session_id })).state).toEqual({ before: 1 })
      const answer = await cairn.context.append({ session: copy.session_id, role: 'user', content: 'On.' })
      expect(answer.sequence_number).toBe(8)
      const again = { session: copy.session_id, role: 'assistant' as const, content: twoCalls, id: 'msg_1' }
      expect(await cairn.context.append(again)).toMatchObject({ sequence_number: 5, repeated: true })
    })

    it('S3-25 is copied without its root into a session beside it', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session, 'worker')
      await talk(cairn, child)
      const { session_id: copy, root_session_id } = await cairn.context.copy({ session: child, context_only: true })
      expect(root_session_id).toBe(session)
      expect((await cairn.context.show({ session: copy })).messages).toEqual(
        (await cairn.context.show({ session: child })).messages,
      )
      await cairn.context.append({ session: copy, role: 'user', content: 'Elsewhere.' })
      await cairn.context.overwrite({ session: child, from_point: 0 })
      expect(await texts(cairn, copy)).toContain('Elsewhere.')
      expect(await texts(cairn, copy)).toHaveLength(6)
    })

    it('goes into another store as it is', async () => {
      const { cairn, session } = await newRoot(store())
      await talk(cairn, session)
      await cairn.context.overwrite({ session, from_point: 2 })
      await cairn.context.append({ session, role: 'user', content: 'Again.', id: 'again' })
      const { run } = await cairn.run.start({ model: 'm1' })
      await cairn.run.end({ run })
      const { events } = await cairn.log.list({ session, since: 0, limit: 1000 })
      const there = await other().open()
      await there.log.adopt({ root: session, events })
      expect(await there.context.show({ session })).toEqual(await cairn.context.show({ session }))
      expect(await there.run.list({ session })).toEqual(await cairn.run.list({ session }))
      const again = { session, role: 'user' as const, content: 'Again.', id: 'again' }
      expect(await there.context.append(again)).toMatchObject({ repeated: true })
    })

    it('goes on over messages whose content stayed elsewhere', async () => {
      const { cairn, session } = await newRoot(store())
      await talk(cairn, session)
      const { events } = await cairn.log.list({ session, since: 0, limit: 1000 })
      const { createHash } = await import('node:crypto')
      const bare = events.map(({ data, ...event }) => {
        if (!event.stream.startsWith('context/')) return { ...event, data }
        return { ...event, data: null, digest: createHash('sha256').update(JSON.stringify(data)).digest('hex') }
      })
      const there = await other().open()
      await there.log.adopt({ root: session, events: bare as typeof events })
      expect(await there.context.show({ session })).toMatchObject({ messages: [], absent: 5, last_sequence: 7 })
      expect((await there.context.append({ session, role: 'user', content: 'New.' })).sequence_number).toBe(8)
    })

    it('has one writer while somebody holds it', async () => {
      const { cairn, session } = await newRoot(store())
      const name = `context/${session}`
      const { token } = await cairn.lease.claim({ name, ttl: '60s', holder: 'the first' })
      const asked = { session, role: 'user' as const, content: 'hello' }
      const { code, details } = await refused(cairn.context.append(asked))
      expect([code, details.holder]).toEqual(['held_by_other', 'the first'])
      expect((await refused(cairn.context.overwrite({ session, from_point: 0 }))).code).toBe('held_by_other')
      expect((await cairn.context.append({ ...asked, fence: `${name}:${token}` })).sequence_number).toBe(1)
      await cairn.lease.release({ name, token })
      expect((await cairn.context.append(asked)).sequence_number).toBe(2)
    })

    it('keeps what is long or binary as blobs, and shows it as it was given', async () => {
      const { cairn, session } = await newRoot(store())
      const long = 'x'.repeat(40_000)
      const data = Buffer.from(Array.from({ length: 3000 }, (_, at) => at % 251)).toString('base64')
      const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
      const content = [{ type: 'text', text: long }, image]
      await cairn.context.append({ session, role: 'user', content })
      const { blobs } = await cairn.blob.list({})
      expect(blobs.map(({ bytes }) => bytes).sort()).toEqual([3000, 40_000])
      const { events } = await cairn.log.list({ stream: 'context/0' })
      expect(JSON.stringify(events).length).toBeLessThan(2000)
      expect((await cairn.context.show({ session })).messages).toEqual([{ role: 'user', content }])
      const { session_id: fork } = await cairn.session.fork({})
      expect((await cairn.context.show({ session: fork })).messages).toEqual([{ role: 'user', content }])
    })

    it('U3 replaces what looks like a secret before it is stored, unless it is meant', async () => {
      const { cairn, session } = await newRoot(store())
      const secret = Object.values(secrets)[0] as string
      const answer = await cairn.context.append({ session, role: 'user', content: `the key is ${secret} ok` })
      expect((answer.redacted as unknown[]).length).toBe(1)
      const [text] = await texts(cairn, session)
      expect(text).toMatch(/^the key is \[redacted: .*\] ok$/)
      await cairn.context.append({ session, role: 'user', content: secret, allow_secret: true })
      expect((await texts(cairn, session))[1]).toBe(secret)
    })

    it('C3 S4-67 U40 U51 U58 has runs beside it: what they were made with, what they used, how they ended', async () => {
      const { cairn, session } = await newRoot(store())
      const first = await cairn.run.start({ model: 'm1', prompt: 'aa', tools: 'bb', mode: 'server' })
      expect(first.changed).toEqual([])
      await cairn.run.report({ run: first.run, input_tokens: 10, usd: 0.5, provider_session_id: 'p1' })
      await cairn.run.report({ run: first.run, input_tokens: 30, output_tokens: 5, context_usage: 0.25 })
      await cairn.run.end({ run: first.run, how: 'crashed', reason: 'signal 9' })
      const second = await cairn.run.start({ model: 'm2', prompt: 'aa', tools: 'cc' })
      expect(second.changed).toEqual([
        { what: 'model', was: 'm1', now: 'm2' },
        { what: 'tools', was: 'bb', now: 'cc' },
      ])
      const { runs } = await cairn.run.list({ session })
      expect(runs).toMatchObject([
        {
          run: first.run,
          how: 'crashed',
          provider_session_id: 'p1',
          usage: { input_tokens: 30, output_tokens: 5, usd: 0.5, context_usage: 0.25 },
        },
        { run: second.run, how: null, ended_at: null },
      ])
      expect((await refused(cairn.run.end({ run: first.run }))).code).toBe('illegal_transition')
      expect((await refused(cairn.run.report({ run: 'run_none', usd: 1 }))).code).toBe('not_found')
      expect((await refused(cairn.run.report({ run: second.run, context_usage: 2 }))).code).toBe('invalid_input')
      expect((await cairn.run.list({ session, at: 2 })).runs).toMatchObject([{ run: first.run, how: null, usage: {} }])
    })

    it.each([
      ['no content', { role: 'user' }, 'invalid_input'],
      ['no role', { content: 'x' }, 'invalid_input'],
      ['content that is a number', { role: 'user', content: 4 }, 'invalid_input'],
      ['a result without its call', { role: 'tool', content: 'x' }, 'invalid_input'],
      ['a result of no call', { role: 'tool', tool_call_id: 'c9', content: 'x' }, 'invalid_input'],
      ['a call id twice', { role: 'assistant', content: twoCalls }, 'already_exists'],
      ['a result twice', { role: 'tool', tool_call_id: 'c1', content: 'other' }, 'idempotency_mismatch'],
      ['an id with other content', { role: 'assistant', content: 'other', id: 'msg_1' }, 'idempotency_mismatch'],
      ['a message and its parts', { role: 'user', message: { role: 'user', content: 'x' } }, 'invalid_input'],
      [
        'a blob that is not there',
        { role: 'user', content: '', blobs: [{ path: ['content'], hash: '0'.repeat(64), bytes: 1, encoding: 'utf8' }] },
        'not_found',
      ],
    ])('refuses %s, and records nothing', async (_what, asked, code) => {
      const { cairn, session } = await newRoot(store())
      await talk(cairn, session)
      const before = await lastSeq(cairn)
      expect((await refused(cairn.context.append({ session, ...asked } as never))).code).toBe(code)
      expect(await lastSeq(cairn)).toBe(before)
    })
  })
}
