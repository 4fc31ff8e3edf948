// Calls of the typed client over a network that fails.
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Send } from '../../src/client/attempt.ts'
import { connect } from '../../src/client/connect.ts'
import { callRemote } from '../../src/client/repeated-call.ts'
import { refuse } from '../../src/domain/log/refusal.ts'
import { openCairn } from '../../src/open.ts'
import { operations } from '../../src/operations/index.ts'
import { sandbox } from '../cli/sandbox.ts'
import { refused } from '../setup/roots.ts'
import { serveHere } from '../setup/serve-here.ts'
import type { Fault } from './cutting.ts'
import { startedIn } from './started.ts'

const cairn = sandbox()

it('a refusal has the code, the message, the hint and the details of the server', async () => {
  const { url, direct, session } = await startedIn(cairn)
  await direct.state.set({ session, key: 'a', value: 1 })
  const conflict = await refused(direct.state.set({ session, key: 'a', value: 2, version: 7 }))
  expect(conflict).toMatchObject({ code: 'version_conflict', details: { current_version: 1, current_value: 1 } })
  const wrong = connect({ url, token: 'cairn_install_wrong' })
  expect((await refused(wrong.session.list({}))).code).toBe('unauthorized')
  expect((await refused(direct.state.get({ session, key: 1 } as never))).code).toBe('invalid_input')
})

it('U15 a change whose answer was lost is repeated and takes effect once', async () => {
  const { cutting, token, direct, session } = await startedIn(cairn)
  const { url, plan } = cutting
  const cut = connect({ url, token, session })
  plan.push('after', 'connecting', 'before', 'middle', 'after')
  expect(await cut.state.increment({ key: 'n' })).toMatchObject({ value: 1, version: 1 })
  expect(plan).toEqual([])
  plan.push('after')
  expect(await cut.state.get({ key: 'n' })).toMatchObject({ value: 1 })
  // A name that was given stays: it is known to whoever asked.
  plan.push('after')
  const named = await cut.state.increment({ key: 'n', request_id: 'mine' })
  expect(await direct.state.increment({ session, key: 'n', request_id: 'mine' })).toEqual(named)
  expect(await direct.state.get({ session, key: 'n' })).toMatchObject({ value: 2, version: 2 })
})

it('what may have been done already is repeated only if a repeat has no second effect', async () => {
  const asked: string[] = []
  const send: Send = async (operation) => {
    asked.push(operation)
    return { status: 504, text: JSON.stringify(refuse('outcome_unknown', 'Nobody knows.', 'Look.')) }
  }
  for (const operation of [operations.token.create, operations.store.gc, operations.state.all]) {
    expect((await refused(callRemote(send, operation, {}, { deadlineMs: 100 }))).code).toBe('outcome_unknown')
  }
  const [created, collected, ...read] = asked
  expect([created, collected]).toEqual(['token.create', 'store.gc'])
  expect(read.length).toBeGreaterThan(1)
})

it('when the time is over it says whether anything may have been done', async () => {
  const { cutting, token, direct, session } = await startedIn(cairn)
  const { url, plan } = cutting
  const cut = connect({ url, token, session, deadlineMs: 1500 })
  plan.push(...Array<Fault>(50).fill('after'))
  const unknown = await refused(cut.state.increment({ key: 'n' }))
  expect(unknown.code).toBe('outcome_unknown')
  const repeated = await direct.state.increment({ session, key: 'n', request_id: String(unknown.details.request_id) })
  expect(repeated).toMatchObject({ value: 1 })
  expect((await refused(cut.state.get({ key: 'n' }))).code).toBe('unavailable')
  // Upkeep has no request id, so it is asked once.
  const left = plan.length
  expect((await refused(cut.store.gc({}))).code).toBe('outcome_unknown')
  expect(plan).toHaveLength(left - 1)
  const gone = await serveHere({ home: join(cairn.folder, 'gone'), port: 0 })
  await gone.stop()
  const nobody = connect({ url: gone.discovered.url, token, deadlineMs: 100 })
  expect((await refused(nobody.state.increment({ session, key: 'n' }))).code).toBe('unavailable')
})

it('a wait that was cut off goes on', async () => {
  const { cutting, token, direct, session } = await startedIn(cairn)
  const { url, plan } = cutting
  const cut = connect({ url, token, session })
  plan.push('before', 'before')
  const waiting = cut.state.wait({ key: 'late', timeout: '30s' })
  while (plan.length > 0) await direct.session.list({})
  await direct.state.set({ session, key: 'late', value: 'now' })
  expect(await waiting).toMatchObject({ value: 'now' })
  plan.push('before')
  expect((await refused(cut.state.wait({ key: 'never', timeout: '50ms' }))).code).toBe('timeout')
})

it('U4 means the session, or else the project, that it was made with', async () => {
  const { url, token, direct, session } = await startedIn(cairn)
  const project = `${cairn.folder}/a project – here`
  const { session_id: other } = await direct.session.create({ topic: 'in a project', project })
  await connect({ url, token, session, actor: 'someone' }).state.set({ key: 'whose', value: 'by session' })
  await connect({ url, token, project, actor: 'søren' }).state.set({ key: 'whose', value: 'by project' })
  expect(await direct.state.get({ session, key: 'whose' })).toMatchObject({ value: 'by session' })
  expect(await direct.state.get({ session: other, key: 'whose' })).toMatchObject({ value: 'by project' })
  const { events } = await direct.log.list({ session: other, stream: 'state' })
  expect(events).toMatchObject([{ actor: 'søren' }])
})

it('what no server can be called with is refused before anything is sent', async () => {
  for (const wrong of [{ url: 'nowhere' }, { url: 'ftp://127.0.0.1' }, { token: 'two\nlines' }]) {
    const connecting = async () => connect({ url: 'http://127.0.0.1:1', token: 't', ...wrong })
    expect((await refused(connecting())).code).toBe('invalid_input')
  }
})

it('what JSON would change without a word is refused as the library does', async () => {
  const { cutting, token, session } = await startedIn(cairn)
  const client = connect({ url: cutting.url, token, session })
  const library = await openCairn({ home: join(cairn.folder, 'own') })
  onTestFinished(() => library.close())
  const itself: { own?: object } = {}
  itself.own = itself
  const values = [Number.NaN, -0, 10n, new Date(0), new Map(), () => 1, [undefined], { a: undefined }, itself]
  for (const value of values) {
    const [here, there] = [library, client].map((each) => refused(each.state.set({ key: 'v', value } as never)))
    expect((await there)?.refusal.toJSON()).toEqual((await here)?.refusal.toJSON())
  }
  expect(cutting.asked).toEqual([])
})
