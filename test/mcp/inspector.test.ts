// The command of the official inspector, as a person would use it.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tools } from '../../src/surfaces/mcp/tools/index.ts'
import type { Document } from '../cli/sandbox.ts'
import { openHost } from './host.ts'
import { place } from './place.ts'

const require = createRequire(import.meta.url)
const inspector = require.resolve('@modelcontextprotocol/inspector-cli/build/cli.js')

/** Runs it, and gives what it printed as JSON. */
function inspect(target: readonly string[], asked: readonly string[], env: Record<string, string>): Promise<Document> {
  const sealed = { PATH: process.env.PATH ?? '', ...env }
  const child = spawn(process.execPath, [inspector, '--cli', ...target, ...asked], { env: sealed })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said.err += text
  })
  return new Promise((done, fail) =>
    child.on('close', (code) => (code === 0 ? done(JSON.parse(said.out)) : fail(new Error(said.err)))),
  )
}

/** What it can be asked for, and what must be in the answer. */
const questions: readonly [asked: string[], expected: object][] = [
  [['--method', 'tools/list'], { tools: tools.agent.map(({ name }) => expect.objectContaining({ name })) }],
  [
    ['--method', 'tools/call', '--tool-name', 'state_increment', '--tool-arg', 'key=n', '--tool-arg', 'delta=2'],
    { structuredContent: { key: 'n', value: 2, version: 1 } },
  ],
  [
    ['--method', 'tools/call', '--tool-name', 'state_set', '--tool-arg', 'key=n', '--tool-arg', 'value={not JSON'],
    { isError: true, structuredContent: { error: 'invalid_input' } },
  ],
]

describe('the inspector', () => {
  const here = place({ served: false })
  const host = openHost(tools.agent)

  it('lists tools, calls one and is refused over stdio', async () => {
    const { sandbox, newRoot } = here()
    const env = { HOME: sandbox.folder, CAIRN_HOME: sandbox.home, AGENT_SESSION_ID: await newRoot() }
    const given = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
    for (const [asked, expected] of questions) {
      const answer = await inspect([...given, process.execPath, resolve('bin/cairn'), 'mcp'], asked, env)
      expect(answer, asked.join(' ')).toMatchObject(expected)
    }
  })

  it('lists tools, calls one and is refused over HTTP', async () => {
    for (const [asked, expected] of questions) {
      const answer = await inspect([host(), '--transport', 'http'], asked, {})
      expect(answer, asked.join(' ')).toMatchObject(expected)
    }
  })
})
