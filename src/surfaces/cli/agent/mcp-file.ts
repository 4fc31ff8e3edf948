import { readFileSync } from 'node:fs'
import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import { type Environment, plainEnvironment } from '../../../home/plain-environment.ts'
import { checkTrusted } from '../../../home/trust.ts'
import { type JsonObject, readJson } from '../../../json/value.ts'
import type { ToolServer } from '../../../runner/tools/tool-set.ts'

/** The servers that a file names, as programs for agents have it: `{"mcpServers": {NAME: {command, args?, env?}}}`. */
export function serversIn(file: string, env: Environment, home: string): ToolServer[] {
  const text = textOf(file)
  const refusal = checkTrusted(home, file, text)
  if (refusal) throw new CairnRefusal(refusal)
  const servers = objectAt(documentIn(text, file).mcpServers) ?? wrong(file, 'has no object mcpServers')
  return Object.entries(servers).map(([name, entry]) => serverOf(name, objectAt(entry) ?? {}, file, env))
}

function serverOf(name: string, entry: JsonObject, file: string, env: Environment): ToolServer {
  const { command, args = [] } = entry
  if (typeof command !== 'string' || command === '') {
    const what = `names ${JSON.stringify(name)} without a command`
    return wrong(file, typeof entry.url === 'string' ? `${what}; only servers on stdin and stdout work here` : what)
  }
  if (!Array.isArray(args) || !args.every((each) => typeof each === 'string'))
    return wrong(file, `gives ${JSON.stringify(name)} args that are not a list of texts`)
  const own = Object.entries(objectAt(entry.env) ?? {}).map(([key, value]) => [key, filledIn(String(value), env)])
  return {
    name,
    command,
    args: args as string[],
    env: { ...plainEnvironment(env), ...Object.fromEntries(own) },
    isOwn: false,
  }
}

/** `${NAME}` and `${NAME:-default}` are what the environment has. */
function filledIn(text: string, env: Environment): string {
  return text.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name: string, other = '') => env[name] ?? other)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CairnRefusal(refuse('not_found', `There is no file ${file}.`, 'Check the path.'))
    return wrong(file, `cannot be read (${code ?? 'unknown error'})`)
  }
}

function documentIn(text: string, file: string): JsonObject {
  const read = readJson(text)
  if (read instanceof Refusal) return wrong(file, `is not valid JSON: ${read.message}`)
  return objectAt(read) ?? wrong(file, 'is not an object')
}

function objectAt(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
}

function wrong(file: string, what: string): never {
  const hint = 'Write it as {"mcpServers": {"NAME": {"command": "…", "args": ["…"]}}}.'
  throw new CairnRefusal(refuse('invalid_input', `${file} ${what}.`, hint))
}
