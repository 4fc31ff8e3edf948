import { type ChildProcess, spawn } from 'node:child_process'
import type { Json, JsonObject } from '../../../json/value.ts'

/** Longer than a program takes to start on a busy machine; a server that says nothing for so long does not work. */
const answerMsMax = 30_000
/** As much of what a program says before it fails as tells why. */
const saidCharsMax = 2000

/** The newest revision that is agreed on by a first message. */
const protocolVersion = '2025-11-25'

/** What clients hand down of their own environment, besides what an entry names. */
const inherited = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'SYSTEMROOT', 'APPDATA', 'USERPROFILE']

/** Why a server did not answer as one should. */
export class ProofFault extends Error {}

/** Starts the server of an entry as a client does, and asks for its tools; throws a `ProofFault`. */
export async function toolsOf(entry: JsonObject, folder: string): Promise<string[]> {
  const { command, args } = entry
  if (typeof command !== 'string') throw new ProofFault('the entry has no command')
  const words = (Array.isArray(args) ? args : []).map((word) => replaced(String(word)))
  const child = spawn(replaced(command), words, { cwd: folder, env: environmentOf(entry), stdio: 'pipe' })
  try {
    return await asked(child)
  } finally {
    child.stdin?.end()
    child.kill('SIGKILL')
  }
}

/** Placeholders in the notation of any client: `${NAME}`, `${NAME:-otherwise}`, `${env:NAME}`. */
function replaced(text: string): string {
  return text.replace(
    /\$\{(?:env:)?(\w+)(?::-([^}]*))?\}/g,
    (_whole, name, otherwise = '') => process.env[name] || otherwise,
  )
}

function environmentOf({ env, env_vars }: JsonObject): NodeJS.ProcessEnv {
  const forwarded = (Array.isArray(env_vars) ? env_vars : []).filter((name) => typeof name === 'string')
  const passed = [...inherited, ...forwarded].flatMap((name): [string, string][] => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  const named = Object.entries((env ?? {}) as JsonObject).map(([name, value]) => [name, replaced(String(value))])
  return Object.fromEntries([...passed, ...named])
}

function asked(child: ChildProcess): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let said = ''
    let unread = ''
    const fail = (why: string) => {
      const last = said.trim().split('\n').at(-1)
      reject(new ProofFault(last ? `${why}: ${last}` : why))
    }
    const timer = setTimeout(() => fail('it did not answer within 30s'), answerMsMax)
    const send = (message: object) => child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    child.on('error', (error) => fail((error as NodeJS.ErrnoException).code ?? error.message))
    child.on('close', (code) => {
      clearTimeout(timer)
      fail(`it ended with exit code ${code}`)
    })
    child.stdin?.on('error', () => undefined)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-saidCharsMax)
    })
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (unread + text).split('\n')
      unread = lines.pop() ?? ''
      for (const line of lines) hear(line)
    })
    const clientInfo = { name: 'cairn-setup', version: '1' }
    send({ id: 1, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } })

    function hear(line: string): void {
      const message = parsed(line)
      if (message === undefined) fail('it printed a line that is not JSON')
      else if (message.error !== undefined) fail(`it answered ${JSON.stringify(message.error)}`)
      else if (message.id === 1) {
        send({ method: 'notifications/initialized' })
        send({ id: 2, method: 'tools/list' })
      } else if (message.id === 2) {
        const { tools } = message.result as { tools: { name: string }[] }
        clearTimeout(timer)
        resolve(tools.map(({ name }) => name))
      }
    }
  })
}

function parsed(line: string): { [member: string]: Json } | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
