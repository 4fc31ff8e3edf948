// Resources and prompts: the state to look at, to follow, and to begin with.
import { describe, expect, it, onTestFinished } from 'vitest'
import { placeIn, uriOf } from '../../src/surfaces/mcp/methods/resource-uri.ts'
import { newChild, newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { agentOf, type Talk, talkWith } from './talking.ts'

/** A loaded machine takes its time. */

/** When it has been told of so many changes. */
async function toldOf({ heard }: Talk, count: number): Promise<string[]> {
  const uris = () => heard.filter(({ method }) => method === 'notifications/resources/updated')
  await expect.poll(() => uris().length).toBeGreaterThanOrEqual(count)
  return uris().map(({ params }) => params.uri)
}

for (const kind of STORES) {
  describe(`resources on ${kind.name}`, () => {
    const store = sharedStore(kind)
    const newTalk = async (feedDelayMs = 0) => {
      const { cairn, session } = await newRoot(store())
      const talk = await talkWith(store(), session, { feedDelayMs })
      onTestFinished(() => talk.close())
      return { cairn, session, talk, state: `cairn://roots/${session}/state` }
    }

    it('S0-115 the state, each key and the summary can be read', async () => {
      const { cairn, session, talk, state } = await newTalk()
      await cairn.state.set({ key: 'a/b c', value: { n: 1 } })
      const { result } = await talk.ask('resources/list')
      const uris = [
        state,
        `state:${session}`,
        `cairn://roots/${session}/summary`,
        `cairn://roots/${session}/brief`,
        `${state}/a%2Fb%20c`,
      ]
      expect(result.resources.map(({ uri }: { uri: string }) => uri)).toEqual(uris)
      const read = async (uri: string) => {
        const { contents } = (await talk.ask('resources/read', { uri })).result
        expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }])
        return JSON.parse(contents[0].text)
      }
      expect((await read(state)).state).toEqual({ 'a/b c': { n: 1 } })
      expect(await read(`${state}/a%2Fb%20c`)).toMatchObject({ value: { n: 1 }, version: 1, updated_by: session })
      expect((await read(`cairn://roots/${session}/summary`)).summary).toEqual({ 'a/b c': { n: 1 } })
      expect((await talk.ask('resources/templates/list')).result.resourceTemplates).toHaveLength(5)
    })

    it('S0-115 state:<root> is the state as a bare document, tagged, and can be followed', async () => {
      const { cairn, session, talk } = await newTalk()
      const uri = `state:${session}`
      const _meta = { tags: [`root:${session}`, 'shared-state'] }
      await cairn.state.set({ key: 'tasks', value: { done: [1] } })
      const listed = (await talk.ask('resources/list')).result.resources
      expect(listed.find((each: { uri: string }) => each.uri === uri)).toMatchObject({ _meta })
      const { resourceTemplates } = (await talk.ask('resources/templates/list')).result
      expect(resourceTemplates.map((each: { uriTemplate: string }) => each.uriTemplate)).toContain('state:{root}')
      const { contents } = (await talk.ask('resources/read', { uri })).result
      const text = '{\n  "tasks": {\n    "done": [\n      1\n    ]\n  }\n}'
      expect(contents).toEqual([{ uri, mimeType: 'application/json', text, _meta }])
      expect((await talk.ask('resources/subscribe', { uri })).result).toEqual({})
      await cairn.state.increment({ key: 'n' })
      expect(await toldOf(talk, 1)).toEqual([uri])
      expect((await talk.ask('resources/read', { uri: 'state:sess_nobody' })).error).toMatchObject({ code: -32_002 })
    })

    it('S0-116 a client is told to look first, a prompt stays small however much there is, and a resource shows a write at once', async () => {
      const { cairn, talk, state } = await newTalk()
      const { instructions } = (await talk.ask('initialize', { protocolVersion: '2025-06-18' })).result
      expect(instructions).toMatch(/Begin with session_status or state_get/)
      for (let at = 0; at < 40; at++) await cairn.state.set({ key: `k${at}`, value: 'x'.repeat(1000) })
      const { messages } = (await talk.ask('prompts/get', { name: 'resume' })).result
      expect(messages[0].content.text.length).toBeLessThan(4000)
      const { contents } = (await talk.ask('resources/read', { uri: `${state}/k39` })).result
      expect(JSON.parse(contents[0].text)).toMatchObject({ version: 1 })
    })

    it('what is not there is an error that names it', async () => {
      const { talk, state } = await newTalk()
      for (const uri of [`${state}/nothing`, 'cairn://roots/sess_nobody/state', 'file:///etc/passwd', 'cairn://']) {
        expect((await talk.ask('resources/read', { uri })).error).toMatchObject({ code: -32_002, data: { uri } })
        if (uri.endsWith('nothing')) continue
        expect((await talk.ask('resources/subscribe', { uri })).error).toMatchObject({ code: -32_002 })
      }
      expect((await talk.ask('resources/read')).error.code).toBe(-32_602)
    })

    it('whoever follows is told of changes, of many at once only once, and of none after that', async () => {
      const { cairn, talk, state } = await newTalk()
      await cairn.state.set({ key: 'a', value: 1 })
      for (const uri of [state, `${state}/a`, `${state}/b`]) await talk.ask('resources/subscribe', { uri })
      await Promise.all(Array.from({ length: 50 }, () => cairn.state.increment({ key: 'a' })))
      const told = await toldOf(talk, 2)
      expect(new Set(told)).toEqual(new Set([state, `${state}/a`]))
      expect(told.length).toBeLessThan(50)
      for (const uri of [state, `${state}/a`]) await talk.ask('resources/unsubscribe', { uri })
      talk.heard.length = 0
      await cairn.state.increment({ key: 'a' })
      await cairn.state.set({ key: 'b', value: 1 })
      expect(await toldOf(talk, 1)).toEqual([`${state}/b`])
    })

    it('nothing that changed after the answer to subscribe is missed, however slow the feed is to begin', async () => {
      const { cairn, talk, state } = await newTalk(100)
      await talk.ask('resources/subscribe', { uri: state })
      await cairn.state.set({ key: 'a', value: 1 })
      expect(await toldOf(talk, 1)).toEqual([state])
    })

    it('in the stateless revision a request that stays open is told', async () => {
      const { cairn, talk, state } = await newTalk()
      const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
      const params = { notifications: { resourceSubscriptions: [state] }, _meta }
      const listening = talk.ask('subscriptions/listen', params, 'listen-1')
      await expect.poll(() => talk.heard.length).toBe(1)
      expect(talk.heard[0].method).toBe('notifications/subscriptions/acknowledged')
      await cairn.state.set({ key: 'a', value: 1 })
      expect(await toldOf(talk, 1)).toEqual([state])
      expect(talk.heard[1].params._meta['io.modelcontextprotocol/subscriptionId']).toBe('listen-1')
      await talk.tell('notifications/cancelled', { requestId: 'listen-1' })
      expect(await listening).toBeUndefined()
    })

    it('U2 an agent reads and follows nothing of another root', async () => {
      const { session, state } = await newTalk()
      const { cairn: others, session: other } = await newRoot(store())
      await others.state.set({ key: 'secret', value: 1 })
      const agent = await talkWith(store(), session, { caller: await agentOf(store(), session) })
      for (const uri of [`cairn://roots/${other}/state`, `cairn://roots/${other}/summary`, `state:${other}`]) {
        expect((await agent.ask('resources/read', { uri })).error.data.error).toBe('forbidden')
        expect((await agent.ask('resources/subscribe', { uri })).error.data.error).toBe('forbidden')
      }
      expect((await agent.ask('resources/subscribe', { uri: state })).result).toEqual({})
      const { resources } = (await agent.ask('resources/list')).result
      expect(JSON.stringify(resources)).not.toContain(other)
      agent.close()
    })

    it('S0-112 the prompts start and resume show the state and what became of the children', async () => {
      const { cairn, session, talk } = await newTalk()
      await cairn.state.set({ key: 'done', value: 3 })
      const child = await newChild(cairn, session, 'fix')
      await cairn.session.end({ session: child, status: 'failed', reason: 'no input' })
      const { prompts } = (await talk.ask('prompts/list')).result
      expect(prompts.map(({ name }: { name: string }) => name)).toEqual(['start', 'resume', 'brief'])
      for (const name of ['start', 'resume']) {
        const { messages } = (await talk.ask('prompts/get', { name, arguments: { session_id: session } })).result
        const { text } = messages[0].content
        expect(text).toMatch(/## Session State Summary\n.*\n\{"done":3\}/)
        expect(text).toMatch(/## Child Results\n- .*"fix".*"failed".*"no input"/)
      }
      const brief = (await talk.ask('prompts/get', { name: 'brief' })).result.messages[0].content.text
      expect(brief).toMatch(/^# Brief\nRoot sess_/)
      const { contents } = (await talk.ask('resources/read', { uri: `cairn://roots/${session}/brief` })).result
      expect(contents).toEqual([{ uri: `cairn://roots/${session}/brief`, mimeType: 'text/markdown', text: brief }])
      expect((await talk.ask('prompts/get', { name: 'other' })).error.code).toBe(-32_602)
    })
  })
}

it('the address of a key is read as it was written, whatever the key is called', () => {
  for (const key of ['a', 'a/b', '..', '%2e', 'ü ?#', 'summary']) {
    const place = { root: 'sess_1', part: 'state', key } as const
    expect(placeIn(uriOf(place))).toEqual(place)
  }
  expect(placeIn('cairn://roots/r/state/a/b')).toEqual({ root: 'r', part: 'state', key: 'a/b' })
  for (const uri of ['cairn://roots//state', 'cairn://roots/r/other', 'cairn://roots/r/state/%zz', 'cairn:roots/r']) {
    expect(placeIn(uri)).toBeUndefined()
  }
})
