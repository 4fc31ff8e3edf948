// The real Claude Code and Codex, each with a stand-in for its model, through the configuration that `cairn mcp config` prints.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Sandbox } from '../cli/sandbox.ts'
import { startServer } from '../server/servers.ts'
import { claudeEnvironment } from './agents.ts'
import { anthropic } from './anthropic.ts'
import { installed } from './installed.ts'
import { openai } from './openai.ts'
import { startProgram } from './run-program.ts'
import { type Call, type Dialect, standIn } from './stand-in.ts'

interface Agent {
  readonly name: 'claude' | 'codex'
  readonly dialect: Dialect
  /** Writes what it reads at its start, and says how it is started. */
  prepare(folder: string, configuration: string, model: string): { args: string[]; env: Record<string, string> }
}

const claude: Agent = {
  name: 'claude',
  dialect: anthropic,
  prepare(folder, configuration, model) {
    const file = join(folder, 'mcp.json')
    writeFileSync(file, configuration)
    const servers = ['--mcp-config', file, '--strict-mcp-config', '--allowedTools', 'mcp__cairn']
    return {
      args: ['-p', 'Go on.', '--output-format', 'stream-json', '--verbose', ...servers],
      env: {
        ...claudeEnvironment(model),
        CLAUDE_CONFIG_DIR: join(folder, 'claude'),
        // Else tools of MCP servers are offered only to a model that searches for them.
        ENABLE_TOOL_SEARCH: 'false',
      },
    }
  },
}

const codex: Agent = {
  name: 'codex',
  dialect: openai,
  prepare(folder, configuration, model) {
    const home = join(folder, 'codex')
    mkdirSync(home)
    const lines = [
      'model = "stand-in"',
      'model_provider = "stand-in"',
      'approval_policy = "never"',
      '[model_providers.stand-in]',
      'name = "stand-in"',
      `base_url = "${model}/v1"`,
      'env_key = "STAND_IN_KEY"',
      'wire_api = "responses"',
    ]
    writeFileSync(join(home, 'config.toml'), `${lines.join('\n')}\n${configuration}`)
    const args = ['exec', '--json', '--skip-git-repo-check', '--sandbox', 'danger-full-access', 'Go on.']
    return { args, env: { CODEX_HOME: home, STAND_IN_KEY: 'none' } }
  },
}

const script: readonly Call[] = [
  { tool: 'state_increment', arguments: { key: 'turns' } },
  { tool: 'state_wait', arguments: { key: 'go', timeout: '60s' } },
]

/** Sets the key that the agent waits for, once it has counted. */
async function answerTheAgent(place: Sandbox, root: string): Promise<void> {
  await place.answer(['state', 'wait', 'turns', '--timeout', '150s', '--session', root])
  await place.answer(['state', 'set', 'go', '"now"', '--session', root])
}

/** What the program that prints the configuration is told, and what else an agent is started with. */
interface Transport {
  readonly transport: 'stdio' | 'http'
  start(place: Sandbox, session: string): Promise<Record<string, string>>
}

const stdio: Transport = { transport: 'stdio', start: async () => ({}) }

const http: Transport = {
  transport: 'http',
  async start(place, session) {
    await startServer(place)
    const { token } = await place.answer(['token', 'create', 'agent', '--session', session])
    return { CAIRN_TOKEN: token }
  },
}

describe.each([claude, codex])('$name', (agent) => {
  it.each([stdio, http])('increments a key, then waits for another, as its session over $transport', async (way) => {
    const place = new Sandbox()
    onTestFinished(() => place.remove())
    const program = installed(agent.name)
    const root = await place.session('Turns')
    const child = await place.session('A turn', '--parent', root, '--name', agent.name)
    const given = await way.start(place, child)
    const printed = await place.run(['mcp', 'config', '--client', agent.name, '--transport', way.transport])
    const model = await standIn(agent.dialect, script)
    const { args, env } = agent.prepare(place.folder, printed.out, model.url)
    const told = { HOME: place.folder, CAIRN_HOME: place.home, AGENT_SESSION_ID: child, ...given, ...env }
    const [{ exit, out, err }] = await Promise.all([
      startProgram(program, { args, env: told }, place.project).ended,
      answerTheAgent(place, root),
    ])
    model.stop()

    expect({ exit, offered: model.offered }, `${out}\n${err}`).toMatchObject({
      exit: 0,
      offered: expect.arrayContaining(script.map(({ tool }) => expect.stringMatching(new RegExp(`${tool}$`)))),
    })
    expect(model.results).toEqual([expect.stringContaining('"turns"'), expect.stringContaining('"now"')])
    const turns = await place.answer(['state', 'get', 'turns', '--session', root])
    expect(turns).toMatchObject({ value: 1, version: 1, updated_by: child })
  })
})
