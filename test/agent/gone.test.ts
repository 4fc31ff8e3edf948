// An agent whose program was killed: it is not said to run any more, and can be resumed.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandbox } from '../cli/sandbox.ts'
import { StandInModel } from './stand-in-model.ts'

const cli = sandbox()
const model = new StandInModel()
const env = () => ({ ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: model.url, ANTHROPIC_MODEL: 'stand-in' })
let root = ''

beforeAll(async () => {
  await model.listen()
  root = await cli.session('Faster parser')
})
afterAll(() => model.close())

const statusOf = async (id: string) => {
  const { status, reason } = await cli.answer(['session', 'show', id])
  return [status, reason]
}

it('an agent that was killed stands still, is told of in the morning, and runs again once it is resumed', async () => {
  model.script = [{ text: 'Back.' }]
  model.faults = ['hang']
  const child = cli.spawn(['agent', 'wait', '--session', root], { env: env() })
  child.stdin?.end()
  const closed = new Promise((done) => child.on('close', done))
  while (model.requests.length === 0) await new Promise((done) => setTimeout(done, 20))
  const { children } = await cli.answer(['session', 'show', root])
  const [id] = children as string[]
  expect(await statusOf(String(id))).toEqual(['running', null])
  child.kill('SIGKILL')
  await closed
  expect(await statusOf(String(id))).toEqual(['resumable', 'process gone'])
  const { report } = await cli.answer(['brief', '--since', '10h', '--session', root])
  expect(report).toMatchObject({ running: [], parked: [], died: [{ what: 'session', reason: 'process gone' }] })
  const { out } = await cli.run(['tree', root])
  expect(out).not.toMatch(/agent.*running/)
  expect(await cli.answer(['agent', '--resume', String(id)], { env: env() })).toMatchObject({ text: 'Back.' })
  expect(await statusOf(String(id))).toEqual(['resumable', 'its program has ended'])
})

it('what an agent wrote names the message that called for it', async () => {
  const input = { key: 'done', delta: 6 }
  model.script = [{ text: 'All six.', calls: [{ id: 'toolu_w', name: 'state_increment', input }] }, { text: 'Done.' }]
  const { session_id: id } = await cli.answer(['agent', 'count', '--session', root], { env: env() })
  const { why } = await cli.answer(['state', 'get', 'done', '--why', '--session', root])
  expect(why).toMatchObject({
    session_id: id,
    message: { sequence_number: 2, tool: 'state_increment', tool_call_id: 'toolu_w', text: 'All six.' },
  })
  const { out } = await cli.run(['state', 'get', 'done', '--why', '--session', root])
  expect(out).toMatch(/^6\n.* \(agent[\w-]*, .*\)\nmessage 2 of its conversation called state_increment: All six\.\n$/)
  const { out: brief } = await cli.run(['brief', '--session', root])
  expect(brief).toMatch(/- done = 6 \(version 1, agent[\w-]* in message 2, /)
})
