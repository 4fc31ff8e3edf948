import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { realPath } from '../session-meant.ts'
import { type Git, type GitAnswer, gitOf } from './git.ts'

/** The repository that a project is in. */
export interface Repository {
  readonly project: string
  /** The folder that all its work trees share. */
  readonly common: string
  /** The commit that new work begins at. */
  readonly head: string
  /** Where in a work tree the project is; empty where that is all of it. */
  readonly below: string
}

/** The repository of a project, or why no work tree can be made of it. */
export async function repositoryOf(git: Git, project: string): Promise<Repository | Refusal> {
  const found = await git(project, 'rev-parse', '--git-common-dir', '--is-inside-work-tree')
  if (found.isMissing) return noGit()
  if (found.status !== 0) return noRepository(project, found)
  const [common = '', isInside] = found.out.split('\n')
  const head = await git(project, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}')
  if (head.status !== 0) return noCommit(project)
  const prefix = isInside === 'true' ? await git(project, 'rev-parse', '--show-prefix') : undefined
  return {
    project,
    common: realPath(resolve(project, common)),
    head: head.out.trim(),
    below: (prefix?.out ?? '').replace(/\n$/, ''),
  }
}

/** What this machine knows of a data folder and of the repositories on it. */
export function hostWith(home: string) {
  return {
    folder(name: string): string | undefined {
      const path = join(home, name)
      return existsSync(path) ? realPath(path) : undefined
    },
    async faultOfTrees(project: string): Promise<Refusal | undefined> {
      if (!existsSync(project)) return undefined
      const found = await repositoryOf(gitOf(process.env), project)
      return found instanceof Refusal ? found : undefined
    },
  }
}

const hintOfTrees = 'or leave cwd: worktree out: the agents then run in the project itself.'

function noGit(): Refusal {
  const message = 'git is not in the PATH, and agents are to have work trees of their own.'
  return refuse('not_found', message, `Install git, ${hintOfTrees}`, { program: 'git' })
}

function noRepository(project: string, { why }: GitAnswer): Refusal {
  const message = `${project} is in no git repository, and agents are to have work trees of it (${why}).`
  return refuse('invalid_input', message, `Make it one (git init, git add, git commit), ${hintOfTrees}`, { project })
}

function noCommit(project: string): Refusal {
  const message = `The repository of ${project} has no commit that a work tree could begin at.`
  return refuse('invalid_input', message, `Commit something, ${hintOfTrees}`, { project })
}
