import { basename } from 'node:path'
import type { Json, JsonObject } from '../../../json/value.ts'
import type { Client } from './clients.ts'

/** How a client reaches this server. */
export type Reached =
  | { readonly command: string; readonly args: readonly string[]; readonly env: { readonly [name: string]: string } }
  | { readonly url: string; readonly headers: { readonly [name: string]: string } }

/** The name of the server in every configuration. */
export const serverName = 'cairn'

/** A wait lasts an hour at most; a client that gives up before it asks in vain. */
const toolSeconds = 3660

/** What one program is told of a server. */
interface ClientFormat {
  /** The member of its configuration that holds the servers by their names. */
  readonly servers: string
  entry(reached: Reached): JsonObject
  /** The file in a project, or in the home folder of a user; as people know it. */
  readonly file: string
}

const formats: Readonly<Record<Client, ClientFormat>> = {
  json: { servers: 'mcpServers', file: '.mcp.json', entry: usualEntry },
  claude: {
    servers: 'mcpServers',
    file: '.mcp.json',
    // Else its tools are searched for and not offered, and a first turn may begin without them.
    entry: (reached) => ({ ...withPlaceholders(usualEntry(reached), optionalVariable), alwaysLoad: true }),
  },
  vscode: {
    servers: 'servers',
    file: '.vscode/mcp.json',
    entry: (reached) => ({
      type: 'url' in reached ? 'http' : 'stdio',
      ...withPlaceholders(usualEntry(reached), editorVariable),
    }),
  },
  cursor: {
    servers: 'mcpServers',
    file: '.cursor/mcp.json',
    entry: (reached) => withPlaceholders(usualEntry(reached), editorVariable),
  },
  codex: { servers: 'mcp_servers', file: '~/.codex/config.toml', entry: codexEntry },
}

export function formatOf(client: Client): ClientFormat {
  return formats[client]
}

/** Whether an entry, under whatever name, starts Cairn or asks a server of it. */
export function isCairn(entry: Json | undefined): boolean {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return false
  const { command, args, url } = entry
  if (typeof url === 'string') return /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):4747\/mcp(?:$|\?)/.test(url)
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string')
  const program = words.findIndex((word) => /^(?:agent-)?cairn(?:@[\w.-]+)?(?:\.[cm]?js)?$/.test(basename(word)))
  return program >= 0 && words.includes('mcp', program + 1)
}

function usualEntry(reached: Reached): JsonObject {
  if ('url' in reached) return { type: 'http', url: reached.url, headers: { ...reached.headers } }
  const { command, args, env } = reached
  return { command, args: [...args], ...(Object.keys(env).length > 0 ? { env: { ...env } } : {}) }
}

function withPlaceholders(entry: JsonObject, written: (variable: string) => string): JsonObject {
  const each = (inner: Json): Json => {
    if (typeof inner === 'string') return inner.replace(/\$\{(\w+)\}/g, (_whole, variable) => written(variable))
    if (typeof inner !== 'object' || inner === null) return inner
    return Array.isArray(inner) ? inner.map(each) : withPlaceholders(inner, written)
  }
  return Object.fromEntries(Object.entries(entry).map(([member, inner]) => [member, each(inner)]))
}

/** Claude Code refuses a whole file for one variable that is not set, unless it is told what is meant then. */
const optionalVariable = (variable: string) => `\${${variable}:-}`

const editorVariable = (variable: string) => `\${env:${variable}}`

/** The variable that a text is nothing but the placeholder of. */
export function variableOf(text: string): string | undefined {
  return /^\$\{(\w+)\}$/.exec(text)?.[1]
}

/** Codex has no placeholders: it is told the names of variables. Without the last member it asks before each tool that writes. */
function codexEntry(reached: Reached): JsonObject {
  return {
    ...('url' in reached ? codexOverHttp(reached) : codexOverStdio(reached)),
    tool_timeout_sec: toolSeconds,
    default_tools_approval_mode: 'approve',
  }
}

function codexOverStdio({ command, args, env }: Extract<Reached, { command: string }>): JsonObject {
  const { variables, fixed } = partedByPlaceholder(env)
  return {
    command,
    args: [...args],
    ...(isEmpty(variables) ? {} : { env_vars: Object.values(variables) }),
    ...(isEmpty(fixed) ? {} : { env: fixed }),
  }
}

function codexOverHttp({ url, headers }: Extract<Reached, { url: string }>): JsonObject {
  const { Authorization: authorization = '', ...others } = headers
  const bearer = variableOf(authorization.replace(/^Bearer /, ''))
  const { variables, fixed } = partedByPlaceholder(others)
  const http_headers = bearer === undefined ? { ...fixed, Authorization: authorization } : fixed
  return {
    url,
    ...(bearer === undefined ? {} : { bearer_token_env_var: bearer }),
    ...(isEmpty(variables) ? {} : { env_http_headers: variables }),
    ...(isEmpty(http_headers) ? {} : { http_headers }),
  }
}

const isEmpty = (object: object) => Object.keys(object).length === 0

/** What is nothing but a placeholder, by the name of its variable, and what is not. */
function partedByPlaceholder(texts: { readonly [name: string]: string }) {
  const variables: Record<string, string> = {}
  const fixed: Record<string, string> = {}
  for (const [name, text] of Object.entries(texts)) {
    const variable = variableOf(text)
    if (variable === undefined) fixed[name] = text
    else variables[name] = variable
  }
  return { variables, fixed }
}
