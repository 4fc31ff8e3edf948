// `cairn setup` as a person meets it: from a bare folder to a working agent, and again, and back.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Peer } from '../mcp/peer.ts'
import { Folder, hasTerminal, programs } from './folder.ts'

describe.each(programs)('cairn setup $client $args', ({ client, args, files }) => {
  it('sets up a bare folder, changes nothing the second time, and is taken back to the byte', async () => {
    const place = Folder.bare()
    const before = place.picture()
    const first = await place.setUp(client, '--yes', ...args)
    expect({ exit: first.exit, out: first.out }, first.err).toMatchObject({
      exit: 0,
      out: expect.stringContaining('state_increment'),
    })
    for (const file of files) expect(place.text(file)).toContain('cairn')
    const after = place.picture({ times: true })
    const second = await place.setUp(client, ...args)
    expect({ exit: second.exit, out: second.out }).toMatchObject({
      exit: 0,
      out: expect.stringContaining('Nothing to change'),
    })
    expect(place.picture({ times: true })).toEqual(after)
    const removed = await place.setUp(client, '--remove', '--yes', ...args)
    expect(removed).toMatchObject({ exit: 0, out: expect.stringMatching(/^removed {2}/) })
    expect(place.picture()).toEqual(before)
    expect(existsSync(join(place.home, 'setup'))).toBe(false)
    expect(await place.setUp(client, '--remove', ...args)).toMatchObject({
      exit: 0,
      out: expect.stringContaining('Nothing to remove'),
    })
  })
})

describe('what is set up', () => {
  it('is an entry that an agent can start, which writes into the session of the project', async () => {
    const place = Folder.bare()
    const { session } = await place.answer(['setup', 'claude', '--yes'])
    expect(session).toMatchObject({ created: true, slug: expect.stringContaining('project') })
    const { command, args, env, alwaysLoad } = JSON.parse(place.text('project/.mcp.json')).mcpServers.cairn
    expect([command, alwaysLoad]).toEqual([process.execPath, true])
    const empty = Object.fromEntries(Object.entries<string>(env).filter(([, value]) => !value.startsWith('${')))
    const peer = new Peer(place.spawn(args.slice(1), { env: empty }))
    await peer.initialize()
    expect((await peer.call('state_increment', { key: 'n' })).document).toMatchObject({ value: 1 })
    await peer.end()
    expect(await place.answer(['state', 'get', 'n', '--session', session.session_id])).toMatchObject({ value: 1 })
    const again = await place.answer(['setup', 'codex', '--yes'])
    expect(again.session).toEqual({ ...session, created: false })
    expect((await place.answer(['ls'])).sessions).toHaveLength(1)
  })

  it('allows the tools without a question', async () => {
    const place = Folder.bare()
    await place.answer(['setup', 'claude', '--yes'])
    expect(JSON.parse(place.text('project/.claude/settings.local.json'))).toEqual({
      permissions: { allow: ['mcp__cairn'] },
      enabledMcpjsonServers: ['cairn'],
    })
    await place.answer(['setup', 'codex', '--yes'])
    expect(place.text('.codex/config.toml')).toContain('\ndefault_tools_approval_mode = "approve"\n')
  })

  it('is nothing that settings of the project say already', async () => {
    const place = Folder.bare()
    place.put(
      'project/.claude/settings.json',
      '{"permissions": {"allow": ["mcp__cairn"]}, "enabledMcpjsonServers": ["cairn"]}',
    )
    const { files } = await place.answer(['setup', 'claude', '--yes'])
    expect(files).toMatchObject([{ path: join(place.project, '.mcp.json'), change: 'created' }])
  })

  it('belongs to the project, also from a folder below it and where there is no repository', async () => {
    const place = Folder.bare()
    const below = join(place.project, 'src', 'deep')
    mkdirSync(below, { recursive: true })
    await place.answer(['setup', 'claude', '--yes'], { cwd: below })
    expect(place.text('project/.mcp.json')).toContain('"cairn"')
    rmSync(join(place.project, '.git'), { recursive: true })
    const { project, warnings } = await place.answer(['setup', 'codex', '--yes'], { cwd: below })
    expect(project).toBe(below)
    expect(warnings).toContainEqual(expect.stringContaining('not a git repository'))
  })

  it('names data folder and store where they are not the usual ones, and no password', async () => {
    const place = Folder.bare()
    const other = join(place.folder, 'other')
    await place.answer(['setup', 'json', '--yes', '--home', other])
    expect(JSON.parse(place.text('project/.mcp.json')).mcpServers.cairn.env.CAIRN_HOME).toBe(other)
    await place.answer(['setup', 'json', '--yes'])
    expect(JSON.parse(place.text('project/.mcp.json')).mcpServers.cairn.env.CAIRN_HOME).toBe(place.home)
    const env = { CAIRN_STORE: 'postgres://me:secret@127.0.0.1:1/db' }
    const { err, out } = await place.run(['setup', 'json', '--scope', 'project', '--dry-run'], { env })
    expect(out + err).not.toContain('secret')
  })

  it('is one entry where Claude Code and others read the same file', async () => {
    const place = Folder.bare()
    await place.answer(['setup', 'claude', '--yes'])
    expect(await place.answer(['setup', 'json'])).toMatchObject({ files: [] })
    await place.answer(['setup', 'claude', '--remove', '--yes'])
    await place.answer(['setup', 'json', '--yes'])
    const { files } = await place.answer(['setup', 'claude', '--yes'])
    expect(files[0]).toMatchObject({ change: 'changed', diff: expect.stringContaining('+      "alwaysLoad": true') })
    expect(Object.keys(JSON.parse(place.text('project/.mcp.json')).mcpServers)).toEqual(['cairn'])
  })

  it('--no-check writes the same and starts nothing', async () => {
    const [place, other] = [Folder.bare(), Folder.bare()]
    expect(await place.answer(['setup', 'json', '--yes', '--no-check'])).not.toHaveProperty('tools')
    expect(await other.answer(['setup', 'json', '--yes'])).toHaveProperty('tools')
    expect(Object.keys(place.picture())).toEqual(Object.keys(other.picture()))
  })
})

