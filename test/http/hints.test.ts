// What a refusal says to do next, in the words of whoever is refused.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import type { AnyOperation } from '../../src/operations/operation.ts'
import { toolRefusal } from '../../src/surfaces/mcp/methods/tool-results.ts'
import { revisions } from '../../src/surfaces/mcp/protocol/revisions.ts'
import { Sandbox } from '../cli/sandbox.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { serveStore } from './served.ts'

const [sqlite] = STORES as [(typeof STORES)[number]]

describe('hints over HTTP', () => {
  const store = sharedStore(sqlite)

  async function started() {
    const { cairn, session } = await newRoot(store())
    await cairn.state.set({ key: 'k', value: 1 })
    const served = await serveStore(store())
    return { cairn, session, served, path: `/sessions/${session}/state/keys/k` }
  }

  it('a stale version is told with the header to send, and what to send', async () => {
    const { served, path, session } = await started()
    const stale = await served.ask('PUT', path, { headers: { 'if-match': '"7"' }, body: { value: 2 } })
    expect([stale.status, stale.body.hint]).toEqual([409, expect.stringContaining('`If-Match: "1"`')])
    const taken = await served.ask('PUT', path, { headers: { 'if-none-match': '*' }, body: { value: 2 } })
    expect([taken.status, taken.body.error]).toEqual([409, 'already_exists'])
    // Followed, it works: without a precondition it would be refused again.
    expect(taken.body.hint).toContain('Send If-Match: "1" to replace')
    expect((await served.ask('PUT', path, { headers: { 'if-match': '"1"' }, body: { value: 2 } })).status).toBe(200)
    const inBody = await served.ask('PUT', path, { body: { value: 2, create_only: true } })
    expect([inBody.body.error, inBody.body.hint]).toEqual(['already_exists', expect.stringContaining('If-Match: "2"')])
    const gone = await served.ask('PUT', `${path}x`, { headers: { 'if-match': '"7"' }, body: { value: 2 } })
    expect(gone.body.hint).toContain('`If-None-Match: *`')
    const whole = await served.ask('PUT', `/sessions/${session}/state`, {
      headers: { 'if-match': '"7"' },
      body: { state: {} },
    })
    expect(whole.body.hint).toContain('`If-Match: "2"`')
    // In a batch it is a member of each operation, and so it is called by its name.
    const operations = [{ op: 'set', key: 'k', value: 1, if_match: 7 }]
    const batch = await served.ask('POST', `/sessions/${session}/state/batch`, { body: { operations } })
    expect(batch.body.hint).toContain('`if_match: 2`')
    expect(batch.body.results).toMatchObject([{ hint: expect.stringContaining('`if_match: 2`') }])
  })

  it('what else to ask is told as a method and a path', async () => {
    const { served, path, session } = await started()
    const missing = await served.ask('GET', `${path}x`)
    expect(missing.body.hint).toBe(
      'List the keys with `GET /sessions/{session}/state`, or create it with `PUT /sessions/{session}/state/keys/{key}`.',
    )
    expect((await served.ask('GET', '/sessions/nobody')).body.hint).toContain(
      'List sessions with `GET /sessions?all=true`, or create one with `POST /sessions`.',
    )
    const wrong = await served.ask('POST', `${path}/ops`, { body: { operation: 'append', items: [1] } })
    expect(wrong.body.hint).toContain('write [] with `PUT /sessions/{session}/state/keys/{key}` and `If-Match: "1"`')
    const schema = await served.ask('DELETE', `/sessions/${session}/schemas?target=k`)
    expect(schema.body.hint).toBe(
      'List them with `GET /sessions/{session}/schemas`; name that of a prefix with `?prefix=true`.',
    )
    const child = { topic: 't', parent_session_id: session, initial_state: {} }
    const state = await served.ask('POST', '/sessions', { body: child })
    expect(state.body.hint).toBe('Leave out `initial_state`, or leave out `parent_session_id`.')
    const repeated = { headers: { 'idempotency-key': 'once' } }
    await served.ask('PUT', `${path}y`, { ...repeated, body: { value: 1 } })
    const mismatch = await served.ask('PUT', `${path}y`, { ...repeated, body: { value: 2 } })
    expect(mismatch.body).toMatchObject({
      error: 'idempotency_mismatch',
      hint: expect.stringContaining('`Idempotency-Key`'),
    })
    await served.ask('PUT', `${path}z`, { body: { value: 1, request_id: 'twice' } })
    const other = await served.ask('PUT', `${path}z`, { body: { value: 2, request_id: 'twice' } })
    expect(other.body).toMatchObject({
      error: 'idempotency_mismatch',
      hint: expect.stringContaining('`request_id`'),
    })
  })

  it('a session that has ended is told where it was named: in the path, or as the parent', async () => {
    const { served, path, session } = await started()
    await served.ask('POST', `/sessions/${session}/end`)
    const written = await served.ask('POST', `${path}/ops`, { body: { operation: 'increment' } })
    expect(written.body.hint).toBe(
      'Create a new session with `POST /sessions`, or name an open one with `/sessions/{session}`.',
    )
    const child = await served.ask('POST', '/sessions', { body: { topic: 't', parent_session_id: session } })
    expect(child.body).toMatchObject({
      error: 'session_ended',
      hint: 'Name an open session as `parent_session_id`, or leave it out to create a root.',
    })
  })

  it('parameters of a path are told by the names that they have there, those of the long poll too', async () => {
    const { served, session } = await started()
    const unknown = await served.ask('GET', `/sessions/${session}/events?foo=1`)
    expect(unknown.body).toMatchObject({ error: 'invalid_input', message: 'Unknown parameter "foo".' })
    for (const name of ['since', 'limit', 'wait', 'type'])
      expect(unknown.body.hint).toMatch(new RegExp(`\\b${name}\\b`))
    expect(unknown.body.hint).not.toMatch(/timeout|session\b/)
    const field = await served.ask('POST', '/sessions', { body: { topic: 't', sesion_type: 'quick' } })
    expect(field.body).toMatchObject({ message: 'Unknown field "sesion_type".', path: 'sesion_type' })
    expect(field.body.hint).toContain('session_type')
  })

  it('events of a type can be asked for without waiting', async () => {
    const { served, session } = await started()
    const events = `/sessions/${session}/events`
    const { status, body } = await served.ask('GET', `${events}?type=set`)
    expect([status, (body.events as { type: string }[]).map(({ type }) => type)]).toEqual([200, ['set']])
    expect((await served.ask('GET', `${events}?type=delete`)).body).toMatchObject({ events: [], has_more: false })
    expect((await served.ask('GET', `${events}?type=nonsense`)).status).toBe(422)
  })

  it('a broken percent-encoding is told as that, with the place', async () => {
    const { served, session } = await started()
    for (const [path, broken] of [
      [`/sessions/${session}/state/keys/%zz`, '%zz'],
      ['/sessions/%ff/state', '%ff'],
      ['/sessions?topic=100%', '%'],
    ]) {
      const { status, body } = await served.ask('GET', path as string)
      expect([status, body.error, body.message]).toEqual([
        400,
        'bad_request',
        `The URL has an invalid percent-encoding: ${broken}.`,
      ])
      expect(body.hint).toContain('%25')
    }
  })

  it('whoever calls an operation by its name is told its names', async () => {
    const { served, session } = await started()
    const body = { session, key: 'k', value: 2, version: 7 }
    expect((await served.ask('POST', '/operations/state.set', { body })).body.hint).toContain('`version: 1`')
    const gone = await served.ask('POST', '/operations/state.get', { body: { session, key: 'x' } })
    expect(gone.body.hint).toBe('List the keys with `state.all`, or create it with `state.set`.')
    const none = await served.ask('POST', '/operations/state.all', { body: {} })
    expect(none.body.hint).toContain('`session.create`')
  })

  it('commands speak of commands and flags, tools of tools and arguments, the library of methods', async () => {
    const { cairn, session } = await newRoot(store())
    await cairn.state.set({ key: 'k', value: 1 })
    const missing = await refused(cairn.state.get({ key: 'x' }))
    const stale = await refused(cairn.state.set({ key: 'k', value: 2, version: 7 }))
    expect(missing.hint).toContain('`state.set`')
    expect(stale.hint).toContain('`version: 1`')
    await cairn.close()

    const sandbox = new Sandbox()
    const env = { CAIRN_HOME: store().home }
    const run = async (...line: string[]) =>
      (await sandbox.json([...line, '--session', session], { env })).document.hint
    expect(await run('state', 'get', 'x')).toBe(
      'List the keys with `cairn state get`, or create it with `cairn state set`.',
    )
    expect(await run('state', 'set', 'k', '2', '--version', '7')).toContain('`--version 1`')
    sandbox.remove()

    const [revision] = revisions as unknown as [Parameters<typeof toolRefusal>[1]]
    const told = (refusal: typeof missing) => JSON.stringify(toolRefusal(refusal.refusal, revision))
    expect(told(missing)).toContain('List the keys with `state_get`, or create it with `state_set`.')
    expect(told(stale)).toContain('`version: 1`')
  })
})

