// What files are made from, without a store: the rows of a replay, with ids and times that stay the same.
import { journalOf } from '../../../src/domain/journal/journal.ts'
import {
  blockers,
  decisions,
  implementations,
  journalFiles,
  journalQuestions,
  journals,
  nextActions,
} from '../../../src/domain/journal/tables.ts'
import type { Draft } from '../../../src/domain/log/event.ts'
import { artifacts, commits, manifests } from '../../../src/domain/manifest/tables.ts'
import { withFixed } from '../../../src/domain/plan/phases.ts'
import {
  buildCheckpoints,
  phases,
  plans,
  type TaskProgressRow,
  taskProgress,
  tasks,
} from '../../../src/domain/plan/tables.ts'
import { sittings } from '../../../src/domain/runs/tables.ts'
import { type SessionRow, sessions } from '../../../src/domain/sessions/tables.ts'
import type { RowsToRender } from '../../../src/folder/render/index.ts'
import { ReplayedRoot } from '../../plan/replayed.ts'

export function rowsOf({ rows }: ReplayedRoot): RowsToRender {
  const session = rows.get(sessions, 0) as SessionRow
  const newest = <Row extends { seq: number }>(all: Row[]) => all.sort((a, b) => b.seq - a.seq)
  return {
    rootId: rows.id,
    replica: 'replica-1',
    session,
    phases: withFixed(1, session.type, rows.all(phases)),
    checkpoints: rows.all(buildCheckpoints),
    manifest: rows.get(manifests),
    commits: rows.all(commits).sort((a, b) => a.no - b.no),
    artifacts: rows.all(artifacts),
    updatedAt: 1000 * (rows.head()?.seq ?? 0),
    plans: rows.all(plans),
    tasks: rows.all(tasks).map((row) => ({ row, progress: rows.get(taskProgress, row.task) as TaskProgressRow })),
    journal: rows.get(journals) && journalOf(rows),
    nextAction: rows.get(nextActions),
    decisions: newest(rows.all(decisions)).filter(({ superseded_by }) => superseded_by === null),
    blockers: newest(rows.all(blockers)).filter(({ status }) => status !== 'resolved'),
    questions: rows.all(journalQuestions),
    files: newest(rows.all(journalFiles)),
    implementations: newest(rows.all(implementations)),
    sittings: rows.all(sittings).sort((a, b) => b.sitting - a.sitting),
  }
}

const plan = (type: string, data: object) => ({ stream: 'plan', type, data }) as Draft
const journal = (type: string, data: object) => ({ stream: 'journal', type, data }) as Draft
const manifest = (type: string, data: object) => ({ stream: 'manifest', type, data }) as Draft

/** A piece of work in the middle. */
export function busyRoot(): ReplayedRoot {
  const root = new ReplayedRoot()
  const facts = [
    plan('phase_changed', { phase: 1, from: 'planned', to: 'running' }),
    journal('resume_context_changed', { questions: ['Which grammar?', 'Streams too?'] }),
    journal('question_answered', { question: 1, answer: 'That of ES2025' }),
    journal('decision_made', {
      decision: 1,
      kind: 'architecture',
      text: 'Write the lexer by hand',
      context: 'Speed of the parser',
      reason: 'Tables are slow,\nas measured.',
      reversible: true,
    }),
    plan('phase_changed', { phase: 1, from: 'running', to: 'completed' }),
    plan('phase_changed', { phase: 2, from: 'planned', to: 'running' }),
    plan('plan_added', { phase: 3, plan: 1, name: 'Speed' }),
    plan('task_added', { task: 1, text: 'Write the lexer', phase: 3, plan: 1, wave: 1, after: [] }),
    plan('task_added', {
      task: 2,
      text: 'Write the parser\nas the grammar says',
      phase: 3,
      plan: 1,
      wave: 1,
      after: [1],
    }),
    plan('task_added', { task: 3, text: 'Measure <!-- again -->', phase: 3, plan: 1, wave: 2, after: [] }),
    plan('task_added', { task: 4, text: 'Tell people', wave: 1, after: [] }),
    plan('checkpoint_added', { checkpoint: 1, text: 'The lexer is twice as fast' }),
    plan('checkpoint_added', { checkpoint: 2, text: 'The parser too' }),
    plan('phase_changed', { phase: 2, from: 'running', to: 'completed' }),
    plan('phase_changed', { phase: 3, from: 'planned', to: 'running' }),
    plan('task_claimed', { task: 1, by: 0 }),
    plan('task_done', { task: 1, result: 'src/lexer.ts' }),
    plan('checkpoint_completed', { checkpoint: 1 }),
    plan('task_claimed', { task: 2, by: 0 }),
    journal('position_changed', {
      phase: 3,
      plan: 1,
      task: 'task-002 Write the parser',
      wave: 1,
      status: 'in_progress',
    }),
    journal('blocker_identified', {
      blocker: 1,
      text: 'No grammar: it is "secret"',
      affects: ['task-002'],
      tasks: [2],
    }),
    journal('next_action_set', { text: 'Write the parser:\n- statements\n- expressions' }),
    journal('resume_context_changed', { files: ['src/lexer.ts'], implementations: [{ text: 'A lexer by hand' }] }),
    manifest('git_changed', { branch: 'faster', base_branch: 'main', worktree: '../parser-faster' }),
    manifest('commit_added', { sha: '1a2b3c4', message: 'A faster lexer', checkpoint: 1 }),
    manifest('artifact_added', { name: 'report', path: 'research/report.md' }),
  ]
  for (const fact of facts) root.must(fact)
  return root
}