describe('a file of the project, which may be committed', () => {
  it('starts the program by its name where that is on PATH, and else warns of the paths in it', async () => {
    const place = Folder.bare()
    const { warnings } = await place.answer(['setup', 'claude', '--yes', '--no-check'])
    expect(warnings).toContainEqual(expect.stringMatching(/\.mcp\.json names paths of this machine\. Do not commit it/))
    const bin = join(place.folder, 'bin')
    mkdirSync(bin)
    symlinkSync(resolve('bin/cairn'), join(bin, 'cairn'))
    const env = { PATH: `${bin}${delimiter}${process.env.PATH}` }
    const named = await place.answer(['setup', 'claude', '--yes'], { env })
    expect(named.tools).toContain('state_increment')
    expect(named.warnings.join()).not.toContain('paths of this machine')
    expect(JSON.parse(place.text('project/.mcp.json')).mcpServers.cairn).toMatchObject({
      command: 'cairn',
      args: ['mcp'],
    })
    // What is for all projects of a user is on no other machine: its path works whatever PATH is.
    await place.answer(['setup', 'cursor', '--scope', 'user', '--yes', '--no-check'], { env })
    expect(JSON.parse(place.text('.cursor/mcp.json')).mcpServers.cairn.command).toBe(process.execPath)
  })

  it('is started by path where the name starts another program', async () => {
    const place = Folder.bare()
    place.put('bin/cairn', '#!/bin/sh\nexit 1\n')
    chmodSync(join(place.folder, 'bin/cairn'), 0o755)
    const env = { PATH: `${join(place.folder, 'bin')}${delimiter}${process.env.PATH}` }
    await place.answer(['setup', 'json', '--yes'], { env })
    expect(JSON.parse(place.text('project/.mcp.json')).mcpServers.cairn.command).toBe(process.execPath)
  })
})

