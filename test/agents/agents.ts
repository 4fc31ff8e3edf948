// The real programs of agents, as a person starts them, but for the address of the model.
import { anthropic } from './anthropic.ts'
import { openai } from './openai.ts'
import type { Dialect } from './stand-in.ts'

/** How a program is started. */
export interface Start {
  readonly args: readonly string[]
  readonly env: Record<string, string>
}

export interface Agent {
  readonly name: 'claude' | 'codex'
  /** What its sessions are called, before their number. */
  readonly client: string
  readonly dialect: Dialect
  /** One turn that nobody watches. */
  start(model: string): Start
  /** The start with a variable in the environment of its MCP servers. */
  withVariable(start: Start, variable: string, value: string): Start
}

/** What keeps Claude Code with a model, and away from everything else. */
export function claudeEnvironment(model: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
  }
}

export const claude: Agent = {
  name: 'claude',
  client: 'claude-code',
  dialect: anthropic,
  start: (model) => ({ args: ['-p', 'Go on.'], env: claudeEnvironment(model) }),
  withVariable: ({ args, env }, variable, value) => ({ args, env: { ...env, [variable]: value } }),
}

const setting = (text: string) => ['-c', text]

export const codex: Agent = {
  name: 'codex',
  client: 'codex-mcp-client',
  dialect: openai,
  start(model) {
    const provider = `{ name = "stand-in", base_url = "${model}/v1", env_key = "STAND_IN_KEY", wire_api = "responses" }`
    const settings = ['model="stand-in"', 'model_provider="stand-in"', `model_providers.stand-in=${provider}`]
    return { args: ['exec', ...settings.flatMap(setting), 'Go on.'], env: { STAND_IN_KEY: 'none' } }
  },
  // It hides its environment from its servers.
  withVariable: ({ args, env }, variable, value) => ({
    args: [...args, ...setting(`mcp_servers.cairn.env.${variable}="${value}"`)],
    env,
  }),
}
