// Agents of the adapter `model`, with a stand-in for their model: the loop of `cairn agent`, supervised.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { methodsOf } from '../../src/open.ts'
import { membersOf } from '../../src/runner/processes/members.ts'
import { StandInModel } from '../agent/stand-in-model.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { agentOf, begun, ended, exitOf, look, serving, statuses, until } from './workflows.ts'

const key = 'sk-stand-in-0123456789abcdef'
let model: StandInModel
const before = { ...process.env }

beforeAll(async () => {
  model = await new StandInModel().listen()
  Object.assign(process.env, { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_MODEL: 'stand-in-1' })
})
afterAll(async () => {
  for (const name of ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL'] as const) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
  await model.close()
})

const rolesOf = (messages: unknown) => (messages as { role: string }[]).map(({ role }) => role)

const using = (more: object = {}) => ({
  agents: [
    { id: 'asks', role: 'worker', use: 'model', task: 'Count, then say what it is.', ...more },
    { id: 'after', role: 'worker', run: ['sh', '-c', 'cp "$CAIRN_TASK_FILE" task'], depends_on: ['asks'] },
  ],
})

for (const kind of STORES) {
  describe(`an agent of the adapter model on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('works in the conversation of its session, its answer is its result, and what it used is counted', async () => {
      model.script = [{ calls: [{ id: 'call_a', name: 'state_increment', input: { key: 'n' } }] }, { text: 'It is 1.' }]
      model.faults = []
      await serving(store())
      const work = await begun(store(), using())
      const found = await ended(work)
      expect(statuses(found)).toEqual({ asks: 'completed', after: 'completed' })
      const cairn = methodsOf(work.opened)
      const { session_id: session } = agentOf(found, 'asks')
      const { messages } = await cairn.context.show({ session, format: 'openai' })
      expect(rolesOf(messages)).toEqual(['user', 'assistant', 'tool', 'assistant'])
      const { runs } = await cairn.run.list({ session })
      expect(runs).toMatchObject([{ how: 'completed', adapter: 'model', model: 'stand-in-1' }])
      expect(agentOf(found, 'asks').used.tokens).toBeGreaterThan(0)
      expect(JSON.parse(agentOf(found, 'asks').progress.result ?? '')).toMatchObject({ text: 'It is 1.' })
      const { events } = await cairn.state.why({ session: work.root, key: 'n' })
      expect(events[0]).toMatchObject({ session_id: session, cause: { run: runs[0]?.run } })
    })

    it('FAULTS 25 goes on in its conversation when it was killed, and says nothing twice', async () => {
      model.script = [{ calls: [{ id: 'call_b', name: 'state_increment', input: { key: 'm' } }] }, { text: 'Done.' }]
      model.faults = []
      await serving(store())
      const work = await begun(store(), {
        ...using({ auto_resume: 'always', backoff: { first: '10ms', factor: 1, max: '10ms' } }),
      })
      const cairn = methodsOf(work.opened)
      model.faults = []
      // It is killed once it has counted; its model hangs at the next request.
      await cairn.state.wait({ session: work.root, key: 'm', equals: 1 })
      const running = await look(work)
      const run = String(agentOf(running, 'asks').progress.run)
      for (const { pid } of membersOf(run, undefined)) process.kill(pid, 'SIGKILL')
      const found = await ended(work)
      expect(statuses(found)).toEqual({ asks: 'completed', after: 'completed' })
      const { session_id: session } = agentOf(found, 'asks')
      const { messages } = await cairn.context.show({ session, format: 'openai' })
      expect(rolesOf(messages).filter((role) => role === 'user')).toHaveLength(1)
      expect(await cairn.state.get({ session: work.root, key: 'm' })).toMatchObject({ value: 1 })
      expect(exitOf(agentOf(found, 'asks'))).toMatchObject({ cause: 'exit', exit_code: 0 })
      expect(existsSync(join(work.project, 'task'))).toBe(true)
    })

    it('waits when its provider takes no more requests, without a failure', async () => {
      model.script = [{ text: 'At last.' }]
      model.faults = [{ status: 429, retryAfter: '3600' }]
      await serving(store())
      const work = await begun(store(), using())
      const waiting = await until(work, (found) => agentOf(found, 'asks').status === 'resumable')
      expect(JSON.parse(agentOf(waiting, 'asks').progress.parked ?? '')).toMatchObject({ why: 'rate_limit' })
      expect(agentOf(waiting, 'asks').progress.failures).toBe(0)
    })
  })
}
