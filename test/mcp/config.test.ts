// What `cairn mcp config` prints for each client, and how its placeholders are filled.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filled } from '../../src/surfaces/cli/mcp/placeholders.ts'
import { sandbox } from '../cli/sandbox.ts'
import { Peer } from './peer.ts'

const of = (variable: string) => `$\{${variable}}`

describe('placeholders', () => {
  it('S0-25 are replaced by what the environment says, in every text', () => {
    const config = { env: { A: of('AGENT_SESSION_NAME') }, args: [`--x=${of('AGENT_SESSION_ID')}/y`, 1, null, true] }
    const environment = { AGENT_SESSION_NAME: 'fix "it"', AGENT_SESSION_ID: 'sess_1' }
    expect(filled(config, environment)).toEqual({ env: { A: 'fix "it"' }, args: ['--x=sess_1/y', 1, null, true] })
  })

  it('what is not set is empty, or what is given for that', () => {
    expect(filled([of('AGENT_SESSION_ID'), of('AGENT_SESSION_ID:-none')], {})).toEqual(['', 'none'])
  })

  it('values are put in as they are, and placeholders of others stay', () => {
    const tricky = `$& $1 ${of('AGENT_SESSION_ID')}`
    expect(filled(of('AGENT_SESSION_NAME'), { AGENT_SESSION_NAME: tricky, AGENT_SESSION_ID: 'x' })).toBe(tricky)
    const others = [of('HOME'), of('input:key'), '$AGENT_SESSION_ID', '${AGENT_']
    expect(filled(others, { HOME: '/root', AGENT_SESSION_ID: 'x' })).toEqual(others)
  })
})

describe('cairn mcp config', () => {
  const cairn = sandbox()
  const printed = async (...args: string[]) => {
    const { out, exit } = await cairn.run(['mcp', 'config', ...args])
    expect(exit).toBe(0)
    return out
  }
  const program = realpathSync('bin/cairn')

  it('prints a configuration whose command is there, and speaks', async () => {
    const session = await cairn.session()
    const { command, args, env } = JSON.parse(await printed()).mcpServers.cairn
    expect(args).toEqual([program, 'mcp'])
    expect(env).toMatchObject({ CAIRN_HOME: cairn.home, AGENT_SESSION_NAME: of('AGENT_SESSION_NAME') })
    expect(existsSync(command)).toBe(true)
    const child = cairn.spawn(args.slice(1), { env: { ...env, AGENT_SESSION_ID: session } })
    const peer = new Peer(child)
    await peer.initialize()
    expect((await peer.call('session_status')).document.session_id).toBe(session)
    await peer.end()
  })

  it('a placeholder that nobody replaced names no session', async () => {
    const env = { AGENT_SESSION_ID: of('AGENT_SESSION_ID'), AGENT_SESSION_NAME: '' }
    const peer = new Peer(cairn.spawn(['mcp'], { env, cwd: cairn.folder }))
    expect((await peer.call('state_get')).document.error).toBe('no_session')
    await peer.end()
  })

  it('is told each client in its own way', async () => {
    const claude = JSON.parse(await printed('--client', 'claude')).mcpServers.cairn
    expect(claude.env.AGENT_SESSION_NAME).toBe(of('AGENT_SESSION_NAME:-'))
    expect(claude.alwaysLoad).toBe(true)
    const cursor = JSON.parse(await printed('--client', 'cursor')).mcpServers.cairn
    expect(cursor.env.AGENT_SESSION_NAME).toBe(of('env:AGENT_SESSION_NAME'))
    const vscode = JSON.parse(await printed('--client', 'vscode')).servers.cairn
    expect(vscode.env.AGENT_SESSION_NAME).toBe(of('env:AGENT_SESSION_NAME'))
    const codex = await printed('--client', 'codex', '--profile', 'orchestrator')
    expect(codex).toContain(`args = ["${program}", "mcp", "--profile", "orchestrator"]\n`)
    expect(codex).toContain('env_vars = ["AGENT_SESSION_ID", "AGENT_SESSION_NAME", "AGENT_ROOT_SESSION_ID"]\n')
    expect(codex).toContain('default_tools_approval_mode = "approve"\n')
    expect((await cairn.run(['mcp', 'config', '--client', 'claude'])).err).toContain('claude mcp add cairn ')
  })

  it('S0-24 over HTTP it names the session in a header, and shows no secret unless asked', async () => {
    await cairn.answer(['session', 'ls'])
    const overHttp = ['--transport', 'http']
    const { headers, url } = JSON.parse(await printed(...overHttp)).mcpServers.cairn
    expect(url).toBe('http://127.0.0.1:4747/mcp')
    expect(headers['X-Agent-Session-Name']).toBe(of('AGENT_SESSION_NAME'))
    expect(headers.Authorization).toBe(`Bearer ${of('CAIRN_TOKEN')}`)
    expect(await printed(...overHttp, '--client', 'codex')).toContain('bearer_token_env_var = "CAIRN_TOKEN"\n')
    const shown = JSON.parse(await printed(...overHttp, '--show-token')).mcpServers.cairn
    const token = readFileSync(join(cairn.home, 'token'), 'utf8').trim()
    expect(shown.headers.Authorization).toBe(`Bearer ${token}`)
    const env = { CAIRN_STORE: 'postgres://me:secret@127.0.0.1/db' }
    const { out } = await cairn.run(['mcp', 'config'], { env })
    expect(out).not.toContain('secret')
  })

  it('with --fill an agent can be started with it at once', async () => {
    const { out } = await cairn.run(['mcp', 'config', '--fill', '--json'], { env: { AGENT_SESSION_NAME: 'fix' } })
    const document = JSON.parse(out)
    expect(document.env).toMatchObject({ AGENT_SESSION_NAME: 'fix', AGENT_SESSION_ID: '' })
    expect(JSON.parse(document.text).mcpServers.cairn.env).toEqual(document.env)
  })

  it.each([[['--client', 'nobody']], [['--transport', 'pigeon']], [['--profile', 'boss']], [['more']]])(
    'refuses %s',
    async (args) => {
      expect((await cairn.run(['mcp', 'config', ...args])).exit).toBe(2)
    },
  )
})