describe('--remove', () => {
  it('finds what is set up in the other scope, and a named scope is the only one it touches', async () => {
    const place = Folder.bare()
    const before = place.picture()
    await place.answer(['setup', 'claude', '--yes', '--no-check', '--scope', 'user'])
    const narrow = await place.run(['setup', 'claude', '--remove', '--yes', '--scope', 'project'])
    expect(narrow.out).toContain('Nothing to remove in this scope.')
    expect(narrow.err).toMatch(
      /\.claude\.json also has Cairn \(scope user\): remove it with cairn setup claude --remove --scope user\./,
    )
    expect(place.text('.claude.json')).toContain('cairn')
    expect(await place.answer(['setup', 'claude', '--remove', '--yes'])).toMatchObject({ scope: 'user' })
    expect(place.picture()).toEqual(before)
  })

  it('of two scopes removes the usual one and says what is left', async () => {
    const place = Folder.bare()
    for (const scope of ['user', 'project'])
      await place.answer(['setup', 'cursor', '--yes', '--no-check', '--scope', scope])
    const { scope, warnings } = await place.answer(['setup', 'cursor', '--remove', '--yes'])
    expect(scope).toBe('project')
    expect(warnings).toEqual([expect.stringContaining('cairn setup cursor --remove --scope user')])
    expect(place.text('.cursor/mcp.json')).toContain('cairn')
  })
})

describe('the difference that is shown', () => {
  it('is one that patch takes, of a new file, a changed one and a removed one', async () => {
    const place = Folder.bare()
    place.put('project/.claude/settings.local.json', '{\n  "env": {},\n  "model": "x"\n}\n')
    const { files } = await place.answer(['setup', 'claude', '--dry-run'])
    expect(files[0].diff).toMatch(/^--- \/dev\/null\n\+\+\+ .*\.mcp\.json\n@@ -0,0 \+1,\d+ @@\n\+/)
    const patched = () => {
      const input = files.map(({ diff }: { diff: string }) => diff).join('')
      execFileSync('git', ['apply', '--unsafe-paths', '--directory=/', '-p0'], { cwd: place.folder, input })
    }
    patched()
    const byPatch = place.picture()
    for (const { path, change } of files) if (change === 'created') rmSync(path)
    place.put('project/.claude/settings.local.json', '{\n  "env": {},\n  "model": "x"\n}\n')
    await place.answer(['setup', 'claude', '--yes', '--no-check'])
    const contents = (picture: Record<string, string>) =>
      Object.values(picture).map((each) => each.replace(/^\d+ /, ''))
    expect(contents(place.picture())).toEqual(contents(byPatch))
    const removal = await place.answer(['setup', 'claude', '--remove', '--dry-run'])
    expect(removal.files[0].diff).toMatch(/\n\+\+\+ \/dev\/null\n@@ -1,\d+ \+0,0 @@\n-/)
  })
})

