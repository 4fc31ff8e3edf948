// The official conformance suite, read scenario by scenario: what fails is listed with its reason, and all else must pass.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tools } from '../../src/surfaces/mcp/tools/index.ts'
import { expectedFailures, fixtures, withoutSubject } from './conformance.ts'
import { openHost } from './host.ts'

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
  readonly errorMessage?: string
}

const require = createRequire(import.meta.url)
const suite = require.resolve('@modelcontextprotocol/conformance/dist/index.js')

function run(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text
  })
  return new Promise((done) => child.on('close', () => done(out)))
}

describe('the conformance suite', () => {
  const host = openHost([...tools.agent, ...fixtures])
  const folder = mkdtempSync(join(tmpdir(), 'cairn-conformance-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const checks = new Map<string, Check[]>()
  beforeAll(async () => {
    await run(['server', '--url', host(), '--suite', 'all', '--output-dir', folder])
    for (const name of readdirSync(folder)) {
      const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
      checks.set(scenario, JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')))
    }
  })

  it('has run every scenario that it has for servers', async () => {
    const listed = (await run(['list', '--server'])).split('\n').flatMap((line) => /^\s+- (\S+)$/.exec(line)?.[1] ?? [])
    expect([...checks.keys()].sort()).toEqual(listed.sort())
    expect(Object.keys(expectedFailures).filter((name) => !listed.includes(name))).toEqual([])
  })

  it('finds no fault but those that are expected', () => {
    const failed = [...checks].filter(([, all]) =>
      all.some(({ status }) => status === 'FAILURE' || status === 'WARNING'),
    )
    const shown = failed.map(
      ([name, all]) => `${name}: ${all.map(({ errorMessage }) => errorMessage ?? 'ok').join('; ')}`,
    )
    expect(failed.map(([name]) => name).sort(), shown.join('\n')).toEqual(Object.keys(expectedFailures).sort())
  })

  it('has looked at something in every scenario but those that are listed', () => {
    const idle = [...checks].filter(
      ([, all]) => !all.some(({ status }) => status === 'SUCCESS' || status === 'FAILURE'),
    )
    expect(idle.map(([name]) => name)).toEqual(Object.keys(withoutSubject))
  })
})
