// How calls of the typed client end when they are not simply answered: put off, given up, or closed.
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { sandbox } from '../cli/sandbox.ts'
import { refused } from '../setup/roots.ts'
import type { Fault } from './cutting.ts'
import { startedIn } from './started.ts'

const cairn = sandbox()

describe('asked to come back later', () => {
  const busy = { error: 'busy', message: 'Busy.', hint: 'Come back.' }
  const later = (status: number, body: string, seconds: string): Fault => {
    return { status, headers: { 'retry-after': seconds }, body }
  }

  it('it does, when there is time for it', async () => {
    const { cutting, token, session } = await startedIn(cairn)
    const { url, plan, asked } = cutting
    const client = connect({ url, token, session })
    const limited = JSON.stringify({ ...busy, error: 'rate_limited' })
    plan.push(
      later(503, JSON.stringify(busy), '0'),
      later(429, limited, '0'),
      later(503, '<h1>no page of ours</h1>', '0'),
    )
    expect(await client.state.increment({ key: 'n' })).toMatchObject({ value: 1, version: 1 })
    expect(asked).toHaveLength(4)
  })

  it.each([
    ['busy', 503],
    ['rate_limited', 429],
  ])('it says %s at once when it would be too late then', async (error, status) => {
    const { cutting, token, session } = await startedIn(cairn)
    const { url, plan, asked } = cutting
    plan.push(later(status, JSON.stringify({ ...busy, error }), '60'))
    const client = connect({ url, token, session })
    expect(await refused(client.state.increment({ key: 'n' }))).toMatchObject({ code: error, message: 'Busy.' })
    expect(asked).toHaveLength(1)
  })
})

it('a connection that has gone silent does not take all the time', async () => {
  const { cutting, token, session } = await startedIn(cairn)
  const { url, plan, asked } = cutting
  plan.push('silent')
  const client = connect({ url, token, session, deadlineMs: 4000 })
  expect(await client.state.increment({ key: 'n' })).toMatchObject({ value: 1 })
  expect(asked).toHaveLength(2)
})

describe('a call that is ended by its signal', () => {
  it('throws the reason, or says that a change may have been made', async () => {
    const { cutting, token, direct, session } = await startedIn(cairn)
    const { url, plan } = cutting
    const client = connect({ url, token, session })
    const gone = AbortSignal.abort(new Error('not wanted any more'))
    await expect(client.state.increment({ key: 'n' }, gone)).rejects.toThrow('not wanted any more')
    for (const fault of ['silent', 'after'] as const) {
      const leaving = new AbortController()
      plan.push(fault, 'silent')
      const changing = refused(client.state.increment({ key: 'n' }, leaving.signal))
      while (plan.length > (fault === 'silent' ? 1 : 0)) await direct.session.list({})
      leaving.abort()
      const { code, details } = await changing
      expect(code).toBe('outcome_unknown')
      const repeated = { session, key: 'n', request_id: String(details.request_id) }
      expect(await direct.state.increment(repeated)).toEqual(await direct.state.increment(repeated))
      plan.length = 0
    }
    expect(await direct.state.get({ session, key: 'n' })).toMatchObject({ value: 2, version: 2 })
  })

  it('ends a wait, as it does in the library', async () => {
    const { url, token, session } = await startedIn(cairn)
    const remote = connect({ url, token, session })
    const leaving = new AbortController()
    const waiting = remote.state.wait({ key: 'never', timeout: '1h' }, leaving.signal)
    leaving.abort(new Error('no more'))
    await expect(waiting).rejects.toThrow('no more')
  })
})

it('once it was closed, waits are over, calls are answered and others refused', async () => {
  const { cutting, token, session } = await startedIn(cairn)
  const client = connect({ url: cutting.url, token, session })
  cutting.plan.push('after')
  const changing = client.state.increment({ key: 'n' })
  const waiting = refused(client.state.wait({ key: 'never', timeout: '1h' }))
  while (cutting.asked.length < 2) await new Promise((resolve) => setImmediate(resolve))
  await client.close()
  expect(await changing).toMatchObject({ value: 1 })
  expect(await waiting).toMatchObject({ code: 'unavailable', message: 'This client was closed.' })
  expect((await refused(client.state.get({ key: 'n' }))).code).toBe('unavailable')
  expect((await refused(client.follow({}).next())).code).toBe('unavailable')
})