describe('asking', () => {
  it('--dry-run shows all and makes nothing, no store either', async () => {
    const place = Folder.bare()
    const before = place.picture()
    const { out, exit } = await place.setUp('claude', '--dry-run')
    expect({ out, exit }).toMatchObject({ exit: 0, out: expect.stringContaining('+      "mcp__cairn"') })
    expect(place.picture()).toEqual(before)
    expect(existsSync(place.home)).toBe(false)
  })

  it('shows of a long line where it differs', async () => {
    const place = Folder.bare()
    const long = `{"note": "${'x'.repeat(5000)}", "mcpServers": {"b": {"command": "y"}}}`
    place.put('project/.mcp.json', long)
    const { out } = await place.setUp('json', '--dry-run')
    expect(out).toContain('"b": {"command": "y"}, "cairn": {"command"')
    expect(out.length).toBeLessThan(1500)
  })

  it('without a terminal and without --yes it refuses, says how, and changes nothing', async () => {
    const place = Folder.bare()
    const before = place.picture()
    const { err, exit } = await place.setUp('claude')
    expect({ err, exit }).toMatchObject({ exit: 2, err: expect.stringContaining('--yes') })
    expect(err).toContain('+    "cairn": {')
    expect(place.picture()).toEqual(before)
    expect(existsSync(place.home)).toBe(false)
    await place.answer(['setup', 'claude', '--yes'])
    const after = place.picture()
    expect((await place.setUp('claude', '--remove')).exit).toBe(2)
    expect(place.picture()).toEqual(after)
  })

  it.skipIf(!hasTerminal)('on a terminal it shows the changes and asks', async () => {
    const place = Folder.bare()
    const before = place.picture()
    const no = await place.onTerminal(['setup', 'claude'], () => 'n')
    expect(no).toMatchObject({ exit: 1, out: expect.stringContaining('Nothing was changed') })
    expect(place.picture()).toEqual(before)
    for (const key of ['\u0003', '\u0004']) {
      expect(await place.onTerminal(['setup', 'claude'], () => key)).toMatchObject({ exit: 1 })
      expect(place.picture()).toEqual(before)
    }
    const yes = await place.onTerminal(['setup', 'claude'], () => 'y')
    expect(yes).toMatchObject({ exit: 0, out: expect.stringContaining('17 tools') })
    expect(place.text('project/.mcp.json')).toContain('"cairn"')
  })

  it.skipIf(!hasTerminal)('what somebody else wrote while it asked is not lost', async () => {
    const place = Folder.bare()
    const theirs = '{"mcpServers": {"theirs": {"command": "x"}}}\n'
    const { exit, out } = await place.onTerminal(['setup', 'claude'], () => {
      place.put('project/.mcp.json', theirs)
      return 'y'
    })
    expect({ exit, out }).toMatchObject({ exit: 5, out: expect.stringContaining('Run again') })
    expect(place.text('project/.mcp.json')).toBe(theirs)
    expect(existsSync(join(place.project, '.claude'))).toBe(false)
    expect((await place.answer(['ls'])).sessions).toEqual([])
  })

  it('--json prints one document with files, session and tools', async () => {
    const place = Folder.bare()
    expect(await place.answer(['setup', 'vscode', '--yes'])).toMatchObject({
      client: 'vscode',
      scope: 'project',
      project: place.project,
      dry_run: false,
      session: { created: true },
      files: [{ path: join(place.project, '.vscode/mcp.json'), change: 'created' }],
      tools: expect.arrayContaining(['state_get', 'session_status']),
    })
  })
})

describe('what it warns of, and goes on', () => {
  it('a program that is not installed, and not one that is', async () => {
    const place = Folder.bare()
    const { err, exit } = await place.setUp('claude', '--yes')
    expect({ err, exit }).toMatchObject({ exit: 0, err: expect.stringContaining('warning: claude is not on PATH') })
    place.put('bin/claude', '#!/bin/sh\n')
    chmodSync(join(place.folder, 'bin/claude'), 0o755)
    const env = { PATH: `${join(place.folder, 'bin')}:${process.env.PATH}` }
    expect((await place.run(['setup', 'claude'], { env })).err).not.toContain('is not on PATH')
  })

  it('settings that keep Claude Code from using it, and a second place it is set up in', async () => {
    const place = Folder.bare()
    place.put('project/.claude/settings.json', '{\n  "disabledMcpjsonServers": ["cairn"]\n}\n')
    place.put('.claude/settings.json', '{"permissions": {\n"deny": ["mcp__cairn__state_set"]}}\n')
    await place.answer(['setup', 'claude', '--scope', 'user', '--yes'])
    const { warnings } = await place.answer(['setup', 'claude', '--yes'])
    const all = warnings.join('\n')
    expect(all).toContain(`${join(place.project, '.claude/settings.json')}, line 2: disabledMcpjsonServers`)
    expect(all).toContain(`${join(place.folder, '.claude/settings.json')}, line 2: permissions.deny`)
    expect(all).toMatch(/\.claude\.json, line \d+: Cairn is also set up here/)
  })
})

it('an entry that does not start is said with its file and line', async () => {
  const place = Folder.bare()
  const entry = { command: 'cairn', args: ['mcp'], env: { NODE_OPTIONS: '--require=/nowhere.cjs' } }
  place.put('project/.mcp.json', `${JSON.stringify({ mcpServers: { cairn: entry } }, null, 2)}\n`)
  const { document, exit } = await place.json(['setup', 'claude', '--yes'])
  expect({ exit, document }).toMatchObject({
    exit: 6,
    document: { error: 'unavailable', path: join(place.project, '.mcp.json'), line: 3 },
  })
})
