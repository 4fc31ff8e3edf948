import { tableText } from '../setup/toml/text.ts'
import { formatOf, type Reached, serverName, variableOf } from './client-entry.ts'
import type { Client } from './clients.ts'

/** What a client is told, and how. */
interface Configuration {
  /** The file that it belongs into. */
  readonly file: string
  readonly text: string
  /** What does the same on a command line, where the client has that. */
  readonly command?: string
}

export function configurationFor(client: Client, reached: Reached): Configuration {
  const { file, servers, entry } = formatOf(client)
  const told = entry(reached)
  if (client === 'codex') return { file, text: tableText([servers, serverName], told, '\n') }
  const text = `${JSON.stringify({ [servers]: { [serverName]: told } }, null, 2)}\n`
  return client === 'claude' ? { file, text, command: claudeCommand(reached) } : { file, text }
}

function claudeCommand(reached: Reached): string {
  if ('url' in reached) {
    const headers = Object.entries(reached.headers).flatMap(([header, value]) => ['--header', `${header}: ${value}`])
    return ['claude', 'mcp', 'add', '--transport', 'http', serverName, reached.url, ...headers].map(quoted).join(' ')
  }
  const { command, args, env } = reached
  // What is inherited needs no mention.
  const fixed = Object.entries(env).filter(([, value]) => variableOf(value) === undefined)
  const variables = fixed.flatMap(([variable, value]) => ['--env', `${variable}=${value}`])
  return ['claude', 'mcp', 'add', serverName, ...variables, '--', command, ...args].map(quoted).join(' ')
}

/** As a shell takes it for one word. Placeholders stay what they are: Claude Code replaces them. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
