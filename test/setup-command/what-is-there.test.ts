// What is in the files of people already: it stays, and comes back to the byte when setup is taken back.
import { chmodSync, lstatSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Folder, programs } from './folder.ts'

const json = `{\r
\t"other": [1,2 , 3],\r
\t"mcpServers" : {\r
\t\t"b": {"command":"x", "args": [ ]}\r
\t}\r
}`

const settings = `{
    "permissions": { "allow": ["Bash(ls)"], "deny": [] },
    "hooks": {}
}
`

const commented = `// Servers of this project.
{
  /* none but these */ "servers": {
    "b": { "command": "x" }, // the first
    // the last:
    "a": { "command": "y", },
  },
  "mcpServers": {}, // of another program
  "inputs": [],
}`

const toml = `# mine
model = "gpt" # fast

[mcp_servers.b]   # first
command = "x"
args = [
  "y", # why
]

[profiles.z]
text = """
[mcp_servers.cairn]
"""
# the end, without a line break`

const contents: Record<string, string> = {
  'project/.mcp.json': json,
  'project/.claude/settings.local.json': settings,
  '.claude.json': json,
  '.claude/settings.json': settings,
  'project/.vscode/mcp.json': commented,
  '.config/Code/User/mcp.json': commented,
  'project/.cursor/mcp.json': commented,
  '.cursor/mcp.json': commented,
  '.codex/config.toml': toml,
  'project/.codex/config.toml': toml,
}

/** Every line of a text but for the commas that an addition needs. */
const linesOf = (text: string) => text.split(/\r?\n/).map((line) => line.replaceAll(',', ''))

describe.each(programs)('cairn setup $client $args', ({ client, args, files }) => {
  it('keeps every line, and takes back what it added to the byte', async () => {
    const place = Folder.bare()
    for (const file of files) place.put(file, contents[file] as string)
    const before = place.picture()
    const { exit, err } = await place.setUp(client, '--yes', ...args)
    expect(exit, err).toBe(0)
    for (const file of files) {
      const after = linesOf(place.text(file))
      const kept = linesOf(contents[file] as string).filter((line) => !/"allow"|"mcpServers": \{\}/.test(line))
      expect(after.filter((line) => kept.includes(line))).toEqual(expect.arrayContaining(kept))
      expect(place.text(file)).not.toBe(contents[file])
    }
    expect((await place.setUp(client, ...args)).out).toContain('Nothing to change')
    expect((await place.setUp(client, '--remove', '--yes', ...args)).exit).toBe(0)
    expect(place.picture()).toEqual(before)
  })
})

it('the entry stands where a person would put it', async () => {
  const place = Folder.bare()
  place.put('project/.vscode/mcp.json', commented)
  place.put('project/.claude/settings.local.json', settings)
  await place.answer(['setup', 'vscode', '--yes'])
  await place.answer(['setup', 'claude', '--yes'])
  expect(place.text('project/.vscode/mcp.json')).toContain(
    '"a": { "command": "y", },\n    "cairn": {\n      "type": "stdio",\n',
  )
  expect(place.text('project/.claude/settings.local.json')).toBe(`{
    "permissions": { "allow": ["Bash(ls)", "mcp__cairn"], "deny": [] },
    "hooks": {},
    "enabledMcpjsonServers": [
        "cairn"
    ]
}
`)
})

