import { writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Document, sandbox } from './sandbox.ts'

const cairn = sandbox()
let log: Document

beforeAll(async () => {
  await cairn.session()
  await cairn.answer(['state', 'set', 'text', '"abc"'])
  await cairn.answer(['state', 'increment', 'n', '1', '--request-id', 'first'])
  log = await cairn.answer(['log'])
})

/** Refused with this code and exit, with a hint, and without a trace in the log. */
async function refused(args: string[], code: string, exit: number, input?: string): Promise<Document> {
  const ran = await cairn.json(args, input === undefined ? {} : { input })
  const { error, hint } = ran.document
  expect({ error, exit: ran.exit, args }).toEqual({ error: code, exit, args })
  expect(hint).toMatch(/\S/)
  expect(ran.err).toMatch(/^error: \S/)
  return ran.document
}

async function logIsUnchanged(): Promise<void> {
  expect(await cairn.answer(['log'])).toEqual(log)
}

const values: [name: string, code: string, value?: string][] = [
  ['9007199254740993', 'number_out_of_range'],
  ['1e400', 'number_out_of_range'],
  ['1e-400', 'number_out_of_range'],
  ['-0', 'number_out_of_range'],
  ['{"a":1,"a":2}', 'invalid_input'],
  ['"\\ud800"', 'invalid_input'],
  ['"\\u0000"', 'invalid_input'],
  ['depth 65', 'too_deep', '['.repeat(65) + ']'.repeat(65)],
  ['{"__proto__":1}', 'invalid_input'],
]

describe('values that may not be kept', () => {
  it.each(values)(
    'U12 refuses %s as an argument, in a file, on stdin and in a batch',
    async (name, code, value = name) => {
      const file = cairn.write(`value-${values.findIndex(([each]) => each === name)}.json`, value)
      const batch = `${file}.batch`
      writeFileSync(batch, `{"operations":[{"op":"increment","key":"n"},{"op":"set","key":"k","value":${value}}]}`)
      const documents = await Promise.all([
        refused(['state', 'set', 'k', value], code, 4),
        refused(['state', 'set', 'k', `@${file}`], code, 4),
        refused(['state', 'set', 'k', '-'], code, 4, value),
        refused(['state', 'batch', batch], code, 4),
      ])
      for (const { path } of documents) expect(path).toEqual(expect.any(String))
      await logIsUnchanged()
    },
  )

  it('U12 refuses what begins like JSON and breaks, with the place, and says how to quote it', async () => {
    const [broken, object, text, near, nothing, piped] = await Promise.all([
      refused(['state', 'merge', 'k', '{a: 1}'], 'invalid_input', 4),
      refused(['state', 'set', 'k', '{"a": 1'], 'invalid_input', 4),
      refused(['state', 'set', 'k', '"open'], 'invalid_input', 4),
      refused(['state', 'set', 'k', '01'], 'invalid_input', 4),
      refused(['state', 'set', 'k', '-'], 'invalid_input', 4, ''),
      refused(['state', 'set', 'k', '-'], 'invalid_input', 4, 'hello'),
      refused(['state', 'increment', 'n', 'many'], 'invalid_input', 4),
      refused(['state', 'set', 'k', ''], 'invalid_input', 4),
    ])
    for (const each of [broken, object, text]) expect(each.hint).toContain('single quotes')
    expect([object.line, object.column, text.column, near.column]).toEqual([1, 8, 1, 2])
    expect(near.hint).toContain('"01"')
    expect(nothing.hint).not.toContain('shell')
    expect(piped.hint).toContain('--text')
    await logIsUnchanged()
  })

  it('U8 refuses a file of more than 4 MiB, one that is not UTF-8, and one that is not there', async () => {
    const large = cairn.write('large.json', `"${'x'.repeat(4 * 1024 * 1024)}"`)
    const latin1 = cairn.write('latin1.json', Buffer.from([0x22, 0xe9, 0x22]))
    const [tooLarge] = await Promise.all([
      refused(['state', 'set', 'k', `@${large}`], 'payload_too_large', 4),
      refused(['state', 'set', 'k', `@${latin1}`], 'invalid_input', 4),
      refused(['state', 'set', 'k', '@missing.json'], 'not_found', 3),
      refused(['state', 'batch', 'missing.json'], 'not_found', 3),
      refused(['state', 'set', 'k', `@${cairn.folder}`], 'invalid_input', 4),
    ])
    expect(tooLarge.message).toContain('requestBytes')
    await logIsUnchanged()
  })
})

