// `cairn setup` in a bare git repository, then the real Claude Code and Codex at their first run, without a further flag.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sleep } from '../../src/clock.ts'
import { Folder, hasTerminal } from '../setup-command/folder.ts'
import { anthropic } from './anthropic.ts'
import { installed } from './installed.ts'
import { openai } from './openai.ts'
import { runProgram, startOnTerminal } from './run-program.ts'
import { type Call, type Dialect, standIn } from './stand-in.ts'

interface Agent {
  readonly name: 'claude' | 'codex'
  readonly scope: 'project' | 'user'
  readonly dialect: Dialect
  /** What a user types, but for the address of the model. */
  start(model: string): { args: string[]; env: Record<string, string> }
  /** Files that people have already; what setup does to them is taken back to the byte. */
  readonly files: Record<string, string>
}

const claudeStart: Agent['start'] = (model) => ({
  args: ['-p', 'Go on.'],
  env: {
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
  },
})

const codexStart: Agent['start'] = (model) => {
  const provider = `{ name = "stand-in", base_url = "${model}/v1", env_key = "STAND_IN_KEY", wire_api = "responses" }`
  const settings = ['model="stand-in"', 'model_provider="stand-in"', `model_providers.stand-in=${provider}`]
  return { args: ['exec', ...settings.flatMap((each) => ['-c', each]), 'Go on.'], env: { STAND_IN_KEY: 'none' } }
}

const agents: readonly Agent[] = [
  {
    name: 'claude',
    scope: 'project',
    dialect: anthropic,
    start: claudeStart,
    files: {
      'project/.mcp.json': '{"mcpServers": {"none": {"command": "true"}}}\n',
      'project/.claude/settings.local.json': '{\n    "permissions": {"allow": ["Bash(ls)"]}\n}',
    },
  },
  { name: 'claude', scope: 'user', dialect: anthropic, start: claudeStart, files: {} },
  {
    name: 'codex',
    scope: 'user',
    dialect: openai,
    start: codexStart,
    files: { '.codex/config.toml': '# mine\n[history] # none\npersistence = "none"' },
  },
]

const script: readonly Call[] = [
  { tool: 'state_increment', arguments: { key: 'turns' } },
  { tool: 'state_get', arguments: { key: 'turns' } },
]

/** A repository as `git init` leaves it. */
function repository(): Folder {
  const place = Folder.bare()
  rmSync(join(place.project, '.git'), { recursive: true })
  execFileSync('git', ['init', '-q', place.project])
  return place
}

async function turn(agent: Agent, place: Folder, cwd: string): Promise<readonly string[]> {
  const model = await standIn(agent.dialect, script)
  const { args, env } = agent.start(model.url)
  const { exit, out, err } = await runProgram(installed(agent.name), args, cwd, { HOME: place.folder, ...env })
  model.stop()
  expect(exit, `${out}\n${err}`).toBe(0)
  return model.results
}

describe.each(agents)('$name, set up for the $scope', (agent) => {
  const scope = ['--scope', agent.scope]

  it('reads and writes at its first run, from a folder below too', async () => {
    const place = repository()
    if (agent.scope === 'user') await place.session('Work')
    await place.answer(['setup', agent.name, '--yes', ...scope])
    const results = await turn(agent, place, place.project)
    expect(results).toEqual([expect.stringContaining('"value":1'), expect.stringContaining('"updated_by"')])
    const below = join(place.project, 'src', 'deep')
    mkdirSync(below, { recursive: true })
    expect(await turn(agent, place, below)).toEqual([expect.stringContaining('"value":2'), expect.any(String)])
    expect(await place.answer(['state', 'get', 'turns'])).toMatchObject({ value: 2, version: 2 })
    expect(await place.answer(['setup', agent.name, ...scope])).toMatchObject({ files: [] })
    await place.answer(['setup', agent.name, '--remove', '--yes', ...scope])
    expect(await turn(agent, place, place.project)).toEqual([])
  })

  it.runIf(Object.keys(agent.files).length > 0)(
    'works beside what is there, which comes back to the byte',
    async () => {
      const place = repository()
      for (const [file, contents] of Object.entries(agent.files)) place.put(file, contents)
      await place.answer(['setup', agent.name, '--yes'])
      expect(await turn(agent, place, place.project)).toEqual([
        expect.stringContaining('"value":1'),
        expect.any(String),
      ])
      await place.answer(['setup', agent.name, '--remove', '--yes'])
      for (const [file, contents] of Object.entries(agent.files)) expect(place.text(file)).toBe(contents)
    },
  )
})

describe.skipIf(!hasTerminal)('claude on a terminal, in a folder that is trusted', () => {
  /** What a person has said before: how it looks, which key it may use, that the folder is trusted. */
  const said = (project: string) => ({
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['none'], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true } },
  })

  it('reads and writes without a question', async () => {
    const place = repository()
    place.put('.claude.json', JSON.stringify(said(place.project)))
    await place.answer(['setup', 'claude', '--yes'])
    const model = await standIn(anthropic, script)
    onTestFinished(() => model.stop())
    const { env } = claudeStart(model.url)
    const claude = startOnTerminal(installed('claude'), place.project, { HOME: place.folder, ...env })
    // What is typed before it has reached the server is answered without its tools.
    while (model.results.length < script.length) {
      expect(claude.shown()).not.toMatch(/NewMCPserver|Doyouwanttoproceed/)
      claude.type('Go on.')
      await sleep(500)
      claude.type('\r')
      await sleep(2500)
    }
    expect(model.results).toEqual([expect.stringContaining('"value":1'), expect.stringContaining('"updated_by"')])
  })
})
