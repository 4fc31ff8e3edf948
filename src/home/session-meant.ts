import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

/** The working directory a command is in: the nearest one above that is a repository, a bare one too, or has an `agents` folder. */
export function folderHere(): string {
  const here = realPath('.')
  for (let folder = here; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git')) || isFolder(join(folder, 'agents')) || isBareRepository(folder)) return folder
    if (dirname(folder) === folder) return here
  }
}

/** The project a command belongs to: that directory, or of a worktree of git the folder of its repository. */
export function projectHere(): string {
  return projectOf(folderHere())
}

/** All worktrees of a repository are one project; of a bare repository, that is its own folder or the one that it serves. */
export function projectOf(folder: string): string {
  if (isBareRepository(folder)) return servedBy(folder)
  const link = join(folder, '.git')
  try {
    if (!statSync(link).isFile()) return folder
    const own = gitFolder(folder)
    const lineIn = (file: string) => resolve(own, readFileSync(join(own, file), 'utf8').trim())
    // The repository must know of the worktree: a file alone could name any.
    if (realPath(lineIn('gitdir')) !== link) return folder
    const repository = realPath(lineIn('commondir'))
    if (basename(repository) === '.git') return dirname(repository)
    return isBareRepository(repository) ? servedBy(repository) : folder
  } catch {
    return folder
  }
}

/** What the file `.git` of a folder names. Throws where it names nothing. */
function gitFolder(folder: string): string {
  const [, named] = /^gitdir: (.+)$/m.exec(readFileSync(join(folder, '.git'), 'utf8')) ?? []
  if (named === undefined) throw new Error(`${folder}/.git names no folder`)
  return resolve(folder, named.trim())
}

/** Many keep a bare repository in a folder `.bare`, beside a file `.git` that names it and all worktrees: that folder is the project. */
function servedBy(repository: string): string {
  const above = dirname(repository)
  try {
    return realPath(gitFolder(above)) === repository ? above : repository
  } catch {
    return repository
  }
}

export function isBareRepository(folder: string): boolean {
  try {
    return (
      existsSync(join(folder, 'HEAD')) && /^\s*bare\s*=\s*true\s*$/m.test(readFileSync(join(folder, 'config'), 'utf8'))
    )
  } catch {
    return false
  }
}

/** One directory has one name, however it was reached. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** What an agent's process is told of its session: the nearest first, and an id before a name. */
export const sessionVariables = [
  'AGENT_SESSION_ID',
  'AGENT_SESSION_NAME',
  'AGENT_ROOT_SESSION_ID',
  'AGENT_ROOT_SESSION_NAME',
] as const

type SessionVariable = (typeof sessionVariables)[number]

/** The variable that says which session is meant, if one of them is set. */
export function sessionVariable(): SessionVariable | undefined {
  return sessionVariables.find((name) => told(name) !== undefined)
}

/** Whether this process is told of a session of its own, and not only of a root. */
export function hasOwnSession(): boolean {
  return told('AGENT_SESSION_ID') !== undefined || told('AGENT_SESSION_NAME') !== undefined
}

/** A placeholder of a configuration that nobody replaced names no session. */
function told(name: SessionVariable): string | undefined {
  const value = process.env[name]
  return value && !value.startsWith('${') ? value : undefined
}

/** What is meant when a line does not say: the session that this process is told of, within its root; else what its directory has. */
export function meantHere(): { session?: string; root?: string; worktree?: string; project: string } {
  const variable = sessionVariable()
  const session = variable && told(variable)
  const root = told('AGENT_ROOT_SESSION_ID')
  const folder = folderHere()
  const project = projectOf(folder)
  return {
    ...(session ? { session } : {}),
    ...(root ? { root } : {}),
    ...(folder === project ? {} : { worktree: folder }),
    project,
  }
}

/** Stands in the log as the author. */
export function actorHere(surface: 'cli' | 'mcp' = 'cli'): string {
  try {
    return `${surface}:${userInfo().username}`
  } catch {
    // A user id without an account, as in many containers.
    return `${surface}:${process.getuid?.() ?? 'unknown'}`
  }
}
