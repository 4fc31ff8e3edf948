import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Document, sandbox } from './sandbox.ts'

const cairn = sandbox()
let root = ''

/** What a terminal would obey: controls but line breaks, and characters that hide text or turn its direction. */
const obeyed = /(?!\n)\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u

const attack = '\u001b]0;owned\u0007\u001b[31mred\u009b2J\u202egnp.exe\u2066\r\n\u007f'

beforeAll(async () => {
  root = await cairn.session('Faster parser')
  await cairn.answer(['session', 'create', '--topic', `Topic ${attack}`, '--name', 'child', '--parent', root])
  await cairn.answer(['state', 'set', 'attack', JSON.stringify(attack)])
  await cairn.answer(['state', 'set', 'ключ/鍵', '{"a": "長い値"}'])
})

describe('for people', () => {
  it('shows the state as an aligned table with the names of sessions', async () => {
    const { out } = await cairn.run(['state', 'get'])
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^KEY +VALUE +VERSION {2}UPDATED {2}BY$/)
    expect(lines[1]).toMatch(/^attack .* 1 {2}.* \d{4}-\d\d-\d\d_faster-parser_\w+$/)
    expect(lines.at(-1)).toMatch(/^version 2, seq 4$/)
    expect(out).not.toContain(root)
  })

  it('shows one value as JSON that can be piped on', async () => {
    const { out } = await cairn.run(['state', 'get', 'ключ/鍵'])
    expect(out).toBe('{\n  "a": "長い値"\n}\n')
    const { out: escaped } = await cairn.run(['state', 'get', 'attack'])
    expect(JSON.parse(escaped)).toBe(attack)
  })

  it('shows sessions as a table, a tree and fields', async () => {
    const { out: list } = await cairn.run(['ls'])
    expect(list).toMatch(
      new RegExp(`^ID +STATUS +TOPIC +PROJECT +UPDATED\\n${root.slice(-8)} {2}running {2}Faster parser `),
    )
    const { out: tree } = await cairn.run(['tree'])
    expect(tree).toMatch(
      /^Faster parser {2}running {2}[0-9a-f]{8} .*\n└─ child: Topic .* {2}running {2}[0-9a-f]{8} .*\n$/,
    )
    const { out: shown } = await cairn.run(['show'])
    expect(shown).toMatch(/^created +\d{4}-\d\d-\d\dT[\d:.]+Z \(.*\)$/m)
  })

  it('shows the log with who did what', async () => {
    const { out } = await cairn.run(['log'])
    expect(out).toMatch(/^SEQ {2}TIME +BY +STREAM +TYPE +KEY +DATA\n/)
    expect(out).toMatch(/^ +3 {2}.* \d{4}-\d\d-\d\d_faster-pars\S* {2}state +set +attack /m)
    const { out: first } = await cairn.run(['log', '--since', '0', '--limit', '1'])
    expect(first).toMatch(/more: --since 1\n$/)
    const { out: newest } = await cairn.run(['log', '--limit', '1'])
    const [, at] = /earlier: --at (\d+)\n$/.exec(newest) ?? []
    expect((await cairn.run(['log', '--limit', '1', '--at', String(at)])).out).toMatch(
      new RegExp(`^ *${at} .*\n(?:earlier: --at ${Number(at) - 1}\n)?$`, 'm'),
    )
  })

  it('says in a line what was written', async () => {
    const line = async (...args: string[]) => (await cairn.run(['state', ...args])).out
    expect(await line('set', 'k', '1')).toBe('k = 1  version 1\n')
    expect(await line('increment', 'k')).toBe('k = 2  version 2\n')
    expect(await line('append', 'l', '[1, 2]')).toBe('l has 2 items  version 1\n')
    expect(await line('delete', 'l')).toBe('l deleted  version 2\n')
    expect(await line('batch', '[{"op": "delete", "key": "k"}]')).toBe('KEY  RESULT   VERSION\nk    deleted        3\n')
  })
})

describe('on a terminal', () => {
  // `script` of util-linux gives a command a terminal; elsewhere it has other flags.
  const canPretend = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0

  it.skipIf(!canPretend)('is coloured unless NO_COLOR or TERM say otherwise (needs script of util-linux)', async () => {
    const shown = (env: Record<string, string>) => {
      const sealed = { PATH: process.env.PATH ?? '', CAIRN_HOME: cairn.home, TERM: 'xterm', ...env }
      const command = `${process.execPath} ${resolve('bin/cairn')} ls`
      return spawnSync('script', ['-qec', command, '/dev/null'], { cwd: cairn.project, env: sealed, encoding: 'utf8' })
    }
    expect(shown({}).stdout).toContain('\u001b[32mrunning\u001b[0m')
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      expect(shown(env).stdout).toContain('running')
      expect(shown(env).stdout).not.toContain('\u001b')
    }
  })
})

describe('U12 whatever a value holds', () => {
  const commands: string[][] = [
    ['state', 'get'],
    ['state', 'get', 'attack'],
    ['tree'],
    ['show', 'child'],
    ['log'],
    ['state', 'events'],
  ]

  it.each(commands)('the terminal is not told anything by %s %s', async (...words) => {
    const args = words.filter(Boolean)
    const [people, json] = await Promise.all([cairn.run(args), cairn.run([...args, '--json'])])
    for (const { out, exit } of [people, json]) {
      expect(out).not.toMatch(obeyed)
      expect(exit).toBe(0)
    }
    expect(people.out + json.out).toContain('\\u001b')
  })

  it('nor by a refusal', async () => {
    const ran = await cairn.run(['state', 'set', `key${attack}`, '1'])
    const json = await cairn.run(['show', attack, '--json'])
    const flag = await cairn.run([`--${attack}`])
    for (const { out, err } of [ran, json, flag]) expect(out + err).not.toMatch(obeyed)
    expect([ran.exit, json.exit, flag.exit]).toEqual([4, 3, 2])
  })

  it('and --json gives it whole', async () => {
    expect((await cairn.answer(['state', 'get', 'attack'])).value).toBe(attack)
  })
})

describe('--json', () => {
  it('U56 prints one document and nothing else, help and version included', async () => {
    const { commands } = await cairn.answer(['help', 'state'])
    expect(commands.map((each: Document) => each.command)).toContain('state set')
    expect(await cairn.answer(['--version'])).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
    const { err } = await cairn.run(['ls', '--json'])
    expect(err).toBe('')
  })

  it('U53 a refusal is one document too, with a line for people on stderr', async () => {
    const { document, err } = await cairn.json(['state', 'get', 'missing'])
    expect(document).toMatchObject({ error: 'key_not_found', message: expect.any(String), hint: expect.any(String) })
    expect(err).toBe(`error: ${document.message}\n`)
  })
})

describe('a reader that goes away', () => {
  beforeAll(async () => {
    // More than any pipe holds.
    await cairn.answer(['state', 'set', 'big', '-'], { input: JSON.stringify('x'.repeat(900_000)) })
  })

  it.each([
    ['of one document', ['--json']],
    ['of a text for people', []],
  ])('U56 is no error: %s', async (_, flags) => {
    const child = cairn.spawn(['state', 'get', 'big', ...flags])
    let err = ''
    child.stderr?.on('data', (text) => {
      err += text
    })
    child.stdout?.once('data', () => child.stdout?.destroy())
    const exit = await new Promise((done) => child.on('close', done))
    expect([exit, err]).toEqual([0, ''])
  })
})