describe('hints in the source', () => {
  const inner = ['domain', 'operations', 'log', 'store', 'json'].flatMap((layer) => filesIn(join('src', layer)))
  const lines = inner.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((text) => ({ file, text: text.trim() })),
  )
  const said = lines.filter(({ text }) => !/^(?:\/\*\*|\*|\/\/)/.test(text))
  const all = Object.values(operations).flatMap((verbs) => Object.values(verbs))
  const named = new Set<string>([
    ...all.map(({ name }) => name),
    ...all.flatMap(({ input }) => Object.keys(input.members)),
    // As the environment of a command has them, and headers of a request.
    'AGENT_SESSION_ID',
    'AGENT_ROOT_SESSION_ID',
    'next_cursor',
    // The id of a token.
    'install',
  ])

  it('no layer below the surfaces speaks of commands or flags', () => {
    // A copy of a store that is no store yet can only be looked at with the command; and upkeep tells its owner what is left to do.
    const ofOwners = /cairn doctor --repair --store|run cairn gc later/
    // What an operation shows as an example of its command is of a command line and nothing else.
    const examples = new Set(all.flatMap(({ command }: AnyOperation) => command.examples ?? []))
    const isExample = (text: string) => /\bexamples: \[/.test(text) || examples.has(text.slice(1).replace(/.,$/, ''))
    const found = said.filter(
      ({ text }) => /\bcairn [a-z]|(?:^|[\s'"`])--[a-z]/.test(text) && !ofOwners.test(text) && !isExample(text),
    )
    expect(found).toEqual([])
  })

  it('what a hint names in backticks is an operation, or what one takes', () => {
    const quoted = said.flatMap(({ file, text }) =>
      [...text.matchAll(/\\?`([A-Za-z]\w*(?:\.[a-z]\w*)?)(?:: [^`]*?)?\\?`/g)]
        .filter(() => /hint|refuse|'.*`.*'|\\`/.test(text))
        .map(([, name]) => ({ file, name: name as string })),
    )
    expect(quoted.length).toBeGreaterThan(30)
    expect(quoted.filter(({ name }) => !named.has(name))).toEqual([])
  })
})

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && each.name.endsWith('.ts'))
    .map((each) => join(each.parentPath, each.name))
}
