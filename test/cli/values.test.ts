import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()

beforeAll(async () => {
  await cairn.session()
})

const kept = async (...args: string[]) => (await cairn.answer(['state', 'set', 'k', ...args])).value

describe('values as people write them', () => {
  const written: [text: string, value: unknown][] = [
    ['hello', 'hello'],
    ['hello world', 'hello world'],
    ['2026-11-16', '2026-11-16'],
    ['1.2.3', '1.2.3'],
    ['nullable', 'nullable'],
    ['true-ish', 'true-ish'],
    ['NaN', 'NaN'],
    ['true', true],
    ['null', null],
    [' 7 ', 7],
    ['-1.5e3', -1500],
    ['1e300', 1e300],
    ['"5"', '5'],
    ['[1]', [1]],
  ]

  it('are text unless they are JSON', async () => {
    for (const [text, value] of written) expect([text, await kept(text)]).toEqual([text, value])
    expect((await cairn.run(['state', 'set', 'k', 'hello'])).out).toMatch(/^k = "hello" {2}version \d+\n$/)
    expect(await cairn.answer(['state', 'wait', 'k', '--equals', 'hello'])).toMatchObject({ value: 'hello' })
  })

  it.each(['01', '1.', '.5', '+1', '1e', '{', '[1,', '"open'])('refuse %s, which is nearly JSON', async (text) => {
    const { document, exit } = await cairn.json(['state', 'set', 'k', text])
    expect([document.error, exit]).toEqual(['invalid_input', 4])
    expect(document).toMatchObject({ line: 1, column: expect.any(Number) })
  })

  it('are taken as text with --text, from a line, a file and standard input', async () => {
    const file = cairn.write('notes.md', '# Notes\n{"not": json\n')
    expect(await kept('01', '--text')).toBe('01')
    expect(await kept(`@${file}`, '--text')).toBe('# Notes\n{"not": json\n')
    expect((await cairn.answer(['state', 'set', 'k', '-', '--text'], { input: 'true' })).value).toBe('true')
  })

  it('are printed as they are with --raw', async () => {
    await kept('two\nlines "quoted"')
    expect(await cairn.run(['state', 'get', 'k', '--raw'])).toEqual({ out: 'two\nlines "quoted"\n', err: '', exit: 0 })
    await kept('{"a": [1]}')
    expect((await cairn.run(['state', 'get', 'k', '--raw'])).out).toBe('{"a":[1]}\n')
  })
})

describe('what is shown of a key', () => {
  it('says when it expires, and a bare number is seconds', async () => {
    const set = await cairn.answer(['state', 'set', 'short', '1', '--ttl', '300'])
    expect(Date.parse(set.expires_at) - Date.parse(set.updated_at)).toBe(300_000)
    const { out } = await cairn.run(['state', 'set', 'short', '2', '--ttl', '300'])
    expect(out).toMatch(/\nexpires in (?:4|5) min \(\d{4}-.*Z\)\n$/)
    expect((await cairn.run(['state', 'ls'])).out).toMatch(/^KEY .*EXPIRES {2,}BY\n/)
  })
})

describe('the past by its time', () => {
  it('every read takes --at-time: a time, a time ago or a time of day', async () => {
    const before = await cairn.answer(['state', 'set', 'then', '1'])
    await new Promise((resolve) => setTimeout(resolve, 20))
    await cairn.answer(['state', 'set', 'then', '2'])
    const at = ['--at-time', before.updated_at]
    expect(await cairn.answer(['state', 'get', 'then', ...at])).toMatchObject({ value: 1, seq: before.seq })
    const same = ['--at', String(before.seq)]
    for (const words of [['log'], ['tree'], ['show'], ['state', 'history', 'then'], ['state', 'summary'], ['ls']]) {
      expect([words, await cairn.answer([...words, ...at])]).toEqual([words, await cairn.answer([...words, ...same])])
    }
    expect((await cairn.answer(['ls', '--at-time', '1h'])).sessions).toEqual([])
    expect((await cairn.json(['state', 'get', 'then', '--at-time', '1h'])).document.error).toBe('key_not_found')
    const both = await cairn.json(['log', '--at', '1', '--at-time', '1h'])
    expect([both.document.error, both.exit]).toEqual(['invalid_input', 4])
    expect((await cairn.run(['diff', '1h', 'now'])).out).toMatch(/^\+ then {2}2$/m)
    const odd = await cairn.json(['log', '--at-time', 'soon'])
    expect(odd.exit).toBe(4)
  })
})

describe('log', () => {
  it('wait waits for what comes next, and ends like state wait when nothing does', async () => {
    const { document, exit } = await cairn.json(['log', 'wait', '--timeout', '10ms'])
    expect([document.error, exit]).toEqual(['timeout', 6])
    for (const words of [
      ['log', 'wait'],
      ['state', 'wait', 'missing'],
    ]) {
      expect((await cairn.run([...words, '--timeout', '0.01'])).err).toMatch(/^error: Timed out after 0\.01s: /)
    }
    const { last_seq } = await cairn.answer(['log', '--limit', '1'])
    const waiting = cairn.answer(['log', 'wait', '--timeout', '60'])
    let isOver = false
    void waiting.then(() => {
      isOver = true
    })
    while (!isOver) await cairn.answer(['state', 'increment', 'ticks'])
    expect((await waiting).events[0].seq).toBeGreaterThan(last_seq)
  })

  it('-f shows the newest and follows; with --json one document a line', async () => {
    const { last_seq } = await cairn.answer(['log', '--limit', '1'])
    const child = cairn.spawn(['log', '-f', '--limit', '2', '--json'])
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    const lines = () => text.split('\n').slice(0, -1)
    while (lines().length < 2) await new Promise((resolve) => setTimeout(resolve, 20))
    await cairn.answer(['state', 'increment', 'ticks'])
    while (lines().length < 3) await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGINT')
    expect(await new Promise((done) => child.on('close', done))).toBe(0)
    const events = lines().map((line) => JSON.parse(line))
    expect(events.map(({ seq }) => seq)).toEqual([last_seq - 1, last_seq, last_seq + 1])
  })
})

describe('files that others can read', () => {
  it('doctor finds them, and doctor --repair makes them private', async () => {
    const home = join(cairn.folder, 'open')
    mkdirSync(home)
    const env = { CAIRN_HOME: home }
    await cairn.answer(['session', 'create', 'Work'], { env })
    chmodSync(home, 0o755)
    chmodSync(join(home, 'cairn.db'), 0o644)
    const modes = (found: { checks: { name: string; ok: boolean }[] }) =>
      found.checks.find(({ name }) => name === 'modes')
    const found = await cairn.json(['doctor'], { env })
    expect([found.exit, modes(found.document)?.ok]).toEqual([1, false])
    expect(modes(await cairn.answer(['doctor', '--repair'], { env }))?.ok).toBe(true)
    expect(statSync(home).mode & 0o777).toBe(0o700)
    expect(statSync(join(home, 'cairn.db')).mode & 0o777).toBe(0o600)
  })
})
