// The official clients, over both transports. Whoever asks for one closes it.
import { resolve } from 'node:path'
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Sandbox } from '../cli/sandbox.ts'
import type { Address } from './place.ts'

const info = { name: 'official', version: '1' }

/** `cairn mcp` as a program that a client starts. */
function command(sandbox: Sandbox, env: Record<string, string>, more: readonly string[] = []) {
  const sealed = { PATH: process.env.PATH ?? '', HOME: sandbox.folder, CAIRN_HOME: sandbox.home, ...env }
  const args = [resolve('bin/cairn'), 'mcp', ...more]
  return { command: process.execPath, args, env: sealed, cwd: sandbox.project, stderr: 'pipe' as const }
}

function address(server: Address, headers: Record<string, string>): [URL, object] {
  const all = { authorization: `Bearer ${server.token}`, ...headers }
  return [new URL('/mcp', server.url), { requestInit: { headers: all } }]
}

export async function overStdio(sandbox: Sandbox, env: Record<string, string> = {}): Promise<Client> {
  return connected(new Client(info), new StdioClientTransport(command(sandbox, env)))
}

/** A client that calls itself so, and the pid of the server that it started. */
export interface NamedClient {
  readonly client: Client
  readonly pid: number
}

export async function namedOverStdio(
  sandbox: Sandbox,
  name: string,
  env: Record<string, string> = {},
  more: readonly string[] = [],
): Promise<NamedClient> {
  const transport = new StdioClientTransport(command(sandbox, env, more))
  const client = await connected(new Client({ name, version: '1' }), transport)
  return { client, pid: transport.pid as number }
}

export async function overHttp(server: Address, headers: Record<string, string> = {}): Promise<Client> {
  return connected(new Client(info), new StreamableHTTPClientTransport(...address(server, headers)))
}

async function connected(client: Client, transport: StdioClientTransport | StreamableHTTPClientTransport) {
  // Their types were written without exact optional properties.
  await client.connect(transport as Transport)
  return client
}

/** `stateless`: of the revision that agrees on nothing at the start. */
type Era = 'legacy' | 'stateless'

function newClient(era: Era): NewClient {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' }
  return new NewClient(info, { versionNegotiation: { mode } })
}

export async function newOverStdio(era: Era, sandbox: Sandbox, env: Record<string, string> = {}): Promise<NewClient> {
  const client = newClient(era)
  await client.connect(new NewStdio(command(sandbox, env)))
  return client
}

export async function newOverHttp(era: Era, server: Address, headers: Record<string, string> = {}) {
  const client = newClient(era)
  await client.connect(new NewHttp(...address(server, headers)))
  return client
}
