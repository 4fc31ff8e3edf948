import type { Json } from '../../../json/value.ts'

/** How a client reaches this server. */
export type Reached =
  | { readonly command: string; readonly args: readonly string[]; readonly env: { readonly [name: string]: string } }
  | { readonly url: string; readonly headers: { readonly [name: string]: string } }

export const clients = ['json', 'claude', 'codex', 'vscode'] as const
export type Client = (typeof clients)[number]

/** What a client is told, and how. */
export interface Configuration {
  /** The file that it belongs into. */
  readonly file: string
  readonly text: string
  /** What does the same on a command line, where the client has that. */
  readonly command?: string
}

const name = 'cairn'

/** A wait lasts an hour at most; a client that gives up before it asks in vain. */
const toolSeconds = 3660

const writers: Readonly<Record<Client, (reached: Reached) => Configuration>> = {
  json: (reached) => ({ file: '.mcp.json', text: shown({ mcpServers: { [name]: entryOf(reached) } }) }),
  claude: (reached) => {
    const optional = mapped(entryOf(reached), withDefaults)
    return { file: '.mcp.json', text: shown({ mcpServers: { [name]: optional } }), command: claudeCommand(reached) }
  },
  vscode: (reached) => {
    const typed = { type: 'url' in reached ? 'http' : 'stdio', ...mapped(entryOf(reached), ofVscode) }
    return { file: '.vscode/mcp.json', text: shown({ servers: { [name]: typed } }) }
  },
  codex: (reached) => ({ file: '~/.codex/config.toml', text: codexText(reached) }),
}

export function configurationFor(client: Client, reached: Reached): Configuration {
  return writers[client](reached)
}

function shown(document: Json): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

type Entry = { readonly [name: string]: Json }

function entryOf(reached: Reached): Entry {
  if ('url' in reached) return { type: 'http', url: reached.url, headers: { ...reached.headers } }
  const { command, args, env } = reached
  return { command, args: [...args], ...(Object.keys(env).length > 0 ? { env: { ...env } } : {}) }
}

function mapped(value: Entry, change: (text: string) => string): Entry {
  const each = (inner: Json): Json => {
    if (typeof inner === 'string') return change(inner)
    if (typeof inner !== 'object' || inner === null) return inner
    return Array.isArray(inner) ? inner.map(each) : mapped(inner, change)
  }
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, each(inner)]))
}

/** Claude Code refuses a whole file for one variable that is not set, unless it is told what is meant then. */
function withDefaults(text: string): string {
  return text.replace(/\$\{(\w+)\}/g, (_whole, variable) => `\${${variable}:-}`)
}

function ofVscode(text: string): string {
  return text.replace(/\$\{(\w+)\}/g, (_whole, variable) => `\${env:${variable}}`)
}

/** The variable that a text is nothing but the placeholder of. */
function variableOf(text: string): string | undefined {
  return /^\$\{(\w+)\}$/.exec(text)?.[1]
}

/** Codex has no placeholders: it is told the names of variables. A text in quotes means the same in JSON and in TOML. */
function codexText(reached: Reached): string {
  const lines = 'url' in reached ? codexOverHttp(reached) : codexOverStdio(reached)
  return [`[mcp_servers.${name}]`, ...lines, `tool_timeout_sec = ${toolSeconds}`, ''].join('\n')
}

function codexOverStdio({ command, args, env }: Extract<Reached, { command: string }>): string[] {
  const entries = Object.entries(env)
  const forwarded = entries.flatMap(([, value]) => variableOf(value) ?? [])
  const fixed = entries.filter(([, value]) => variableOf(value) === undefined)
  return [
    `command = ${JSON.stringify(command)}`,
    `args = ${JSON.stringify(args)}`,
    ...(forwarded.length > 0 ? [`env_vars = ${JSON.stringify(forwarded)}`] : []),
    ...(fixed.length > 0 ? [`env = ${tableOf(fixed)}`] : []),
  ]
}

function codexOverHttp({ url, headers }: Extract<Reached, { url: string }>): string[] {
  const { Authorization: authorization = '', ...others } = headers
  const bearer = variableOf(authorization.replace(/^Bearer /, ''))
  const entries = Object.entries(others)
  const forwarded = entries.flatMap(([header, value]): [string, string][] => {
    const variable = variableOf(value)
    return variable === undefined ? [] : [[header, variable]]
  })
  const fixed = entries.filter(([, value]) => variableOf(value) === undefined)
  if (bearer === undefined) fixed.push(['Authorization', authorization])
  return [
    `url = ${JSON.stringify(url)}`,
    ...(bearer === undefined ? [] : [`bearer_token_env_var = ${JSON.stringify(bearer)}`]),
    ...(forwarded.length > 0 ? [`env_http_headers = ${tableOf(forwarded)}`] : []),
    ...(fixed.length > 0 ? [`http_headers = ${tableOf(fixed)}`] : []),
  ]
}

function tableOf(entries: readonly (readonly [string, string])[]): string {
  return `{ ${entries.map(([key, value]) => `${JSON.stringify(key)} = ${JSON.stringify(value)}`).join(', ')} }`
}

function claudeCommand(reached: Reached): string {
  if ('url' in reached) {
    const headers = Object.entries(reached.headers).flatMap(([header, value]) => ['--header', `${header}: ${value}`])
    return ['claude', 'mcp', 'add', '--transport', 'http', name, reached.url, ...headers].map(quoted).join(' ')
  }
  const { command, args, env } = reached
  // What is inherited needs no mention.
  const fixed = Object.entries(env).filter(([, value]) => variableOf(value) === undefined)
  const variables = fixed.flatMap(([variable, value]) => ['--env', `${variable}=${value}`])
  return ['claude', 'mcp', 'add', name, ...variables, '--', command, ...args].map(quoted).join(' ')
}

/** As a shell takes it for one word. Placeholders stay what they are: Claude Code replaces them. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
