import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Git } from '../../home/git/git.ts'
import type { Repository } from '../../home/git/repository.ts'
import { realPath } from '../../home/session-meant.ts'

/**
 * How the place of a work tree is found. `half`: git has made it, and it is not known to have all its files; nobody has worked in it.
 * `begun`: git was interrupted before it had made it. `other`: something else is there.
 */
export type Found = 'none' | 'begun' | 'half' | 'whole' | 'other'

/** What `git worktree add --lock` writes into the file `locked`: it stays until all files are there. */
const lockedByAdd = 'added with --lock'
const stillAdding = 'initializing'

/** What git and the disk say of a place; nothing is remembered of it elsewhere. */
export async function findTree(git: Git, { common }: Repository, place: string): Promise<Found> {
  const seen = lstatSync(place, { throwIfNoEntry: false })
  if (seen === undefined) return 'none'
  if (!seen.isDirectory()) return 'other'
  const names = readdirSync(place)
  if (names.length === 0) return 'none'
  const answer = await git(place, 'rev-parse', '--show-toplevel', '--git-common-dir', '--absolute-git-dir')
  const [top = '', shared = '', own = ''] = answer.out.split('\n')
  const isTree = answer.status === 0 && realPath(top) === realPath(place) && realPath(resolve(place, shared)) === common
  if (isTree) return isLockedByAdd(own) ? 'half' : 'whole'
  return names.length === 1 && isLinkInto(common, join(place, '.git')) ? 'begun' : 'other'
}

function isLockedByAdd(own: string): boolean {
  const reason = textOf(join(own, 'locked'))?.trim()
  return reason === lockedByAdd || reason === stillAdding
}

/** Whether a file is one that git puts into a work tree of this repository. */
function isLinkInto(common: string, path: string): boolean {
  const [, named] = /^gitdir: (.+)\n?$/.exec(textOf(path) ?? '') ?? []
  return named !== undefined && resolve(named, '..') === join(common, 'worktrees')
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** What git left when it was interrupted before there was a work tree: the file that was to be its first. */
export function clearBegun(place: string): void {
  rmSync(join(place, '.git'), { force: true })
}

/** A git that was killed while it wrote files leaves its lock; nobody else has ever worked there. */
export async function clearLock(git: Git, place: string): Promise<void> {
  const { out } = await git(place, 'rev-parse', '--absolute-git-dir')
  rmSync(join(out.trim(), 'index.lock'), { force: true })
}
