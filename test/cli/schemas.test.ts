import { expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()

it('sets, lists and deletes schemas, and a write that breaks one exits with 4 and the path', async () => {
  await cairn.session()
  const file = cairn.write('task.json', '{"type": "object", "properties": {"owner": {"type": "string"}}}')
  const schema = { type: 'object', properties: { owner: { type: 'string' } } }
  const set = ['state', 'schema', 'set', 'task/', `@${file}`, '--prefix']
  expect(await cairn.answer(set)).toMatchObject({ target: 'task/', prefix: true, schema, broken: [] })
  const { document, exit } = await cairn.json(['state', 'set', 'task/1', '{"owner": 7}'])
  expect([exit, document.error, document.key, document.path]).toEqual([4, 'invalid_input', 'task/1', '$.owner'])
  expect(document.schema).toEqual({ target: 'task/', prefix: true, rule: '#/properties/owner/type' })
  expect((await cairn.run(['state', 'schema', 'ls'])).out).toMatch(/^FOR +SCHEMA .*\ntask\/\* +\{"type":"object",/)
  expect((await cairn.run(['state', 'schema', 'delete', 'task/', '--prefix'])).out).toBe(
    'task/* is no longer checked\n',
  )
  expect((await cairn.run(['state', 'schema', 'ls'])).out).toBe('No schemas. Values may be any JSON.\n')
  await cairn.answer(['state', 'set', 'task/1', '{"owner": 7}'])
  const present = await cairn.run(set)
  expect([present.exit, present.err]).toEqual([4, expect.stringContaining('"task/1" ($.owner must be of type string)')])
  const forced = await cairn.run([...set, '--force'])
  expect([forced.exit, forced.out]).toEqual([0, expect.stringContaining('  task/1: $.owner must be of type string\n')])
  expect((await cairn.json(['state', 'schema', 'delete', 'task/'])).exit).toBe(3)
  expect((await cairn.json(['state', 'schema', 'set', 'n', '{"type": "numbr"}'])).document.path).toBe('$.type')
})
