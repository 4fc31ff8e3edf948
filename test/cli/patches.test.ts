import { beforeAll, expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()
let on: string[] = []

beforeAll(async () => {
  on = ['--session', await cairn.session('Patches')]
})

it('S0-36 S0-40 U56 state patch answers with the version of the document and the keys it touched', async () => {
  const patch = { 'counters.done': { $increment: 1 }, list: { $append: ['x'] }, config: { a: { b: 1 } } }
  const first = await cairn.answer(['state', 'patch', JSON.stringify(patch), ...on])
  expect(first).toMatchObject({
    version: 3,
    seq: 4,
    keys: { counters: { value: { done: 1 }, version: 1 }, list: { length: 1, version: 1 } },
  })
  const second = [
    'state',
    'patch',
    '{"config": {"c": 1}, "list": null}',
    '--strategy',
    'shallow',
    '--version',
    '3',
    ...on,
  ]
  expect((await cairn.answer(second)).keys).toEqual({
    config: { value: { c: 1 }, version: 2 },
    list: { deleted: true, version: 2 },
  })
  const { document, exit } = await cairn.json(second)
  expect([document.error, document.current_version, exit]).toEqual(['version_conflict', 5, 5])
  const wrong = await cairn.json(['state', 'patch', '{"config": {"$push": 1}}', ...on])
  expect([wrong.document.error, wrong.document.path, wrong.exit]).toEqual(['invalid_input', '$.config', 4])
})

it('U10 U56 state json-patch answers with the key, and with the operation that did not apply', async () => {
  await cairn.answer(['state', 'set', 'plan', '{"steps": ["a"]}', ...on])
  const add = '[{"op": "add", "path": "/steps/0", "value": "first"}]'
  expect(await cairn.answer(['state', 'json-patch', 'plan', add, '--version', '1', ...on])).toMatchObject({
    key: 'plan',
    value: { steps: ['first', 'a'] },
    version: 2,
  })
  const failing = await cairn.json([
    'state',
    'json-patch',
    'plan',
    '[{"op": "test", "path": "/at", "value": 1}]',
    ...on,
  ])
  expect(failing).toMatchObject({ document: { error: 'version_conflict', index: 0, path: '/at' }, exit: 5 })
  const scalar = await cairn.json(['state', 'json-patch', 'plan', '[{"op": "remove", "path": "/steps/0/x"}]', ...on])
  expect(scalar).toMatchObject({ document: { error: 'invalid_input', index: 0, path: '/steps/0/x' }, exit: 4 })
})

it('U11 S0-96 U56 state min, max, set-if-absent and mutate answer with what stands', async () => {
  expect(await cairn.answer(['state', 'max', 'most', '3.5', ...on])).toMatchObject({ value: 3.5, changed: true })
  expect(await cairn.answer(['state', 'min', 'most', '-2', ...on])).toMatchObject({
    value: -2,
    changed: true,
    version: 2,
  })
  expect(await cairn.answer(['state', 'max', 'most', '-3', ...on])).toMatchObject({
    value: -2,
    changed: false,
    version: 2,
  })
  expect(await cairn.answer(['state', 'set-if-absent', 'leader', '"a"', ...on])).toMatchObject({
    value: 'a',
    created: true,
  })
  expect(await cairn.answer(['state', 'set-if-absent', 'leader', '"b"', ...on])).toMatchObject({
    value: 'a',
    created: false,
  })
  const raw = await cairn.answer(['state', 'mutate', '{"type": "append", "key": "events", "items": [1]}', ...on])
  expect(raw).toEqual({
    event_id: expect.any(String),
    sequence_number: expect.any(Number),
    timestamp: expect.any(String),
    seq: raw.sequence_number + 1,
  })
  const unknown = await cairn.json(['state', 'mutate', '{"type": "explode"}', ...on])
  expect([unknown.document.error, unknown.document.path, unknown.exit]).toEqual(['invalid_input', 'mutation.type', 4])
})

it('U56 shows people the keys that a patch touched', async () => {
  const shown = await cairn.run(['state', 'patch', '{"a": 1, "counters.done": {"$increment": 1}, "most": null}', ...on])
  expect(shown.out).toMatch(/a\s+1\s+1\n.*counters\s+\{"done":2\}\s+2\n.*most\s+deleted\s+3\n.*version \d+, seq \d+/s)
  expect((await cairn.run(['state', 'patch', '{"nothing": null}', ...on])).out).toMatch(/^Nothing changed/)
})
