import type { BodyShapes } from '../log/foreign-body.ts'
import { integer, object, optional, text, within } from '../log/input-schema.ts'
import { Refusal, refuse } from '../log/refusal.ts'
import { line, orNull, projectPath, prose } from '../log/text/entries.ts'
import type { ManifestFact } from './facts.ts'

function checkSha(value: string): Refusal | undefined {
  if (/^[0-9a-f]{4,64}$/i.test(value)) return undefined
  const message = `${JSON.stringify(value.slice(0, 80))} is not a commit: that is 4 to 64 hexadecimal digits.`
  return refuse('invalid_input', message, 'Give the hash that `git rev-parse HEAD` prints.')
}

export const sha = text('The hash of the commit.', { max: 64, check: checkSha })
export const message = prose('The message of the commit.')
export const checkpoint = integer('The build checkpoint that it belongs to.', { min: 1 })
export const branch = line('The branch.', 250)
export const baseBranch = line('The branch that it started from.', 250)
/** It may lie beside the project, but a path of one machine is never recorded. */
function checkRelative(value: string): Refusal | undefined {
  if (!/^([/\\~]|[A-Za-z]:)/.test(value)) return undefined
  const hint = 'Give it relative to the project directory: ../project-feature.'
  return refuse('invalid_input', 'The worktree is an absolute path, which is of one machine only.', hint)
}

const relative = line('The worktree, relative to the project directory.', 1024)
export const worktree: typeof relative = {
  ...relative,
  check(value, path, limits) {
    const checked = relative.check(value, path, limits)
    if (checked instanceof Refusal) return checked
    const refusal = checkRelative(checked)
    return refusal ? within(path, refusal) : checked
  },
}
export const artifactName = line('What the artifact is called.', 200)
export const artifactPath = projectPath('Its path, relative to the project directory.')

export const manifestBodies: BodyShapes<ManifestFact> = {
  git_changed: object({
    branch: optional(orNull(branch)),
    worktree: optional(orNull(worktree)),
    base_branch: optional(orNull(baseBranch)),
  }),
  commit_added: object({ sha, message, checkpoint: optional(checkpoint) }),
  artifact_added: object({ name: artifactName, path: artifactPath }),
}
