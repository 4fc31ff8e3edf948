// The loop of an agent by itself, as others may use it.
import { expect, it, onTestFinished } from 'vitest'
import { ContextService, MemoryContextRepository } from '../../src/index.ts'
import { type LoopOptions, runLoop } from '../../src/runner/agent/loop.ts'
import { anthropicProvider } from '../../src/runner/model/anthropic.ts'
import { openaiProvider } from '../../src/runner/model/openai.ts'
import { type Said, StandInModel } from './stand-in-model.ts'

async function started(script: readonly Said[], kind: 'anthropic' | 'openai' = 'anthropic') {
  const model = await new StandInModel().listen()
  onTestFinished(() => model.close())
  model.script = script
  const repository = new MemoryContextRepository()
  const context = new ContextService(repository, (await repository.createInstance('s', 'agent')).id)
  const endpoint = {
    url: `${model.url}/messages`,
    headers: {},
    keyVariable: 'KEY',
    clean: String,
    onRetry: () => undefined,
  }
  const options = { model: 'stand-in', maxTokens: undefined }
  const provider =
    kind === 'anthropic'
      ? anthropicProvider(endpoint, options)
      : openaiProvider({ ...endpoint, url: model.url }, options)
  const called: string[] = []
  const given: LoopOptions = {
    context,
    provider,
    tools: {
      offered: [{ name: 'look', description: 'Look.', inputSchema: { type: 'object' } }],
      isRepeatable: (name) => name === 'look',
      async call({ id, input }) {
        called.push(id)
        return `seen ${JSON.stringify(input)}`
      },
    },
    watcher: {
      onText: () => undefined,
      onTurn: async () => undefined,
      onCall: () => undefined,
      onResult: () => undefined,
      onNote: () => undefined,
    },
    signal: new AbortController().signal,
    maxTurns: 5,
    prompt: 'Look.',
    repeatsCalls: true,
  }
  return { model, context, given, called }
}

const look = (id: string) => ({ id, name: 'look', input: { at: 'a' } })

for (const kind of ['anthropic', 'openai'] as const) {
  it(`S3-38 works in memory where nothing else is given (${kind})`, async () => {
    const { context, given, called } = await started([{ calls: [look('c1')] }, { text: 'Red.' }], kind)
    expect(await runLoop(given)).toMatchObject({ text: 'Red.', turns: 2 })
    expect(called).toEqual(['c1'])
    const roles = (await context.getMessages({ format: 'openai' })).map(({ role }) => role)
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant'])
  })
}

it('S3-60 records as much for a late turn as for an early one', async () => {
  const { context, given } = await started(Array.from({ length: 40 }, (_, at) => ({ text: `Answer ${at}.` })))
  const added: number[] = []
  for (let turn = 0; turn < 40; turn++) {
    const before = await context.getLastSequence()
    await runLoop(given)
    added.push((await context.getLastSequence()) - before)
  }
  expect(new Set(added)).toEqual(new Set([2]))
})

it('makes calls again that were cut off, unless that may do harm, and none that were not the last', async () => {
  const { model, context, given, called } = await started([{ text: 'x' }, { text: 'Seen.' }])
  await context.appendMessage('user', 'Look.')
  const toolCalls = [
    { id: 'own', name: 'look', arguments: '{}' },
    { id: 'foreign', name: 'send_mail', arguments: '{}' },
  ]
  await context.appendMessage('assistant', null, { toolCalls })
  await runLoop({ ...given, prompt: undefined })
  expect(called).toEqual(['own'])
  const sent = JSON.stringify(model.requests[0]?.body.messages)
  expect(sent).toContain('outcome unknown: interrupted')
  await runLoop({ ...given, prompt: 'And now?' })
  expect(called).toEqual(['own'])
})

it('stops after so many turns', async () => {
  const { given } = await started(Array.from({ length: 9 }, (_, at) => ({ calls: [look(`c${at}`)] })))
  expect(await runLoop({ ...given, maxTurns: 3 })).toMatchObject({ turns: 3, stopReason: 'max_turns' })
})

it('refuses to go on with a conversation in which nothing was asked', async () => {
  const { given, context } = await started([])
  await context.appendMessage('system', 'Be brief.')
  await expect(runLoop({ ...given, prompt: undefined })).rejects.toMatchObject({ code: 'invalid_input' })
})
