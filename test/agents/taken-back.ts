// `cairn setup --remove` after the real programs have run: every file is as it was, to the byte.
import { describe, expect, it } from 'vitest'
import type { Picture } from '../setup-command/folder.ts'
import { claude, codex } from './agents.ts'
import { repository, turn } from './repository.ts'

/** What people have already. */
const theirs: Record<string, string> = {
  'project/.mcp.json': '{"mcpServers": {"none": {"command": "true"}}}\n',
  'project/.claude/settings.local.json': '{\n    "permissions": {"allow": ["Bash(ls)"]}\n}',
  '.codex/config.toml': '# mine\n[history] # none\npersistence = "none"',
}

const count = [{ tool: 'state_increment', arguments: { key: 'count' } }]

/** The project, and the file of Codex: what else is in a home folder, the programs themselves write. */
const ours = (picture: Picture) =>
  Object.entries(picture).filter(([name]) => name.startsWith('project') || name === '.codex/config.toml')

describe.each([
  { order: [claude, codex], files: {}, title: 'a bare repository, claude first' },
  { order: [codex, claude], files: {}, title: 'a bare repository, codex first' },
  { order: [claude, codex], files: theirs, title: 'a repository with files of both, claude first' },
  { order: [codex, claude], files: theirs, title: 'a repository with files of both, codex first' },
])('$title', ({ order, files }) => {
  it('is as it was when both have worked and are removed', async () => {
    const place = repository()
    for (const [file, contents] of Object.entries(files)) place.put(file, contents)
    const before = ours(place.picture())
    for (const { name } of order) await place.answer(['setup', name, '--yes'])
    expect(ours(place.picture())).not.toEqual(before)
    const results = await Promise.all(order.map((agent) => turn(agent, place, count)))
    expect(results.flat()).toHaveLength(2)
    for (const { name } of order) await place.answer(['setup', name, '--remove', '--yes'])
    expect(ours(place.picture())).toEqual(before)
  })
})

describe('claude, set up for the user', () => {
  it('leaves all that it wrote itself meanwhile, as it wrote it', async () => {
    const place = repository()
    await place.session('Work')
    await place.answer(['setup', 'claude', '--yes', '--scope', 'user'])
    expect(await turn(claude, place, count)).toHaveLength(1)
    const { mcpServers, ...rest } = JSON.parse(place.text('.claude.json'))
    expect(mcpServers).toHaveProperty('cairn')
    await place.answer(['setup', 'claude', '--remove', '--yes', '--scope', 'user'])
    expect(place.text('.claude.json').trimEnd()).toBe(JSON.stringify(rest, null, 2))
  })
})
