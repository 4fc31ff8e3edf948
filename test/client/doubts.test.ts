// Once an attempt may have taken effect, the call says so in the end, whatever became of the attempts after it.
import { expect, it } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { sandbox } from '../cli/sandbox.ts'
import { refused } from '../setup/roots.ts'
import type { Fault } from './cutting.ts'
import { startedIn } from './started.ts'

const cairn = sandbox()

const later = (error: string, seconds: string): Fault => ({
  status: 503,
  headers: { 'retry-after': seconds },
  body: JSON.stringify({ error, message: 'Not now.', hint: 'Come back.' }),
})

const refusals = ['busy', 'rate_limited', 'unavailable']

it.each(refusals)('a change whose answer was lost is in doubt, though the next attempt is told %s', async (error) => {
  const { cutting, token, direct, session } = await startedIn(cairn)
  const { url, plan, asked } = cutting
  const client = connect({ url, token, session })
  plan.push('after', later(error, '60'))
  const { code, details } = await refused(client.state.increment({ key: 'n' }))
  expect(code).toBe('outcome_unknown')
  expect(asked).toHaveLength(2)
  const repeated = { session, key: 'n', request_id: String(details.request_id) }
  expect(await direct.state.increment(repeated)).toMatchObject({ value: 1, version: 1 })
  expect(await direct.state.get({ session, key: 'n' })).toMatchObject({ value: 1 })
})

it('a change is in doubt though all attempts after the first found nobody', async () => {
  const { cutting, token, direct, session } = await startedIn(cairn)
  const { url, plan, asked } = cutting
  const client = connect({ url, token, session, deadlineMs: 1500 })
  plan.push('last')
  expect((await refused(client.state.increment({ key: 'n' }))).code).toBe('outcome_unknown')
  expect(asked).toHaveLength(1)
  expect(await direct.state.get({ session, key: 'n' })).toMatchObject({ value: 1 })
})

it('a change that is ended by its signal between two attempts is in doubt because of the first', async () => {
  const { cutting, token, direct, session } = await startedIn(cairn)
  const { url, plan } = cutting
  const client = connect({ url, token, session })
  plan.push('after', later('busy', '20'))
  const leaving = new AbortController()
  const changing = refused(client.state.increment({ key: 'n' }, leaving.signal))
  while (plan.length > 0) await direct.session.list({})
  // The refusal has come by then, and the client waits.
  for (let times = 0; times < 20; times++) await direct.session.list({})
  leaving.abort(new Error('not wanted any more'))
  expect((await changing).code).toBe('outcome_unknown')
})

it('what has no effect is in no doubt, and neither is what surely never arrived', async () => {
  const { cutting, token, session } = await startedIn(cairn)
  const { url, plan } = cutting
  const client = connect({ url, token, session })
  plan.push('after', later('busy', '60'))
  expect((await refused(client.state.all({}))).code).toBe('busy')
  plan.push(later('busy', '0'), later('rate_limited', '60'))
  expect((await refused(client.state.increment({ key: 'n' }))).code).toBe('rate_limited')
})
