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

/** Stands in the log as the author. */
export function actorHere(): string {
  try {
    return `cli:${userInfo().username}`
  } catch {
    // A user id without an account, as in many containers.
    return `cli:${process.getuid?.() ?? 'unknown'}`
  }
}
