import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sleep } from '../../clock.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { branchOf, treeFolderOf } from '../../domain/workflow/file/own-tree.ts'
import { failpoint } from '../../failpoint.ts'
import { gitOf } from '../../home/git/git.ts'
import { repositoryOf } from '../../home/git/repository.ts'
import type { Environment } from '../../home/plain-environment.ts'
import { realPath } from '../../home/session-meant.ts'
import { membersOf } from '../processes/members.ts'
import { marker } from '../processes/process-table.ts'
import { makeBranch } from './branch.ts'
import type { Making } from './making.ts'
import { clearBegun, clearLock, findTree } from './place.ts'
import { diskFull, notMade, notOurs, notThere, stillMaking } from './refusals.ts'
import { inTurn } from './turns.ts'

/** What a work tree is made for. */
export interface TreeWanted {
  /** The data folder. */
  readonly home: string
  readonly environment: Environment
  readonly project: string
  readonly root: { readonly name: string; readonly slug: string }
  readonly agent: { readonly id: string; readonly session: string }
}

/** How long a git is waited for that a killed server had started; how often is looked. */
const leftMsMax = 15 * 60_000
const lookMs = 100
/** Another process that makes a tree of this repository at the same moment is in the way for some milliseconds. */
const triesMax = 6
const againMs = 100
const isPassing = /\.lock\b|commondir|gitdir/

/**
 * The folder of an agent in its own work tree, which is made if it is not there. A kill at any point leaves what the next call goes on
 * from: the branch says in its reflog whose it is; a tree that has not all its files is locked, and only then are files written; once it
 * is not, it is the agent's and never touched again.
 */
export async function agentTree(wanted: TreeWanted): Promise<string | Refusal> {
  const { root, agent, project } = wanted
  const mark = `tree-${agent.session}`
  const git = gitOf(wanted.environment, { [marker]: mark })
  const repository = await repositoryOf(git, project)
  if (repository instanceof Refusal) return repository
  const place = placeOf(wanted)
  const making: Making = { git, repository, branch: branchOf(root, agent), place, session: agent.session }
  const refusal = await makeWhole(making, mark)
  if (refusal) return refusal
  const folder = join(place, repository.below)
  return existsSync(folder) ? folder : notThere(making)
}

function placeOf({ home, root, agent }: TreeWanted): string {
  const place = join(home, treeFolderOf(root, agent))
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 })
  return join(realPath(dirname(place)), place.slice(dirname(place).length + 1))
}

async function makeWhole(making: Making, mark: string): Promise<Refusal | undefined> {
  const { git, repository, place } = making
  if ((await findTree(git, repository, place)) === 'whole') return undefined
  if (!(await isLeftAlone(mark))) return stillMaking(making)
  const found = await findTree(git, repository, place)
  if (found === 'whole') return undefined
  if (found === 'other') return notOurs(making)
  // Git has several files that all trees of a repository share, and waits for none of them.
  const refusal = found === 'half' ? undefined : await inTurn(repository.common, () => add(making, found === 'begun'))
  return refusal ?? fill(making)
}

/** A server that was killed may have left a git that is still at it. */
async function isLeftAlone(mark: string): Promise<boolean> {
  for (let waited = 0; waited < leftMsMax; waited += lookMs) {
    if (membersOf(mark, undefined).length === 0) return true
    await sleep(lookMs)
  }
  return false
}

async function add(making: Making, isBegun: boolean): Promise<Refusal | undefined> {
  const { git, repository, branch, place } = making
  const made = await makeBranch(making)
  if (made instanceof Refusal) return made
  failpoint('tree-branch')
  if (isBegun) clearBegun(place)
  // Where git knows of a tree that is gone from its place, it wants to be told twice that it may put another there.
  const force = made.isRegistered ? ['--force', '--force'] : []
  const words = ['worktree', 'add', '--lock', '--no-checkout', ...force, place, branch]
  for (let tries = 1; ; tries++) {
    const added = await git(repository.project, ...words)
    if (added.status === 0) break
    if (tries === triesMax || !isPassing.test(added.why)) return faultOf(making, added.why)
    await sleep(tries * againMs)
  }
  failpoint('tree-add')
  return undefined
}

async function fill(making: Making): Promise<Refusal | undefined> {
  const { git, repository, place } = making
  await clearLock(git, place)
  const filled = await git(place, 'reset', '--quiet', '--hard', '--no-recurse-submodules')
  if (filled.status !== 0) return faultOf(making, filled.why)
  failpoint('tree-fill')
  const unlocked = await git(repository.project, 'worktree', 'unlock', place)
  return unlocked.status === 0 ? undefined : faultOf(making, unlocked.why)
}

function faultOf(making: Making, why: string): Refusal {
  return /No space left on device|Disk quota exceeded/i.test(why) ? diskFull(making, why) : notMade(making, why)
}
