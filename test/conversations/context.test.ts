// ContextService, for people who write agents: one suite over both stores, a server and memory.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { MemoryContextRepository } from '../../src/client/context/memory-repository.ts'
import type { ContextRepository } from '../../src/client/context/repository.ts'
import { InstallTokenFile } from '../../src/home/owner-token.ts'
import { type Cairn, CairnContextRepository, ContextService, connect, contextService } from '../../src/index.ts'
import { serveHere } from '../setup/serve-here.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

interface Place {
  readonly repository: ContextRepository
  /** A session to make instances in. */
  readonly session: string
  readonly cairn?: Cairn
}

const assistant = {
  content: 'Looking.',
  toolCalls: [
    { id: 'call_1', name: 'look', arguments: '{"at":"a"}' },
    { id: 'call_2', name: 'look', arguments: '{"at":"b"}' },
  ],
}

/** A conversation with a turn of two calls: 1 system, 2 user, 3 assistant with 4 and 5, 6 and 7 results, 8 assistant. */
async function talk(context: ContextService): Promise<void> {
  await context.appendMessage('system', 'Be brief.')
  await context.appendMessage('user', 'Look at a and b.')
  await context.appendMessage('assistant', assistant.content, { toolCalls: assistant.toolCalls })
  await context.appendMessage('tool', 'a is red', { toolCallId: 'call_1' })
  await context.appendMessage('tool', 'b is blue', { toolCallId: 'call_2' })
  await context.appendMessage('assistant', 'Red and blue.')
}

function suite(place: () => Promise<Place>): void {
  async function made(): Promise<Place & { context: ContextService }> {
    const at = await place()
    const { id } = await at.repository.createInstance(at.session, 'looker')
    return { ...at, context: new ContextService(at.repository, id) }
  }

  it('S3-50 S3-1 S3-7 S3-20 S3-21 S3-22 S3-23 S3-26 creates instances, gives them back, and keeps events in their order', async () => {
    const { repository, session } = await made()
    const parent = await repository.createInstance(session, 'lead')
    const child = await repository.createInstance(session, 'helper', parent.id)
    expect(await repository.getInstance(child.id)).toEqual(child)
    expect(child).toMatchObject({ agentName: 'helper', parentInstanceId: parent.id, sessionId: session })
    expect((await repository.createInstance(session, 'helper')).id).not.toBe(child.id)
    expect(await repository.getInstance('sess_00000000000000000000000000000000')).toBeUndefined()
    await repository.appendEvent(child.id, 'system_message', { role: 'system', content: 'a' })
    await repository.appendEvent(child.id, 'user_message', { role: 'user', content: 'b' })
    await repository.appendEvent(child.id, 'tool_call', { id: 'c1', name: 'look', arguments: '{}' })
    await repository.appendEvent(child.id, 'tool_result', { content: 'seen' }, 'c1')
    const events = await repository.getEvents(child.id)
    expect(events.map(({ sequenceNumber, eventType }) => [sequenceNumber, eventType])).toEqual([
      [1, 'system_message'],
      [2, 'user_message'],
      [3, 'assistant_message'],
      [4, 'tool_call'],
      [5, 'tool_result'],
    ])
    expect(events[3]).toMatchObject({ toolCallId: 'c1', content: { id: 'c1', name: 'look', arguments: '{}' } })
    expect(events[4]).toMatchObject({ toolCallId: 'c1', content: { content: 'seen' } })
    expect(await repository.getEvents(child.id, 4)).toEqual(events.slice(3))
    const again = await repository.appendEvent(child.id, 'tool_call', { id: 'c1', name: 'look', arguments: '{}' })
    expect(again.sequenceNumber).toBe(4)
  })

  it('S3-51 S3-27 S3-28 S3-29 S3-30 S3-31 S3-39 rebuilds messages from what was appended, now, at a point and from a number on', async () => {
    const { context } = await made()
    await talk(context)
    expect(await context.getLastSequence()).toBe(8)
    const all = await context.getMessages({ format: 'openai' })
    expect(all.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'assistant'])
    expect(all[4]).toEqual({ role: 'tool', tool_call_id: 'call_2', content: 'b is blue' })
    expect(await context.getMessages({ format: 'openai', point: 2 })).toEqual(all.slice(0, 2))
    expect(await context.replayFromSequence(8)).toEqual([{ role: 'assistant', content: 'Red and blue.' }])
    const { system, messages } = await context.getConversation({ format: 'anthropic' })
    expect(system).toBe('Be brief.')
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    const open = await context.getConversation({ format: 'anthropic', point: 6 })
    expect(JSON.stringify(open.messages.at(-1))).toContain('outcome unknown: interrupted')
  })

  it('S3-51 S3-24 S3-33 takes back what came after a number, and no number comes twice', async () => {
    const { context } = await made()
    await talk(context)
    expect(await context.truncateAfterSequence(7)).toBe(1)
    expect((await context.getMessages({ format: 'openai' })).at(-1)).toMatchObject({ tool_call_id: 'call_2' })
    const { sequenceNumber } = await context.appendMessage('assistant', 'Once more.')
    expect(sequenceNumber).toBe(10)
    await expect(context.truncateAfterSequence(4)).rejects.toMatchObject({
      code: 'bad_cut',
      details: { nearest: [2, 7] },
    })
  })

  it('S3-54 S3-25 S3-32 copies a conversation, whole and up to a number, and never onto itself', async () => {
    const { context, repository, session } = await made()
    await talk(context)
    const [whole, part] = [await repository.createInstance(session, 'w'), await repository.createInstance(session, 'p')]
    expect(await context.copyToNewInstance(whole.id)).toBe(8)
    expect(await context.copyToNewInstance(part.id, 2)).toBe(2)
    const ofWhole = new ContextService(repository, whole.id)
    expect(await ofWhole.getMessages()).toEqual(await context.getMessages())
    expect(await new ContextService(repository, part.id).getMessages()).toHaveLength(2)
    await ofWhole.appendMessage('user', 'And c?')
    expect(await context.getLastSequence()).toBe(8)
    await expect(context.copyToNewInstance(part.id, 5)).rejects.toMatchObject({ code: 'bad_cut' })
    await expect(context.copyToNewInstance(context.instanceId)).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('records a message with the id of its provider once, and results only of calls that wait for one', async () => {
    const { context } = await made()
    const first = await context.appendMessage('assistant', 'Hello.', { id: 'msg_1' })
    expect(await context.appendMessage('assistant', 'Hello.', { id: 'msg_1' })).toMatchObject(first)
    expect(await context.getMessages()).toHaveLength(1)
    const other = context.appendMessage('assistant', 'Other.', { id: 'msg_1' })
    await expect(other).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    const stray = context.appendMessage('tool', 'x', { toolCallId: 'nobody' })
    await expect(stray).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('keeps blocks of a provider as they are', async () => {
    const { context } = await made()
    const blocks = [
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'a' } },
      { type: 'of_the_future', n: 1 },
    ]
    await context.appendMessage('user', 'go')
    await context.appendMessage('assistant', blocks)
    await context.appendMessage('tool', 'red', { toolCallId: 'toolu_1' })
    const { messages, format, leftOut } = await context.getConversation()
    expect([format, leftOut]).toEqual(['anthropic', []])
    expect(messages[1]).toEqual({ role: 'assistant', content: blocks })
    expect(messages[2]).toMatchObject({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] })
    expect((await context.getConversation({ format: 'openai' })).leftOut).not.toEqual([])
  })
}

