import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import { realPath } from '../../../home/session-meant.ts'
import { type JsonObject, readJson } from '../../../json/value.ts'
import type { ToolServer } from '../../../runner/tools/tool-set.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What a program needs to run, and nothing that is anybody's secret. */
const passed = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'TZ']

/** The servers that a file names, as programs for agents have it: `{"mcpServers": {NAME: {command, args?, env?}}}`. */
export function serversIn(file: string, env: Environment): ToolServer[] {
  const path = realPath(file)
  const work = workTreeOf(path)
  if (work !== undefined) throw new CairnRefusal(notTrusted(file, work))
  const servers = objectAt(documentIn(path, file).mcpServers) ?? wrong(file, 'has no object mcpServers')
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

function plainEnvironment(env: Environment): Record<string, string> {
  return Object.fromEntries(passed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}

/** The work tree of git that a file is in. Whoever wrote the repository would decide what runs here. */
function workTreeOf(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return undefined
  }
}

function documentIn(path: string, file: string): JsonObject {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CairnRefusal(refuse('not_found', `There is no file ${file}.`, 'Check the path.'))
    return wrong(file, `cannot be read (${code ?? 'unknown error'})`)
  }
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

function notTrusted(file: string, work: string): Refusal {
  const message = `${file} is in the repository ${work}: whoever can change that would decide which programs run here.`
  return refuse('not_trusted', message, 'Copy it to a place outside of any repository, and name that.', { file })
}
