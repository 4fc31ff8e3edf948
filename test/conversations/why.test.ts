// What an agent said when it changed something: `cairn why KEY`.
import { describe, expect, it } from 'vitest'
import { CairnContextRepository, ContextService } from '../../src/index.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

for (const kind of STORES) {
  describe(`why, on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('names the message and the call behind a value, also in a fork', async () => {
      const cairn = await store().open()
      const session = await store().createRoot()
      const context = new ContextService(new CairnContextRepository(cairn), session)
      await context.appendMessage('user', 'Count.')
      const calls = [{ id: 'call_7', name: 'state_increment', arguments: '{"key":"n"}' }]
      await context.appendMessage('assistant', 'One\nmore,\tthen.', { toolCalls: calls })
      await cairn.state.increment({ session, key: 'n', call: 'call_7', request_id: 'a' })
      await cairn.state.increment({ session, key: 'n', call: 'call_7', request_id: 'a' })
      const { events } = await cairn.state.why({ session, key: 'n' })
      const message = { sequence_number: 2, tool: 'state_increment', tool_call_id: 'call_7', text: 'One more, then.' }
      expect(events).toMatchObject([{ cause: { call: 'call_7' }, message }])
      const fork = await cairn.session.fork({ session })
      expect((await cairn.state.why({ session: fork.session_id, key: 'n' })).events).toMatchObject([{ message }])
    })

    it('says nothing of a call that is not there', async () => {
      const cairn = await store().open()
      const session = await store().createRoot()
      await cairn.state.set({ session, key: 'n', value: 1, call: 'made up' })
      const { events } = await cairn.state.why({ session, key: 'n' })
      expect(events[0]).toMatchObject({ cause: { call: 'made up' } })
      expect(events[0]).not.toHaveProperty('message')
    })
  })
}
