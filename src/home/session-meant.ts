import { existsSync, realpathSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** The working directory a command belongs to: the nearest one above that is a repository or has an `agents` folder. */
export function projectHere(): string {
  const here = realPath('.')
  for (let folder = here; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git')) || isFolder(join(folder, 'agents'))) return folder
    if (dirname(folder) === folder) return here
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

/** A placeholder of a configuration that nobody replaced names no session. */
function told(name: SessionVariable): string | undefined {
  const value = process.env[name]
  return value && !value.startsWith('${') ? value : undefined
}

/** What is meant when a line does not say: the session that this process is told of, within its root; else what its directory has. */
export function meantHere(): { session?: string; root?: string; project: string } {
  const variable = sessionVariable()
  const session = variable && told(variable)
  const root = told('AGENT_ROOT_SESSION_ID')
  return { ...(session ? { session } : {}), ...(root ? { root } : {}), project: projectHere() }
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