describe('requests that may not be done', () => {
  it('U54 have the exit code of their class', async () => {
    await Promise.all([
      refused(['state', 'set', 'k'.repeat(300), '1'], 'invalid_input', 4),
      refused(['state', 'set', '', '1'], 'invalid_input', 4),
      refused(['state', 'set', 'k', '1', '--session', 'nobody'], 'session_not_found', 3),
      refused(['state', 'get', 'missing'], 'key_not_found', 3),
      refused(['state', 'increment', 'n', '2', '--request-id', 'first'], 'idempotency_mismatch', 4),
      refused(['state', 'set', 'n', '1', '--create-only'], 'already_exists', 5),
      refused(['state', 'init', '{}'], 'already_exists', 5),
      refused(['session', 'create', '--topic', 'T', '--type', 'huge'], 'invalid_input', 4),
      refused(['log', '--limit', '0'], 'invalid_input', 4),
    ])
    await logIsUnchanged()
  })

  it('U11 U53 tell what is there instead', async () => {
    const [type, stale] = await Promise.all([
      refused(['state', 'increment', 'text'], 'wrong_type', 4),
      refused(['state', 'set', 'n', '5', '--version', '7'], 'version_conflict', 5),
    ])
    expect(type.message).toContain('text')
    expect(stale).toMatchObject({ key: 'n', current_version: 1, your_version: 7, current_value: 1 })
    const people = await cairn.run(['state', 'set', 'n', '5', '--version', '7'])
    expect(people).toMatchObject({ out: '', exit: 5 })
    expect(people.err).toMatch(/^error: .*\nnow: 1\nhint: .*\n$/)
    await logIsUnchanged()
  })

  it('C34 a refused batch says what became of each item', async () => {
    const operations = [
      { op: 'increment', key: 'n' },
      { op: 'set', key: 'n', value: 0, if_match: 9 },
    ]
    const file = cairn.write('stale.json', JSON.stringify({ operations }))
    const { applied, results } = await refused(['state', 'batch', file], 'version_conflict', 5)
    expect(applied).toBe(false)
    expect(results.map((each: { status: string }) => each.status)).toEqual(['not_applied', 'conflict'])
    await refused(['state', 'batch', '{"operations": [], "more": 1}'], 'invalid_input', 4)
    await logIsUnchanged()
  })
})

it('U56 a store that cannot be opened is exit 6, and its file stays as it is', async () => {
  const file = cairn.write('plain', 'text')
  const [below] = await Promise.all([
    refused(['ls', '--home', `${file}/below`], 'storage_error', 6),
    refused(['ls', '--store', `sqlite:${file}`], 'storage_error', 6),
    refused(['ls', '--store', 'mysql://x'], 'invalid_input', 4),
    refused(['ls', '--store', 'postgres://nobody@127.0.0.1:1/none'], 'unavailable', 6),
  ])
  expect(below.message).toContain(file)
  const { readFileSync } = await import('node:fs')
  expect(readFileSync(file, 'utf8')).toBe('text')
})

it('U56 a CAIRN_HOME whose cairn.db is no database is refused by name', async () => {
  const { mkdirSync } = await import('node:fs')
  const home = `${cairn.folder}/no-database`
  mkdirSync(home)
  writeFileSync(`${home}/cairn.db`, 'This is a text and no database at all.\n'.repeat(100))
  const { document, exit } = await cairn.json(['ls'], { env: { CAIRN_HOME: home } })
  expect([document.error, exit]).toEqual(['storage_error', 6])
  expect(document.message).toContain('cairn.db')
})

it('a second token of the same name is refused, until the first is revoked or has expired', async () => {
  const { id } = await cairn.answer(['token', 'create', 'reader', '--name', 'dash'])
  const { document, exit } = await cairn.json(['token', 'create', 'reader', '--name', 'dash'])
  expect([document.error, document.id, exit]).toEqual(['already_exists', id, 5])
  expect(document.hint).toContain('rotate')
  await cairn.answer(['token', 'revoke', 'dash'])
  const short = await cairn.answer(['token', 'create', 'reader', '--name', 'dash', '--ttl', '1ms'])
  const next = await cairn.answer(['token', 'create', 'reader', '--name', 'dash'])
  const { tokens } = await cairn.answer(['token', 'ls'])
  const ids = tokens.map((token: { id: string }) => token.id)
  expect([ids.includes(next.id), ids.includes(short.id)]).toEqual([true, false])
})
