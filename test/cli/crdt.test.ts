import { beforeAll, expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()
let root = ''

beforeAll(async () => {
  root = await cairn.session('Votes')
})

it('S0-92 S0-95 counters, sets and registers are commands, for programs and for people', async () => {
  const on = ['--session', root]
  expect(await cairn.answer(['state', 'counter-add', 'votes', ...on])).toEqual({ key: 'votes', value: 1, version: 1 })
  const down = await cairn.answer(['state', 'counter-add', 'votes', '-5', '--replica', 'laptop', ...on])
  expect(down).toEqual({ key: 'votes', value: -4, version: 2 })
  const grown = await cairn.run(['state', 'counter-add', 'tests', '3', '--kind', 'g', ...on])
  expect(grown).toMatchObject({ exit: 0, out: expect.stringContaining('tests = 3') })
  const added = await cairn.run(['state', 'set-add', 'seen', '["b", "a"]', ...on])
  expect(added).toMatchObject({ exit: 0, out: expect.stringContaining('seen has 2 items') })
  const removed = await cairn.answer(['state', 'set-remove', 'seen', '["b"]', ...on])
  expect(removed).toEqual({ key: 'seen', length: 1, version: 2 })
  const set = await cairn.answer(['state', 'register-set', 'phase', '"build"', ...on])
  expect(set).toMatchObject({ key: 'phase', value: 'build', version: 1, updated_by: root })
  const batch = '[{"op": "counter_add", "key": "tests"}, {"op": "set_add", "key": "seen", "items": ["z"]}]'
  expect(await cairn.answer(['state', 'batch', batch, ...on])).toMatchObject({ applied: true })
  const { state } = await cairn.answer(['state', 'get', ...on])
  expect(state).toEqual({ votes: -4, tests: 4, seen: ['a', 'z'], phase: 'build' })
  expect(await cairn.answer(['doctor'])).toMatchObject({ ok: true })
})

it('S0-95 says which kind a key is of and which command changes it', async () => {
  const on = ['--session', root]
  await cairn.answer(['state', 'counter-add', 'count', '--kind', 'g', ...on])
  const { document, exit } = await cairn.json(['state', 'increment', 'count', ...on])
  expect(exit).toBe(4)
  expect(document).toMatchObject({
    error: 'wrong_type',
    kind: 'g-counter',
    hint: expect.stringContaining('counter-add'),
  })
  const shrunk = await cairn.json(['state', 'counter-add', 'count', '-1', ...on])
  expect([shrunk.document.error, shrunk.exit]).toEqual(['invalid_input', 4])
  const kind = await cairn.json(['state', 'counter-add', 'new', '--kind', 'x', ...on])
  expect([kind.document.error, kind.exit]).toEqual(['invalid_input', 4])
  const half = await cairn.run(['state', 'counter-add', 'new', '1.5', ...on])
  expect(half.exit).toBe(2)
})
