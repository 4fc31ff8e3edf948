import { beforeAll, expect, it } from 'vitest'
import { startServer } from '../server/servers.ts'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()
let on: string[] = []

beforeAll(async () => {
  on = ['--session', await cairn.session('Faster parser')]
  await cairn.answer(['state', 'init', '{"done": 1, "list": ["a", "b"], "o": {"x": 1}}', ...on])
  await cairn.answer(['state', 'increment', 'done', '4', ...on])
  await cairn.answer(['state', 'set', 'list', '["b", "a", "c"]', ...on])
  await cairn.answer(['state', 'merge', 'o', '{"x": null}', ...on])
})

it('S0-74 state history shows the versions of a key, as a table and as JSON', async () => {
  const { versions, has_more } = await cairn.answer(['state', 'history', 'done', '--limit', '1', ...on])
  expect(versions).toMatchObject([{ version: 2, seq: 3, value: 5, type: 'increment' }])
  expect(has_more).toBe(true)
  const rest = await cairn.answer(['state', 'history', 'done', '--before', '2', ...on])
  expect(rest).toMatchObject({ versions: [{ version: 1, value: 1 }], has_more: false })
  const { out } = await cairn.run(['state', 'history', 'done', '--limit', '1', ...on])
  expect(out).toMatch(/VERSION +SEQ +TYPE +VALUE/)
  expect(out).toMatch(/more: --before 2\n$/)
})

it('diff and state diff show what differs, with a sign each', async () => {
  const { changes } = await cairn.answer(['diff', '2', 'now', ...on])
  expect(changes.map(({ op, key, path }: Record<string, string>) => `${op} ${key}${path}`)).toEqual([
    'changed done',
    'moved list/1',
    'added list/2',
    'removed o/x',
  ])
  const { out } = await cairn.run(['state', 'diff', '2', 'now', ...on])
  expect(out.split('\n')).toEqual([
    '~ done  1 → 5',
    '> list/1  "a", from /0',
    '+ list/2  "c"',
    '- o/x  1',
    '4 differences between 2 and 5',
    '',
  ])
  expect((await cairn.run(['diff', '2', '2', ...on])).out).toBe('Nothing differs between 2 and 2.\n')
})

it('why tells where a value comes from', async () => {
  const { events } = await cairn.answer(['why', 'done', ...on])
  expect(events).toMatchObject([
    { did: 'added 4, which made 5' },
    { did: 'started it as 1', actor: expect.any(String) },
  ])
  expect((await cairn.run(['why', 'done', '--at', '2', ...on])).out).toContain('started it as 1')
})

it('why shows the same through a server and without one', async () => {
  const of = ['--session', await cairn.session('Served')]
  const why = async () => (await cairn.run(['why', 'n', ...of])).out.replace(/ +/g, ' ').replace(/\d+s ago|now/g, 'AGO')
  await cairn.answer(['state', 'increment', 'n', ...of])
  const server = await startServer(cairn)
  await cairn.answer(['state', 'increment', 'n', ...of])
  const through = await why()
  await server.stop()
  const [titles, ...rows] = through.trim().split('\n')
  expect(titles?.trim()).toBe('SEQ TIME SESSION DID ACTOR')
  expect(rows).toHaveLength(2)
  expect(await why()).toBe(through)
})

it('state get takes a time', async () => {
  const { events } = await cairn.answer(['log', ...on])
  const { state } = await cairn.answer(['state', 'get', '--at-time', events[1].at, ...on])
  expect(state).toMatchObject({ o: { x: 1 } })
  expect((await cairn.json(['state', 'get', '--at-time', 'noon', ...on])).exit).toBe(4)
})

it('S0-114 state summary prints what goes into a prompt', async () => {
  const { out } = await cairn.run(['state', 'summary', '--max-keys', '1', ...on])
  expect(JSON.parse(out)).toEqual({ o: {}, _truncated: true, _full_key_count: 3 })
})

