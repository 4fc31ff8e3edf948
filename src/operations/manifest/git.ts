import { oneOf, optional } from '../../domain/log/input-schema.ts'
import { refuse } from '../../domain/log/refusal.ts'
import { rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { some } from '../../domain/log/text/entries.ts'
import { manifestOf } from '../../domain/manifest/evolve.ts'
import { type GitChanged, manifestStream } from '../../domain/manifest/facts.ts'
import { baseBranch, branch, worktree } from '../../domain/manifest/members.ts'
import { manifests } from '../../domain/manifest/tables.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'

const members = ['branch', 'worktree', 'base_branch'] as const

/** What is to be other than it is. */
function changedOf(now: GitChanged, asked: GitChanged & { clear?: readonly (typeof members)[number][] }): GitChanged {
  const wanted = { ...asked, ...Object.fromEntries((asked.clear ?? []).map((member) => [member, null])) } as GitChanged
  const changed = members.filter((member) => wanted[member] !== undefined && wanted[member] !== now[member])
  return Object.fromEntries(changed.map((member) => [member, wanted[member]]))
}

export const gitSet = change({
  name: 'git.set',
  summary: 'Say which branch and worktree this work is on; what is not named stays.',
  command: {
    words: ['git'],
    examples: ['cairn git --branch parser --worktree ../project-parser', 'cairn git --clear worktree'],
  },
  input: {
    branch: optional(branch),
    worktree: optional(worktree),
    base_branch: optional(baseBranch),
    clear: optional(some('What there is none of any more.', oneOf('One of them.', members), members.length)),
  },
  needs: () => [rowOf(streams, manifestStream), rowOf(manifests)],
  decide({ branch, worktree, base_branch, clear }, on) {
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const said = { branch, worktree, base_branch, clear }
    if (Object.values(said).every((value) => value === undefined)) {
      const hint = 'Give `branch`, `worktree` or `base_branch`; `manifest.show` shows what is known.'
      return refuse('invalid_input', 'Nothing was given.', hint)
    }
    const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
    const data = changedOf(manifestOf(on.rows), given)
    const changed = Object.keys(data).length > 0
    if (changed) on.record({ type: 'git_changed', stream: manifestStream, data })
    const now = manifestOf(on.rows)
    return { branch: now.branch, worktree: now.worktree, base_branch: now.base_branch, changed }
  },
})
