import { homedir } from 'node:os'
import { join } from 'node:path'
import { formatOf, type Reached, serverName } from '../mcp/client-entry.ts'
import type { Client } from '../mcp/clients.ts'
import type { ItemPiece, Path, Piece } from './pieces.ts'
import type { Syntax } from './syntaxes.ts'

export const scopes = ['project', 'user'] as const
export type Scope = (typeof scopes)[number]

/** A file that a program reads. */
export interface ReadFile {
  readonly path: string
  readonly syntax: Syntax
}

/** A file that setup changes, and what belongs into it. */
export interface Target extends ReadFile {
  readonly pieces: readonly Piece[]
  /** Holds more of a person than this project: for its owner only, where setup makes it. */
  readonly isPrivate: boolean
}

/** Where a program may know the server from besides the file of the entry. */
export interface OtherServers extends ReadFile {
  readonly servers: Path
}

/** All that setup has to know of a program in one scope. */
export interface Placement {
  /** The first one has the entry. */
  readonly targets: readonly [Target, ...Target[]]
  readonly others: readonly OtherServers[]
  /** Claude Code's settings, which may say what is wanted already, or the opposite. */
  readonly settings: readonly ReadFile[]
  /** What the program is called on a command line. */
  readonly program: string | undefined
}

/** Claude Code calls the tools of a server `mcp__<server>__<tool>`; the server alone stands for all of them. */
const allowed: ItemPiece = { kind: 'item', path: ['permissions', 'allow'], item: `mcp__${serverName}` }
const enabled: ItemPiece = { kind: 'item', path: ['enabledMcpjsonServers'], item: serverName }

/** The scope that is meant where none is given: Codex reads a project's file only after it was told to trust the project. */
export function usualScope(client: Client): Scope {
  return client === 'codex' ? 'user' : 'project'
}

/** Undefined for a program that has no file for all projects of a user. */
export function placementOf(client: Client, scope: Scope, project: string, reached: Reached): Placement | undefined {
  const files = filesOf(client, project)
  const [own, other] = scope === 'project' ? [files.project, files.user] : [files.user, files.project]
  if (own === undefined) return undefined
  const { servers, entry } = formatOf(client)
  const shared = client === 'json'
  const piece: Piece = { kind: 'entry', servers: [servers], name: serverName, entry: entry(reached), shared }
  const isPrivate = scope === 'user'
  const target: Target = { ...own, pieces: [piece], isPrivate }
  const others = other === undefined ? [] : [{ ...other, servers: [servers] }]
  const usual: Placement = { targets: [target], others, settings: [], program: files.program }
  return client === 'claude' ? claudePlacement(usual, target, scope, project) : usual
}

function claudePlacement(usual: Placement, target: Target, scope: Scope, project: string): Placement {
  const user = claudeFolder()
  const json = (path: string): ReadFile => ({ path, syntax: 'json' })
  const [mine, shared] = ['settings.local.json', 'settings.json'].map((name) => json(join(project, '.claude', name)))
  const all = json(join(user ?? join(homedir(), '.claude'), 'settings.json'))
  const ofScope = (scope === 'user' ? all : mine) as ReadFile
  const local = { ...json(claudeState()), servers: ['projects', project, 'mcpServers'] }
  return {
    ...usual,
    targets: [
      target,
      { ...ofScope, pieces: scope === 'user' ? [allowed] : [allowed, enabled], isPrivate: scope === 'user' },
    ],
    others: [...usual.others, local],
    settings: [mine, shared, all].filter((file) => file !== undefined),
  }
}

const claudeFolder = () => process.env.CLAUDE_CONFIG_DIR || undefined

/** Where Claude Code keeps the servers of a user, and those of one project that are for this user only. */
const claudeState = () => join(claudeFolder() ?? homedir(), '.claude.json')

/** The files in which a program looks for servers. */
interface ClientFiles {
  readonly project: ReadFile
  readonly user?: ReadFile
  readonly program?: string
}

function filesOf(client: Client, project: string): ClientFiles {
  const home = homedir()
  switch (client) {
    case 'json':
      return { project: { path: join(project, '.mcp.json'), syntax: 'json' } }
    case 'claude':
      return {
        project: { path: join(project, '.mcp.json'), syntax: 'json' },
        user: { path: claudeState(), syntax: 'json' },
        program: 'claude',
      }
    case 'codex':
      return {
        project: { path: join(project, '.codex', 'config.toml'), syntax: 'toml' },
        user: { path: join(process.env.CODEX_HOME || join(home, '.codex'), 'config.toml'), syntax: 'toml' },
        program: 'codex',
      }
    case 'vscode':
      return {
        project: { path: join(project, '.vscode', 'mcp.json'), syntax: 'jsonc' },
        user: { path: join(editorFolder(home), 'Code', 'User', 'mcp.json'), syntax: 'jsonc' },
        program: 'code',
      }
    case 'cursor':
      return {
        project: { path: join(project, '.cursor', 'mcp.json'), syntax: 'jsonc' },
        user: { path: join(home, '.cursor', 'mcp.json'), syntax: 'jsonc' },
        program: 'cursor',
      }
  }
}

/** Where programs keep their settings on this system. */
function editorFolder(home: string): string {
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (process.platform === 'win32') return process.env.APPDATA || join(home, 'AppData', 'Roaming')
  return process.env.XDG_CONFIG_HOME || join(home, '.config')
}
