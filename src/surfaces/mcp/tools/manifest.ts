import { statusWords } from '../../../domain/sessions/status-words.ts'
import { operations } from '../../../operations/index.ts'
import { describedTool, inputOf, sessionMeant, type Tool, toolOf } from './tool.ts'

const { phase, checkpoint, commit, git, session } = operations

const changes = { destructiveHint: false, idempotentHint: true } as const

/** What moves the work on, and what no hook can see by itself. */
export const manifestTools: readonly Tool[] = [
  describedTool({
    name: 'session_transition_phase',
    description: 'Go on to a phase. Going back needs a reason in reopen.',
    takes: { new_phase: { required: true }, reopen: {}, ...sessionMeant },
    annotations: changes,
    run: ({ new_phase, ...given }, perform) => perform(phase.enter, { ...inputOf(given), phase: new_phase }),
  }),
  describedTool({
    name: 'session_complete_checkpoint',
    description: 'Complete a build checkpoint.',
    takes: { checkpoint_id: { type: 'integer', required: true }, ...sessionMeant },
    annotations: changes,
    run: ({ checkpoint_id, ...given }, perform) =>
      perform(checkpoint.complete, { ...inputOf(given), checkpoint: checkpoint_id }),
  }),
  describedTool({
    name: 'session_add_commit',
    description: 'Record a commit.',
    takes: { sha: { required: true }, message: { required: true }, checkpoint: { type: 'integer' }, ...sessionMeant },
    annotations: changes,
    run: (given, perform) => perform(commit.add, inputOf(given)),
  }),
  toolOf(session.setStatus, {
    description: 'Set the status of a session.',
    takes: { status: { among: [...statusWords] } },
    annotations: { destructiveHint: true, idempotentHint: true },
  }),
  describedTool({
    name: 'session_update_git',
    description: 'Say which branch and worktree the work is on.',
    takes: { branch: {}, worktree: { about: 'Relative to the project' }, ...sessionMeant },
    annotations: changes,
    run: (given, perform) => perform(git.set, inputOf(given)),
  }),
]
