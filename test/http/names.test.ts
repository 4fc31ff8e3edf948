// One name for a thing, in what is asked and in what is answered.
import { describe, expect, it } from 'vitest'
import { Sandbox } from '../cli/sandbox.ts'
import { talkWith } from '../mcp/talking.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { entries, type Part } from './documented.ts'
import { serveStore } from './served.ts'

const [sqlite] = STORES as [(typeof STORES)[number]]

describe('names', () => {
  const store = sharedStore(sqlite)

  it('a session is created with the names that it is shown with', async () => {
    const root = await store().createRoot()
    const served = await serveStore(store())
    const said = { topic: 't', session_name: 'worker', session_type: 'quick', parent_session_id: root }
    const created = await served.ask('POST', '/sessions', { body: said })
    expect(created).toMatchObject({ status: 201, body: { session_name: 'worker' } })
    expect((await served.ask('GET', `/sessions/${created.body.session_id}`)).body).toMatchObject(said)
    const project = { topic: 't', project_dir: '/srv/parser' }
    const other = (await served.ask('POST', '/sessions', { body: project })).body.session_id as string
    expect((await served.ask('GET', `/sessions/${other}`)).body).toMatchObject(project)
    expect((await served.ask('GET', '/sessions?project_dir=/srv/parser')).body).toMatchObject({
      sessions: [{ session_id: other }],
    })
    const used = await served.ask('POST', `/sessions/${other}/use`, { body: { project_dir: '/srv/parser' } })
    expect(used.body).toMatchObject({ session_id: other, project_dir: '/srv/parser' })
  })

  it('what is wrong is told under the name that was given', async () => {
    const root = await store().createRoot()
    const served = await serveStore(store())
    const ask = async (body: object) => (await served.ask('POST', '/sessions', { body: { topic: 't', ...body } })).body
    expect(await ask({ session_type: 'long' })).toMatchObject({
      path: 'session_type',
      message: expect.stringMatching(/^session_type must be one of/),
    })
    expect(await ask({ session_name: ' x' })).toMatchObject({ error: 'invalid_input', path: 'session_name' })
    expect(await ask({ name: ' x' })).toMatchObject({ error: 'invalid_input', path: 'name' })
    const both = { name: 'a', session_name: 'b' }
    expect(await ask(both)).toMatchObject({
      error: 'invalid_input',
      message: expect.stringContaining('both were given'),
    })
    await ask({ parent: root, name: 'one' })
    expect(await ask({ parent: root, session_name: 'ONE' })).toMatchObject({
      error: 'already_exists',
      session_name: 'ONE',
    })
  })

  it('every operation takes session_id for the session, as it answers it', async () => {
    const { cairn, session } = await newRoot(store())
    const other = await store().createRoot()
    await cairn.state.set({ session_id: other, key: 'k', value: 1 })
    expect(await cairn.state.get({ session: other, key: 'k' })).toMatchObject({ value: 1, version: 1 })
    expect((await refused(cairn.state.get({ key: 'k' }))).code).toBe('key_not_found')
    const named = { session, session_id: other, key: 'k' }
    expect((await refused(cairn.state.get(named))).code).toBe('invalid_input')
    const served = await serveStore(store())
    const made = await served.ask('POST', '/tokens', { body: { kind: 'agent', session_id: other } })
    expect(made.body).toMatchObject({ session_id: other })
  })

  it('library, commands and tools take them too', async () => {
    const { cairn, session } = await newRoot(store())
    expect(await cairn.session.create({ topic: 't', parent_session_id: session, session_name: 'one' })).toMatchObject({
      root_session_id: session,
      session_name: 'one',
    })
    const talk = await talkWith(store(), session, { profile: 'orchestrator' })
    const given = { topic: 't', parent_session_id: session, session_name: 'two' }
    expect((await talk.call('session_create', given)).document).toMatchObject({
      root_session_id: session,
      session_name: 'two',
    })
    talk.close()
    await cairn.close()
    const sandbox = new Sandbox()
    const env = { CAIRN_HOME: store().home }
    const line = ['session', 'create', 't', '--parent-session-id', session, '--session-name', 'three']
    expect(await sandbox.answer(line, { env })).toMatchObject({ root_session_id: session, session_name: 'three' })
    const twice = await sandbox.json([...line, '--name', 'four'], { env })
    expect(twice).toMatchObject({ exit: 2, document: { message: '--session-name and --name mean the same.' } })
    sandbox.remove()
  })

  it('what the description lists for a session is what it is shown with', () => {
    const schemaOf = (method: string, path: string, part: 'requestBody' | 'answer') => {
      const { operation } = entries.find((each) => each.method === method && each.path === path) as { operation: Part }
      const of = part === 'requestBody' ? operation.requestBody : operation.responses?.[200]
      return Object.keys((of as Part).content?.['application/json']?.schema?.properties as Part)
    }
    const asked = schemaOf('POST', '/sessions', 'requestBody')
    const shown = schemaOf('GET', '/sessions/{session}', 'answer')
    // What is not shown of a session says how it is to be created, or is read elsewhere.
    const besides = [
      'project',
      'initial_state',
      'workflow',
      'session_id',
      'request_id',
      'fence',
      'allow_secret',
      'call',
    ]
    expect(asked.filter((name) => !shown.includes(name) && !besides.includes(name))).toEqual([])
  })
})
