import { beforeAll, describe, expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()

beforeAll(async () => {
  await cairn.session()
})

describe('values', () => {
  it('takes negative numbers by their place', async () => {
    expect(await cairn.answer(['state', 'increment', 'n', '-5'])).toMatchObject({ value: -5 })
    expect(await cairn.answer(['state', 'increment', 'n', '-0.5'])).toMatchObject({ value: -5.5 })
    expect(await cairn.answer(['state', 'set', 'm', '-1.5'])).toMatchObject({ value: -1.5 })
  })

  it('S0-4 takes any JSON as an argument, from a file and from stdin', async () => {
    const file = cairn.write('value.json', ' {"a": [1, null, "ü 😀"]}\n')
    expect((await cairn.answer(['state', 'set', 'v', `@${file}`])).value).toEqual({ a: [1, null, 'ü 😀'] })
    const input = '[true, 1e-7]'
    expect((await cairn.answer(['state', 'set', 'v', '-'], { input })).value).toEqual([true, 1e-7])
    const value = `@${file}`
    expect((await cairn.answer(['session', 'create', '--topic', 'T', '--initial-state', value])).status).toBe('running')
  })

  it('takes what a session is about by its place or its flag, not by both', async () => {
    const made = await cairn.answer([
      'session',
      'create',
      'Look at it',
      '--parent',
      (await cairn.answer(['ls'])).sessions[0].session_id,
    ])
    expect(await cairn.answer(['show', made.session_id])).toMatchObject({ topic: 'Look at it' })
    const { exit, err } = await cairn.run(['session', 'create', 'One', '--topic', 'Two'])
    expect(err).toMatch(/TOPIC and --topic mean the same/)
    expect(exit).toBe(2)
  })

  it('U16 takes a batch from a file, from stdin and inline, as a document or as a list', async () => {
    const operations = [
      { op: 'set', key: 'b', value: 1 },
      { op: 'increment', key: 'b', delta: 2 },
    ]
    const on = ['--session', (await cairn.answer(['ls'])).sessions.at(-1).session_id]
    const file = cairn.write('batch.json', JSON.stringify({ operations }))
    const applied = await cairn.answer(['state', 'batch', file, ...on])
    expect(applied).toMatchObject({ applied: true, results: [{ value: 1 }, { value: 3, version: 2 }] })
    const input = JSON.stringify(operations)
    expect((await cairn.answer(['state', 'batch', '-', ...on], { input })).results[1].version).toBe(4)
    expect((await cairn.answer(['state', 'batch', input, ...on])).results[1].version).toBe(6)
  })
})

describe('a line that cannot be read', () => {
  const usage: [line: string, message: RegExp, hint: RegExp][] = [
    ['stat get', /Unknown command "cairn stat"/, /Did you mean cairn state\?/],
    ['state gte k', /Unknown command "cairn state gte"/, /Did you mean cairn state get\?/],
    ['increment n', /Unknown command/, /Did you mean cairn state increment\?/],
    ['state', /cairn state needs a subcommand/, /get, ls, set/],
    ['--nonsense', /Unknown flag --nonsense/, /cairn --help/],
    ['frobnicate --nonsense', /Unknown command "cairn frobnicate"/, /cairn --help/],
    ['--nonsense frobnicate', /Unknown flag --nonsense/, /cairn --help/],
    ['--home /nowhere frobnicate', /Unknown command "cairn frobnicate"/, /cairn --help/],
    ['state frobnicate --nonsense', /Unknown command "cairn state frobnicate"/, /cairn state --help/],
    ['session end', /ID is missing: the session to end/, /Usage: cairn session end ID/],
    ['state get k --raw', /--raw and --json cannot be combined/, /Leave one/],
    ['log -f --at 1', /--at cannot be combined with --follow/, /leave one out/],
    ['state set k 1 --verzion 3', /Unknown flag --verzion/, /Did you mean --version\?/],
    ['state set k 1 -x', /Unknown flag -x/, /Usage: cairn state set KEY VALUE/],
    ['state set k', /VALUE is missing: Any JSON value/, /Usage: cairn state set KEY VALUE \[--version N\]/],
    ['state set', /KEY is missing/, /Usage: cairn state set KEY VALUE/],
    ['session create', /TOPIC is missing/, /Usage: cairn session create TOPIC /],
    ['state set k 1 2', /Unexpected argument "2"/, /quotes/],
    ['state set k 1 --version', /--version needs a value/, /Usage/],
    ['state set k 1 --session --version 1', /--session needs a value, and --version is a flag/, /--session=--version/],
    ['state set k 1 --version 1 --version 2', /--version is given twice/, /once/],
    ['state set k 1 --version abc', /--version takes a whole number, not "abc"/, /Usage/],
    ['state set k 1 --create-only=maybe', /--create-only takes no value/, /Usage/],
    ['state get k --prefix x', /--prefix cannot be combined with these arguments/, /Usage: cairn state get KEY/],
    ['show a --session b', /ID and --session mean the same/, /Usage/],
    ['help stat', /Unknown command "cairn stat"/, /Did you mean cairn state\?/],
    ['tour now', /takes no arguments/, /Usage: cairn tour/],
    ['ls --home=', /--home is empty/, /value/],
  ]

  it.each(usage)('U56 is a usage error: %s', async (line, message, hint) => {
    const { document, exit } = await cairn.json(line.split(' '))
    expect(document).toMatchObject({
      error: 'usage',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    })
    expect(exit).toBe(2)
  })

  it('U56 takes flags before, between and after words, as one token or two, and -- ends them', async () => {
    const session = (await cairn.answer(['ls'])).sessions.at(-1).session_id
    const before = ['--home', cairn.home, 'state', '--json', 'set', `--session=${session}`, '--create-only=true']
    const { out } = await cairn.run([...before, '--version', '0', '--', '--odd', '1'])
    expect(JSON.parse(out)).toMatchObject({ key: '--odd', value: 1 })
  })
})
