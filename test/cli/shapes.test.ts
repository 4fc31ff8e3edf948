import { beforeAll, expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()
const id = expect.stringMatching(/^sess_[0-9a-f]{32}$/)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
let root = ''
let child = ''

beforeAll(async () => {
  root = await cairn.session('Faster parser')
  child = await cairn.session('Profile it', '--name', 'profile', '--parent', root)
})

it('C29 session create answers with ids, slug and a status in lower case', async () => {
  const made = await cairn.answer(['session', 'create', '--topic', 'Quick look', '--type', 'quick', '--parent', root])
  expect(made).toMatchObject({ session_id: id, root_session_id: root, slug: expect.any(String), status: 'running' })
  expect(made.slug).toMatch(/^\d{4}-\d\d-\d\d_quick-look_[0-9a-f]{6}$/)
})

it('C15 ls, show and tree name sessions by id, slug, name or an end of the id', async () => {
  const { sessions } = await cairn.answer(['ls'])
  expect(sessions.map((each: { session_id: string }) => each.session_id)).toEqual([root])
  const shown = await cairn.answer(['show', 'profile'])
  expect(shown).toMatchObject({ session_id: child, parent_session_id: root, session_type: 'full', created_at: time })
  const [bySlug, byStart, byEnd] = await Promise.all(
    [shown.slug, child.slice(0, -2), child.slice(-8)].map((name) => cairn.answer(['session', 'show', name])),
  )
  expect([bySlug, byStart, byEnd]).toEqual([shown, shown, shown])
  const tree = await cairn.answer(['tree', root.slice(-8)])
  expect(tree).toMatchObject({ session_id: root, children: [{ session_id: child }, { session_type: 'quick' }] })
})

it('U56 the state commands answer with the promised members', async () => {
  const on = ['--session', child]
  expect(await cairn.answer(['state', 'init', '{"done": 0}', ...on])).toMatchObject({ state: { done: 0 }, version: 1 })
  const set = await cairn.answer(['state', 'set', 'a', '{"b": [null, "c"]}', ...on])
  expect(set).toEqual({
    key: 'a',
    value: { b: [null, 'c'] },
    version: 1,
    updated_at: time,
    updated_by: child,
    seq: expect.any(Number),
  })
  expect(await cairn.answer(['state', 'get', 'a', ...on])).toEqual(set)
  expect(await cairn.answer(['state', 'increment', 'done', ...on])).toEqual({ key: 'done', value: 1, version: 2 })
  expect(await cairn.answer(['state', 'append', 'list', '["x", 2]', ...on])).toEqual({
    key: 'list',
    length: 2,
    version: 1,
  })
  const merged = await cairn.answer(['state', 'merge', 'a', '{"b": null, "d": true}', ...on])
  expect(merged).toMatchObject({ key: 'a', value: { d: true }, version: 2 })
  expect(await cairn.answer(['state', 'delete', 'a', '--version', '2', ...on])).toMatchObject({
    key: 'a',
    deleted: true,
  })
  const all = await cairn.answer(['state', 'get', ...on])
  expect(all).toMatchObject({
    root_session_id: root,
    state: { done: 1, list: ['x', 2] },
    version: 6,
    global_version: 6,
    last_sequence: 6,
  })
  expect(all.keys.done).toEqual({ value: 1, version: 2, updated_at: time, updated_by: child })
  const past = await cairn.answer(['state', 'get', 'a', '--at', String(set.seq), ...on])
  expect(past).toMatchObject({ value: { b: [null, 'c'] }, version: 1 })
  expect((await cairn.answer(['state', 'get', '--at-sequence', '1', ...on])).state).toEqual({ done: 0 })
  const replaced = await cairn.answer(['state', 'replace', '{"z": 1}', '--version', '6', ...on])
  expect(replaced).toMatchObject({ state: { z: 1 }, version: 7 })
})

it('U56 log and state events list what happened', async () => {
  const log = await cairn.answer(['log', '--session', root, '--stream', 'state', '--since', '0', '--limit', '2'])
  expect(log).toMatchObject({ root_session_id: root, has_more: true, last_seq: expect.any(Number) })
  expect(log.events[0]).toMatchObject({ stream: 'state', version: 1, type: 'init', session_id: child, at: time })
  expect(log.events[0].actor).toMatch(/^cli:./)
  const since = await cairn.answer(['log', '--session', root, '--since', String(log.last_seq - 1)])
  expect(since.events.map((event: { seq: number }) => event.seq)).toEqual([log.last_seq])
  const listed = ['state', 'events', '--session', root, '--limit', '1']
  const { events } = await cairn.answer([...listed, '--since-version', '2'])
  expect(events).toMatchObject([{ type: 'increment', key: 'done', delta: 1, seq: 3, session_id: child }])
  // Like everywhere else in commands, --since is a place in the log.
  expect(await cairn.answer([...listed, '--since', String(events[0].root_seq - 1)])).toMatchObject({ events })
  const people = await cairn.run([...listed, '--since-version', '2'])
  expect(people.out).toMatch(/^SEQ {2}VERSION {2}TIME/)
  expect(people.out.split('\n')[1]).toMatch(new RegExp(`^ *${events[0].root_seq} +3 `))
})

it('U15 a request id makes a repeat harmless on every change', async () => {
  const once = ['state', 'increment', 'counted', '5', '--session', root, '--request-id', 'r1']
  const [first, second] = [await cairn.answer(once), await cairn.answer(once)]
  expect(second).toEqual(first)
  expect((await cairn.answer(['state', 'get', 'counted', '--session', root])).value).toBe(5)
})

it('U17 session end ends what is below, and nothing is written after it', async () => {
  const work = await cairn.session('To be ended')
  const below = await cairn.session('Below', '--parent', work)
  const ended = await cairn.answer(['session', 'end', work, '--status', 'failed', '--reason', 'no input'])
  expect(ended).toEqual({ session_id: work, root_session_id: work, status: 'failed', also_ended: [below] })
  const { document, exit } = await cairn.json(['state', 'set', 'late', '1', '--session', below])
  expect([document.error, exit]).toEqual(['session_ended', 5])
  const again = await cairn.json(['session', 'end', work])
  expect([again.document.error, again.document.from, again.exit]).toEqual(['illegal_transition', 'failed', 5])
  const listed = async (...flags: string[]) =>
    (await cairn.answer(['ls', ...flags])).sessions.map((each: { session_id: string }) => each.session_id)
  expect(await listed()).not.toContain(work)
  expect(await listed('--all')).toContain(work)
})

it('U62 the data folder is that of --home, else of CAIRN_HOME, and only its owner may look into it', async () => {
  const { statSync } = await import('node:fs')
  const other = `${cairn.folder}/other`
  await cairn.answer(['--home', other, 'session', 'create', '--topic', 'Elsewhere'])
  expect((await cairn.answer(['ls', '--home', other])).sessions).toHaveLength(1)
  expect((await cairn.answer(['ls', '--store', `sqlite:${other}/cairn.db`])).sessions).toHaveLength(1)
  expect((await cairn.answer(['ls'], { env: { CAIRN_STORE: `sqlite:${other}/cairn.db` } })).sessions).toHaveLength(1)
  expect(statSync(other).mode & 0o777).toBe(0o700)
  expect(statSync(`${other}/cairn.db`).mode & 0o777).toBe(0o600)
})

it('U53 the hint of a change that a value does not take names what makes room for it', async () => {
  const env = { AGENT_SESSION_ID: await cairn.session('Wrong type') }
  const key = `it's-a key`
  for (const args of [
    ['state', 'increment', key],
    ['state', 'append', key, '[1]'],
  ]) {
    await cairn.answer(['state', 'set', key, '"text"'], { env })
    const { document } = await cairn.json(args, { env })
    expect(document).toMatchObject({ error: 'wrong_type', type: 'string' })
    const [, value = '', command = '', flag = ''] =
      /write (\S+) with `cairn (.*?)` and `(.*?)`/.exec(document.hint) ?? []
    const words = [...command.split(' '), key, value, ...flag.split(' ')]
    expect((await cairn.run(words, { env })).exit, document.hint).toBe(0)
    await cairn.answer(args, { env })
  }
})
