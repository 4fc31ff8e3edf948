import type { Dirent } from 'node:fs'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CairnRefusal, type Refusal, refuse } from '../../domain/log/refusal.ts'
import { names, sessionsPath } from '../layout.ts'

/** A folder that may be one of a session. */
export interface FoundFolder {
  readonly dir: string
  /** The working directory that it belongs to; undefined where it lies elsewhere than in `agents/sessions`. */
  readonly project: string | undefined
  /** It was named itself, and not the project that it is in. */
  readonly isNamed: boolean
  /** Why it cannot be taken. */
  readonly refusal?: Refusal
}

/** The session folders of projects, or those that were named themselves. Throws a refusal for what is none of both. */
export function foundIn(named: readonly string[]): FoundFolder[] {
  const found = new Map<string, FoundFolder>()
  for (const each of named) for (const folder of foldersOf(each)) found.set(folder.dir, found.get(folder.dir) ?? folder)
  return [...found.values()]
}

function foldersOf(named: string): FoundFolder[] {
  const dir = realOf(named)
  const below = join(dir, sessionsPath)
  if (isSessionFolder(dir)) return [{ dir, project: projectAround(dir), isNamed: true }]
  if (!existsSync(below)) return []
  if (realpathSync(below) !== below) throw new CairnRefusal(isLink(below))
  return entriesOf(below).flatMap((entry): FoundFolder[] => {
    const folder = { dir: join(below, entry.name), project: dir, isNamed: false }
    if (entry.isSymbolicLink()) return [{ ...folder, refusal: isLink(folder.dir) }]
    return entry.isDirectory() && !entry.name.startsWith('.') ? [folder] : []
  })
}

function isSessionFolder(dir: string): boolean {
  return (
    existsSync(join(dir, names.state)) || (basename(dirname(dir)) === 'sessions' && existsSync(join(dir, names.log)))
  )
}

/** The project of a folder that lies where session folders do. */
function projectAround(dir: string): string | undefined {
  const project = dirname(dirname(dirname(dir)))
  return join(project, sessionsPath, basename(dir)) === dir ? project : undefined
}

function realOf(named: string): string {
  try {
    return realpathSync(named)
  } catch {
    throw new CairnRefusal(refuse('not_found', `There is no folder ${named}.`, 'Check the path.', { path: named }))
  }
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException
    throw new CairnRefusal(refuse('storage_error', `${path} cannot be read (${code}).`, 'Check the path.', { path }))
  }
}

function isLink(path: string): Refusal {
  const hint = 'Name the folder that it leads to, or put a real one in its place.'
  return refuse('forbidden', `${path} is a link.`, hint, { path })
}