/** What only a store has: large content, secrets, one writer. */
function durable(place: () => Promise<Place & { cairn: Cairn }>): void {
  it('uploads what is large, and gives it back whole', async () => {
    const { cairn, session } = await place()
    const context = await contextService({ cairn, agentName: 'big', session })
    const large = `${randomBytes(16).toString('hex')}${'grün '.repeat(900_000)}`
    await context.appendMessage('assistant', null, { toolCalls: [{ id: 'c1', name: 'read', arguments: '{}' }] })
    await context.appendMessage('tool', large, { toolCallId: 'c1' })
    const messages = await context.getMessages({ format: 'openai' })
    expect(messages.at(-1)?.content === large).toBe(true)
    const { id } = await context.repository.createInstance(session, 'copy')
    await context.copyToNewInstance(id)
    const copied = await new ContextService(context.repository, id).getMessages({ format: 'openai' })
    expect(copied.at(-1)?.content === large).toBe(true)
    const blocks = [{ type: 'tool_use', id: 't1', name: 'read', input: {} }]
    await context.appendMessage('assistant', blocks)
    const result = [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: large }] }]
    await context.appendMessage('user', result)
    const said = await context.getConversation({ format: 'anthropic' })
    expect(JSON.stringify(said.messages.at(-1)?.content) === JSON.stringify(result)).toBe(true)
    await context.close()
  })

  it('replaces the values of secrets before anything is sent, and what no store can keep', async () => {
    const { cairn, session } = await place()
    const secrets = [{ name: 'DEPLOY_KEY', value: 'hunter2-hunter2' }]
    const context = await contextService({ cairn, agentName: 'careful', session, secrets })
    await context.appendMessage('user', 'use hunter2-hunter2\0 and \ud800')
    const [message] = await context.getMessages()
    expect(message?.content).toBe('use [redacted: the value of $DEPLOY_KEY]\u2400 and \ufffd')
    await context.close()
  })

  it('has one writer: a second is told who it is, and one that was replaced is fenced', async () => {
    const { cairn, session } = await place()
    const first = await contextService({ cairn, agentName: 'solo', session, holder: 'first of all' })
    const { instanceId } = first
    await first.appendMessage('user', 'one')
    const second = contextService({ cairn, agentName: 'solo', instanceId })
    await expect(second).rejects.toMatchObject({ code: 'held_by_other', details: { holder: 'first of all' } })
    const unheld = cairn.context.append({ session: instanceId, role: 'user', content: 'in between' })
    await expect(unheld).rejects.toMatchObject({ code: 'held_by_other' })
    const third = await contextService({ cairn, agentName: 'solo', instanceId, takeOver: true })
    await expect(first.appendMessage('user', 'late')).rejects.toMatchObject({ code: 'fenced' })
    await expect(first.truncateAfterSequence(0)).rejects.toMatchObject({ code: 'fenced' })
    await third.appendMessage('user', 'two')
    await Promise.all([first.close(), third.close()])
    const fourth = await contextService({ cairn, agentName: 'solo', instanceId })
    expect(await fourth.getMessages()).toHaveLength(2)
    await fourth.close()
  })

  it('lets nobody claim the conversation of another session', async () => {
    const { cairn, session } = await place()
    const [one, other] = [
      await cairn.session.create({ parent: session, topic: 'a' }),
      await cairn.session.create({ parent: session, topic: 'b' }),
    ]
    const claim = cairn.lease.claim({ session: one.session_id, name: `context/${other.session_id}`, ttl: '1m' })
    await expect(claim).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('S3-40 S3-41 makes the instance where none is named, S3-53 goes on with it, S3-42 and stores nothing where that is not wanted', async () => {
    const { cairn, session } = await place()
    const made = await contextService({ cairn, agentName: 'worker', session })
    await made.appendMessage('user', 'Remember me.')
    await made.close()
    const again = await contextService({ cairn, agentName: 'worker', instanceId: made.instanceId })
    expect(await again.getMessages()).toEqual([{ role: 'user', content: 'Remember me.' }])
    await again.close()
    process.env.ENABLE_CONTEXT_PERSISTENCE = 'false'
    onTestFinished(() => {
      delete process.env.ENABLE_CONTEXT_PERSISTENCE
    })
    const { last_seq: before } = await cairn.log.list({ session, limit: 1 })
    const memory = await contextService({ cairn, agentName: 'worker', session })
    await memory.appendMessage('user', 'Forget me.')
    expect(await memory.getMessages()).toHaveLength(1)
    expect((await cairn.log.list({ session, limit: 1 })).last_seq).toBe(before)
    await expect(
      contextService({ cairn, agentName: 'x', persist: true, instanceId: 'sess_nobody' }),
    ).rejects.toMatchObject({
      code: 'session_not_found',
    })
  })
}

for (const kind of STORES) {
  describe(`ContextService on ${kind.name}`, () => {
    const store = sharedStore(kind)
    const place = async () => {
      const cairn = await store().open()
      const session = await store().createRoot()
      return { cairn, session, repository: new CairnContextRepository(cairn) }
    }
    suite(place)
    durable(place)
  })
}

describe('ContextService on a server', () => {
  const store = sharedStore(STORES[0] as (typeof STORES)[number])
  let serving: Awaited<ReturnType<typeof serveHere>>
  let cairn: Cairn
  beforeAll(async () => {
    serving = await serveHere({ ...store().options, port: 0 })
    cairn = connect({ url: serving.discovered.url, token: new InstallTokenFile(store().home).text() })
  })
  afterAll(async () => {
    await cairn.close()
    await serving.stop()
  })
  const place = async () => {
    const { session_id: session } = await cairn.session.create({ topic: 'over HTTP' })
    return { cairn, session, repository: new CairnContextRepository(cairn) }
  }
  suite(place)
  durable(place)

  it('an agent’s token writes its own conversation, and keeps nobody out of another', async () => {
    const { session } = await place()
    const [own, sibling] = [
      await cairn.session.create({ parent: session, topic: 'a' }),
      await cairn.session.create({ parent: session, topic: 'b' }),
    ]
    const { token } = await cairn.token.create({ kind: 'agent', session: own.session_id, name: own.session_id })
    const agent = connect({ url: serving.discovered.url, token })
    onTestFinished(() => agent.close())
    const context = await contextService({ cairn: agent, agentName: 'a', instanceId: own.session_id })
    await context.appendMessage('user', 'mine')
    await context.close()
    const claim = contextService({ cairn: agent, agentName: 'a', instanceId: sibling.session_id })
    await expect(claim).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('ContextService in memory', () => {
  suite(async () => ({ repository: new MemoryContextRepository(), session: 'a session' }))
})
