// What cannot be set up: said with file and line, and nothing of any file is changed.
import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Folder } from './folder.ts'

const mcp = 'project/.mcp.json'
const local = 'project/.claude/settings.local.json'

interface Bad {
  readonly name: string
  readonly client: string
  /** Prepares the folder; answers with the path that the refusal has to name. */
  make(place: Folder): string
  readonly line?: number
  readonly error: string
  readonly exit: number
}

const other = '{"mcpServers": {\n"notes": {"command": "/opt/bin/cairn", "args": ["mcp"]}}}'

const bad: readonly Bad[] = [
  bads('a broken .mcp.json', 'claude', (place) => place.put(mcp, '{\n  "mcpServers": {\n}'), 'invalid_input', 4, 3),
  bads(
    'broken settings, after a good .mcp.json',
    'claude',
    (place) => place.put(local, '{\n"a": 1,\n}'),
    'invalid_input',
    4,
    3,
  ),
  bads(
    'a comment where Claude Code knows none',
    'claude',
    (place) => place.put(mcp, '{\n// no\n}'),
    'invalid_input',
    4,
    2,
  ),
  bads('servers that are a list', 'claude', (place) => place.put(mcp, '{\n"mcpServers": []}'), 'invalid_input', 4, 2),
  bads(
    'permissions that are a list',
    'claude',
    (place) => place.put(local, '{"permissions":\n []}'),
    'invalid_input',
    4,
    2,
  ),
  bads('broken TOML', 'codex', (place) => place.put('.codex/config.toml', 'a = 1\nb = \n'), 'invalid_input', 4, 2),
  bads(
    'TOML with a table twice',
    'codex',
    (place) => place.put('.codex/config.toml', '[a]\n[a]\n'),
    'invalid_input',
    4,
    2,
  ),
  bads(
    'a broken file of VS Code',
    'vscode',
    (place) => place.put('project/.vscode/mcp.json', '{\n/* '),
    'invalid_input',
    4,
    2,
  ),
  bads(
    'bytes that are no text',
    'cursor',
    (place) => place.put('project/.cursor/mcp.json', Buffer.from([0xff, 0xfe])),
    'invalid_input',
    4,
  ),
  bads('a read-only file', 'claude', (place) => locked(place.put(local, '{}')), 'forbidden', 4),
  bads('a link to nowhere', 'claude', (place) => linked(place, 'nowhere'), 'invalid_input', 4),
  bads('a link to a broken file', 'claude', (place) => broken(place), 'invalid_input', 4, 1),
  bads('a folder in the place of a file', 'claude', (place) => folder(place, '.mcp.json'), 'invalid_input', 4),
  bads('a file in the place of a folder', 'claude', (place) => place.put('project/.claude', 'x'), 'invalid_input', 4),
  bads('Cairn under another name', 'claude', (place) => place.put(mcp, other), 'already_exists', 5, 2),
  bads(
    'Cairn under another name for the user',
    'claude',
    (place) => place.put('.claude.json', other),
    'already_exists',
    5,
    2,
  ),
  bads(
    'Cairn under another name in TOML',
    'codex',
    (place) => place.put('.codex/config.toml', '\n[mcp_servers.x]\ncommand = "cairn"\nargs = ["mcp"]\n'),
    'already_exists',
    5,
    2,
  ),
  bads(
    'another server under its name',
    'claude',
    (place) => place.put(mcp, '{"mcpServers": {"cairn": {"command": "stones"}}}'),
    'already_exists',
    5,
    1,
  ),
]

function bads(name: string, client: string, make: Bad['make'], error: string, exit: number, line?: number): Bad {
  return { name, client, make, error, exit, ...(line === undefined ? {} : { line }) }
}

function locked(path: string): string {
  chmodSync(path, 0o444)
  return path
}

function linked(place: Folder, to: string): string {
  symlinkSync(to, join(place.project, '.mcp.json'))
  return join(place.project, '.mcp.json')
}

function broken(place: Folder): string {
  place.put('elsewhere', 'ssh-ed25519 AAAA')
  return linked(place, '../elsewhere')
}

function folder(place: Folder, name: string): string {
  mkdirSync(join(place.project, name))
  return join(place.project, name)
}

