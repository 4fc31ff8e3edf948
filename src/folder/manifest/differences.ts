import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { JsonObject } from '../../json/value.ts'
import { relativeTo } from './bare-history.ts'
import type { ManifestRead } from './read.ts'

/** An operation that makes of what is there what somebody wrote. */
export type Asked = readonly [operation: string, input: JsonObject]

const createOnly = ['session_id', 'topic', 'description', 'session_type', 'created_at'] as const
const gitMembers = ['branch', 'worktree', 'base_branch'] as const

/** What is to be done so that the manifest is as it was edited. Refused where that is not how these things change. */
export function differences(present: ManifestRead, edited: ManifestRead, project: string): readonly Asked[] | Refusal {
  const fixed = createOnly.find((name) => edited[name] !== present[name])
  if (fixed !== undefined) return unchangeable(fixed)
  const has = new Set(edited.commits.map(({ sha }) => sha))
  if (!present.commits.every(({ sha }) => has.has(sha))) return unchangeable('commits that were recorded')
  const { checkpoints: now } = present
  const { checkpoints: then } = edited
  if (then.total < now.total || !now.completed.every((no) => then.completed.includes(no)))
    return unchangeable('build checkpoints that were recorded')
  return [
    ...range(now.total, then.total).map((no): Asked => ['checkpoint.add', { text: `Checkpoint ${no}` }]),
    ...phaseMove(present, edited),
    ...then.completed
      .filter((no) => !now.completed.includes(no))
      .map((checkpoint): Asked => ['checkpoint.complete', { checkpoint }]),
    ...gitMoves(present, edited, project),
    ...newCommits(present, edited),
    ...Object.entries(edited.artifacts)
      .filter(([name, path]) => present.artifacts[name] !== path)
      .map(([name, path]): Asked => ['artifact.add', { name, path }]),
    ...(edited.status === undefined || edited.status === present.status
      ? []
      : [['session.setStatus', { status: edited.status }] as Asked]),
  ]
}

function range(after: number, upto: number): number[] {
  return Array.from({ length: Math.max(0, upto - after) }, (_, index) => after + index + 1)
}

function phaseMove(present: ManifestRead, { current_phase: phase }: ManifestRead): Asked[] {
  return phase === undefined || phase === present.current_phase ? [] : [['phase.enter', { phase }]]
}

function gitMoves({ git: now }: ManifestRead, { git }: ManifestRead, project: string): Asked[] {
  const then = { ...git, worktree: git.worktree === null ? null : relativeTo(project, git.worktree) }
  const set = gitMembers.filter((name) => then[name] !== null && then[name] !== now[name])
  const clear = gitMembers.filter((name) => then[name] === null && now[name] !== null)
  if (set.length + clear.length === 0) return []
  return [
    ['git.set', { ...Object.fromEntries(set.map((name) => [name, then[name]])), ...(clear.length > 0 && { clear }) }],
  ]
}

function newCommits({ commits }: ManifestRead, edited: ManifestRead): Asked[] {
  const known = new Set(commits.map(({ sha }) => sha))
  return edited.commits
    .filter(({ sha }) => !known.has(sha))
    .map(
      ({ sha, message, checkpoint }): Asked => [
        'commit.add',
        { sha, message: message || sha, ...(checkpoint !== null && { checkpoint }) },
      ],
    )
}

function unchangeable(what: string): Refusal {
  const hint = 'Take that back, or use the command cairn.'
  return refuse('illegal_transition', `state.json changes ${what}, which cannot be changed.`, hint)
}