it('state restore sets chosen keys back, and refuses the future', async () => {
  const done = await cairn.answer(['state', 'restore', '2', '--keys', 'o,done', ...on])
  expect(done).toMatchObject({ to: 2, changed: [{ key: 'done' }, { key: 'o' }] })
  expect((await cairn.answer(['state', 'get', ...on])).state).toEqual({ done: 1, list: ['b', 'a', 'c'], o: { x: 1 } })
  const again = await cairn.run(['state', 'restore', '2', '--keys', '["o"]', ...on])
  expect(again.out).toBe('Nothing to restore: everything is as it was at 2.\n')
  for (const [args, exit] of [
    [['state', 'restore', '99'], 4],
    [['state', 'restore', 'then'], 4],
    [['state', 'restore', '2', '--keys', 'none'], 3],
    [['state', 'restore'], 2],
    [['diff', '2', '99'], 4],
    [['diff', '2'], 2],
    [['why', 'none'], 3],
    [['state', 'history', 'none'], 3],
  ] as const) {
    expect((await cairn.json([...args, ...on])).exit, args.join(' ')).toBe(exit)
  }
})

it('every read command takes --at, and cairn log shows the newest page, from which --at leads back', async () => {
  const child = await cairn.answer(['session', 'create', 'Child', '--parent', String(on[1]), '--name', 'Child'])
  const then = (await cairn.answer(['log', '--limit', '1', ...on])).last_seq
  const commands = [
    ['show', String(on[1])],
    ['tree', String(on[1])],
    ['ls', '--all'],
    ['log', '--limit', '2', ...on],
    ['log', 'rows', 'sessions', ...on],
    ['log', 'times', ...on],
    ['state', 'get', ...on],
    ['state', 'get', 'done', ...on],
    ['state', 'summary', ...on],
    ['state', 'history', 'done', ...on],
    ['state', 'events', ...on],
    ['state', 'schema', 'ls', ...on],
    ['why', 'done', ...on],
  ]
  const before = []
  for (const command of commands) before.push(await cairn.answer(command))
  await cairn.answer(['state', 'increment', 'done', ...on])
  await cairn.answer(['state', 'schema', 'set', 'done', '{"type": "number"}', ...on])
  await cairn.answer(['session', 'end', String(child.session_id)])
  await cairn.answer(['session', 'end', String(on[1])])
  for (const [at, command] of commands.entries()) {
    expect(await cairn.answer([...command, '--at', String(then)]), command.join(' ')).toEqual(past(before[at]))
    expect(await cairn.answer(command), command.join(' ')).not.toEqual(before[at])
  }
  const pages: number[] = []
  for (let at: number | undefined = then; at !== undefined; ) {
    const page: { events: { seq: number }[]; next_at?: number } = await cairn.answer([
      'log',
      '--limit',
      '2',
      '--at',
      String(at),
      ...on,
    ])
    pages.unshift(...page.events.map(({ seq }) => seq))
    at = page.next_at
  }
  expect(pages).toEqual(Array.from({ length: then }, (_, at) => at + 1))
  const { err, exit } = await cairn.run(['show', String(child.session_id), '--at', '1'])
  expect(err).toMatch(/did not exist yet at 1/)
  expect(exit).toBe(3)
})

/** What a root takes up on disk is of the present only. */
function past(answer: unknown): unknown {
  const { root_disk: _, ...rest } = answer as { root_disk?: unknown }
  return rest
}

it('S2-1 diff shows the plan and the journal too, and how each was changed', async () => {
  const of = ['--session', await cairn.session('Planned')]
  await cairn.answer(['task', 'add', 'Lex', ...of])
  await cairn.answer(['decide', 'SQLite', '--context', 'c', '--reason', 'r', ...of])
  await cairn.answer(['task', 'claim', '1', ...of])
  await cairn.answer(['next', 'Go on', ...of])
  expect((await cairn.run(['diff', '2', 'now', ...of])).out.split('\n')).toEqual([
    '+ position  phase 3, task-001 Lex, wave 1, in_progress',
    '+ next_action  Go on',
    '~ task-001 (Lex)  status "open" → "claimed"',
    '+ decision-001  SQLite',
    expect.stringMatching(/^4 differences between 2 and \d+$/),
    '',
  ])
})
