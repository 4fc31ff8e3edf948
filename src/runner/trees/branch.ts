import { Refusal } from '../../domain/log/refusal.ts'
import { realPath } from '../../home/session-meant.ts'
import type { Making } from './making.ts'
import { checkedOut, notMade, othersBranch } from './refusals.ts'

/** A branch that is there, and whether git knows of a tree at the place of its own. */
export interface BranchMade {
  readonly isRegistered: boolean
}

/** Makes the branch of an agent, unless that was done before: its reflog says for whom it was made. */
export async function makeBranch(making: Making): Promise<BranchMade | Refusal> {
  const { git, repository, branch, place, session } = making
  const [ref, mark] = [`refs/heads/${branch}`, `cairn: for ${session}`]
  const { project, head } = repository
  const there = await git(project, 'rev-parse', '--verify', '--quiet', ref)
  if (there.status === 0) {
    const reflog = await git(project, 'reflog', 'show', '--format=%gs', ref, '--')
    if (!reflog.out.split('\n').includes(mark)) return othersBranch(making)
  } else {
    // It comes to be with its reflog, and only if there is none: whoever else makes one of that name meanwhile keeps it.
    const none = '0'.repeat(head.length)
    const made = await git(project, 'update-ref', '--create-reflog', '-m', mark, ref, head, none)
    if (made.status !== 0) return notMade(making, made.why)
  }
  const trees = await treesOf(making)
  if (trees instanceof Refusal) return trees
  const elsewhere = trees.find((tree) => tree.ref === ref && realPath(tree.place) !== place)
  if (elsewhere !== undefined) return checkedOut(making, elsewhere.place)
  return { isRegistered: trees.some((tree) => realPath(tree.place) === place) }
}

/** The work trees that git knows of. */
async function treesOf(making: Making): Promise<{ place: string; ref: string }[] | Refusal> {
  const { git, repository } = making
  const listed = await git(repository.project, 'worktree', 'list', '--porcelain')
  if (listed.status !== 0) return notMade(making, listed.why)
  return listed.out.split('\n\n').map((lines) => {
    const [, place = ''] = /^worktree (.*)$/m.exec(lines) ?? []
    const [, ref = ''] = /^branch (.*)$/m.exec(lines) ?? []
    return { place, ref }
  })
}
