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

/** The variable that says which session is meant, if one of them is set. */
export function sessionVariable(): (typeof sessionVariables)[number] | undefined {
  return sessionVariables.find((name) => process.env[name])
}

/** The session that is meant when none is named. */
export function sessionHere(): string | undefined {
  const name = sessionVariable()
  return name && process.env[name]
}

/** Stands in the log as the author. */
export function actorHere(): string {
  try {
    return `cli:${userInfo().username}`
  } catch {
    // A user id without an account, as in many containers.
    return `cli:${process.getuid?.() ?? 'unknown'}`
  }
}