describe('taking it back', () => {
  it('after somebody edited the files, only what is ours goes', async () => {
    const place = Folder.bare()
    await place.answer(['setup', 'claude', '--yes'])
    const mcp = JSON.parse(place.text('project/.mcp.json'))
    mcp.mcpServers.theirs = { command: 'x' }
    place.put('project/.mcp.json', JSON.stringify(mcp, null, 4))
    const allowed = JSON.parse(place.text('project/.claude/settings.local.json'))
    allowed.permissions.allow.push('Bash(ls)')
    place.put('project/.claude/settings.local.json', JSON.stringify(allowed))
    await place.answer(['setup', 'claude', '--remove', '--yes'])
    expect(JSON.parse(place.text('project/.mcp.json'))).toEqual({ mcpServers: { theirs: { command: 'x' } } })
    expect(JSON.parse(place.text('project/.claude/settings.local.json'))).toEqual({
      permissions: { allow: ['Bash(ls)'] },
    })
  })

  it('a file that setup made goes too where its layout alone was changed', async () => {
    const place = Folder.bare()
    const before = place.picture()
    await place.answer(['setup', 'claude', '--yes'])
    for (const file of ['project/.mcp.json', 'project/.claude/settings.local.json']) {
      place.put(file, JSON.stringify(JSON.parse(place.text(file))))
    }
    await place.answer(['setup', 'claude', '--remove', '--yes'])
    expect(place.picture()).toEqual(before)
  })

  it('a folder that something else is in stays', async () => {
    const place = Folder.bare()
    await place.answer(['setup', 'claude', '--yes'])
    place.put('project/.claude/notes.md', 'mine')
    await place.answer(['setup', 'claude', '--remove', '--yes'])
    expect(place.picture()).toMatchObject({ 'project/.claude/notes.md': expect.stringContaining('mine') })
  })

  it('goes back over several runs, to an entry that was there before the first', async () => {
    const place = Folder.bare()
    const pasted = '{"mcpServers": {"cairn": {"command": "cairn", "args": ["mcp"]}}}\n'
    place.put('project/.mcp.json', pasted)
    await place.answer(['setup', 'json', '--yes'])
    place.write('settings', '')
    const home = ['--home', place.home]
    await place.answer(['setup', 'claude', '--yes', ...home])
    expect(place.text('project/.mcp.json')).toContain('alwaysLoad')
    await place.answer(['setup', 'claude', '--remove', '--yes'])
    expect(place.text('project/.mcp.json')).toBe(pasted)
  })

  it('works without what setup kept of it: the entry goes, the file stays', async () => {
    const place = Folder.bare()
    await place.answer(['setup', 'codex', '--yes'])
    await place.answer(['setup', 'vscode', '--yes'])
    rmSync(join(place.home, 'setup'), { recursive: true })
    await place.answer(['setup', 'codex', '--remove', '--yes'])
    await place.answer(['setup', 'vscode', '--remove', '--yes'])
    expect(place.text('.codex/config.toml')).toBe('')
    expect(place.text('project/.vscode/mcp.json')).toBe('{\n  "servers": {}\n}\n')
  })

  it('forgets a file that is gone', async () => {
    const place = Folder.bare()
    await place.answer(['setup', 'cursor', '--yes'])
    rmSync(join(place.project, '.cursor/mcp.json'))
    await place.answer(['setup', 'cursor', '--remove', '--yes'])
    expect(place.picture()['project/.cursor']).toBeUndefined()
    expect((await place.setUp('cursor', '--remove')).out).toContain('Nothing to remove')
  })

  it('keeps no copy of what else is in a file', async () => {
    const place = Folder.bare()
    place.put('.codex/config.toml', 'token = "s3cret"\n')
    await place.answer(['setup', 'codex', '--yes'])
    const kept = Folder.prototype.picture.call({ folder: join(place.home, 'setup') })
    expect(Object.keys(kept)).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain('s3cret')
    expect(Object.values(kept)[0]).toMatch(/^600 /)
  })
})

describe('files', () => {
  it('keep their mode', async () => {
    const place = Folder.bare()
    chmodSync(place.put('project/.mcp.json', '{}'), 0o666)
    await place.answer(['setup', 'claude', '--yes'])
    expect(statSync(join(place.project, '.mcp.json')).mode & 0o777).toBe(0o666)
    await place.answer(['setup', 'claude', '--remove', '--yes'])
    expect(statSync(join(place.project, '.mcp.json')).mode & 0o777).toBe(0o666)
  })

  it('behind a link are changed where they are, and the link stays', async () => {
    const place = Folder.bare()
    const shared = place.put('dotfiles/mcp.json', '{"mcpServers": {}}\n')
    place.put('dotfiles/claude/settings.local.json', settings)
    symlinkSync('../dotfiles/mcp.json', join(place.project, '.mcp.json'))
    symlinkSync('../dotfiles/claude', join(place.project, '.claude'))
    const before = place.picture()
    await place.answer(['setup', 'claude', '--yes'])
    expect(place.text('dotfiles/mcp.json')).toContain('"cairn"')
    expect(place.text('dotfiles/claude/settings.local.json')).toContain('mcp__cairn')
    expect(readlinkSync(join(place.project, '.mcp.json'))).toBe('../dotfiles/mcp.json')
    expect(lstatSync(shared).isFile()).toBe(true)
    await place.answer(['setup', 'claude', '--remove', '--yes'])
    expect(place.picture()).toEqual(before)
  })
})