describe('is refused, and nothing is changed', () => {
  it.each(bad)('$name', async ({ client, make, error, exit, line }) => {
    const place = Folder.bare()
    const path = make(place)
    const before = place.picture({ times: true })
    const refused = await place.json(['setup', client, '--yes'])
    expect(refused).toMatchObject({
      exit,
      document: { error, path, hint: expect.any(String), ...(line ? { line } : {}) },
    })
    if (line !== undefined) expect(refused.document.message).toContain(`${path}, line ${line}`)
    expect(place.picture({ times: true })).toEqual(before)
    expect(existsSync(place.home)).toBe(false)
  })

  it.skipIf(process.getuid?.() !== 0)('a file of another owner', async () => {
    const place = Folder.bare()
    chownSync(place.put(mcp, '{}'), 12_345, 12_345)
    const before = place.picture({ times: true })
    const refused = await place.json(['setup', 'claude', '--yes'])
    expect(refused).toMatchObject({
      exit: 4,
      document: { error: 'forbidden', message: expect.stringContaining('12345') },
    })
    expect(place.picture({ times: true })).toEqual(before)
  })

  it('a folder with two unfinished roots, until one is chosen', async () => {
    const place = Folder.bare()
    const [first, second] = [await place.session('One'), await place.session('Two')]
    const before = place.picture()
    const refused = await place.json(['setup', 'claude', '--yes'])
    expect(refused).toMatchObject({
      exit: 4,
      document: { error: 'ambiguous_id', hint: expect.stringContaining('cairn use') },
    })
    expect(refused.document.candidates.map((each: { session_id: string }) => each.session_id).sort()).toEqual(
      [first, second].sort(),
    )
    expect(place.picture()).toEqual(before)
    await place.answer(['use', second])
    expect((await place.answer(['setup', 'claude', '--yes'])).session).toMatchObject({
      session_id: second,
      created: false,
    })
  })

  it('a project whose chosen session has ended', async () => {
    const place = Folder.bare()
    const session = await place.session('One')
    await place.answer(['use', session])
    await place.answer(['session', 'end', session])
    const before = place.picture()
    const refused = await place.json(['setup', 'claude', '--yes'])
    expect(refused).toMatchObject({
      exit: 5,
      document: { error: 'session_ended', hint: expect.stringContaining('cairn use') },
    })
    expect(place.picture()).toEqual(before)
  })

  it.each([
    [[]],
    [['nobody']],
    [['claude', 'codex']],
    [['claude', '--scope', 'planet']],
    [['json', '--scope', 'user']],
    [['claude', '--force']],
  ])('the line %s', async (args) => {
    const place = Folder.bare()
    const before = place.picture()
    expect(await place.run(['setup', ...args, '--yes'])).toMatchObject({ exit: 2, out: '' })
    expect(place.picture()).toEqual(before)
  })
})

describe('a fault while files are put in place', () => {
  it('takes back what was put there before it', async () => {
    const place = Folder.bare()
    place.put(mcp, '{"mcpServers": {}}')
    const before = place.picture()
    const env = { CAIRN_FAILPOINT: 'setup-file:throw@3' }
    const refused = await place.json(['setup', 'claude', '--yes'], { env })
    expect(refused).toMatchObject({ exit: 6, document: { error: 'storage_error' } })
    expect(place.picture()).toEqual(before)
    expect(existsSync(join(place.home, 'setup'))).toBe(false)
  })

  it.each([1, 2, 3, 4])(
    'a program killed at file %i leaves whole files, and the next run ends the work',
    async (at) => {
      const place = Folder.bare()
      place.put(mcp, '{"mcpServers": {}}')
      place.put(local, '{}')
      const before = place.picture()
      const env = { CAIRN_FAILPOINT: `setup-file:kill@${at}` }
      expect((await place.run(['setup', 'claude', '--yes'], { env })).exit).not.toBe(0)
      for (const file of [mcp, local]) JSON.parse(place.text(file))
      expect((await place.answer(['setup', 'claude', '--yes'])).tools).toContain('state_get')
      await place.answer(['setup', 'claude', '--remove', '--yes'])
      expect(place.picture()).toEqual(before)
    },
  )
})
