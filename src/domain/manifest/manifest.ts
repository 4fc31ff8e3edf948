import { isoTime } from '../log/identity.ts'
import { currentPhase } from '../plan/moves.ts'
import type { BuildCheckpointRow, PhaseRow } from '../plan/tables.ts'
import type { Status } from '../sessions/lifecycle.ts'
import { statusWord } from '../sessions/status-words.ts'
import type { SessionRow } from '../sessions/tables.ts'
import type { ArtifactRow, CommitRow, ManifestRow } from './tables.ts'

/** What the manifest of a root is made from. */
export interface ManifestRows {
  readonly session: Readonly<SessionRow>
  readonly phases: readonly PhaseRow[]
  readonly checkpoints: readonly Readonly<BuildCheckpointRow>[]
  readonly manifest: Readonly<ManifestRow> | undefined
  /** In the order in which they were recorded. */
  readonly commits: readonly Readonly<CommitRow>[]
  readonly artifacts: readonly Readonly<ArtifactRow>[]
  readonly updatedAt: number
}

const historied = ['spec', 'plan', 'build', 'docs'] as const

/** The files that every session folder has. */
const ownArtifacts = { spec: 'spec.md', plan: 'plan.json', plan_readable: 'plan.md' } as const

/** What stands in `state.json`, save what says which store wrote it. */
export function manifestFrom(rows: ManifestRows) {
  const { session, manifest } = rows
  return {
    session_id: session.slug,
    topic: session.topic,
    description: session.description ?? '',
    session_type: session.type,
    created_at: isoTime(session.created_at),
    updated_at: isoTime(rows.updatedAt),
    current_phase: phaseWord(rows.phases),
    status: statusWord(session.status as Status),
    phase_history: historyOf(rows.phases),
    build_progress: buildProgress(rows.checkpoints),
    git: {
      branch: manifest?.branch ?? null,
      worktree: manifest?.worktree ?? null,
      base_branch: manifest?.base_branch ?? null,
    },
    commits: rows.commits.map(({ sha, message, checkpoint, recorded_at }) => ({
      sha,
      message,
      checkpoint,
      created_at: isoTime(recorded_at),
    })),
    artifacts: artifactsOf(rows),
  }
}

/** Where each file is, by its name; those that every folder has are always there. */
function artifactsOf({ artifacts }: ManifestRows): { [name: string]: string } {
  return { ...Object.fromEntries(artifacts.map(({ name, path }) => [name, path])), ...ownArtifacts }
}

/** The phase that the work is in, in the words of fixed phases; before the first it is that one. */
function phaseWord(phases: readonly PhaseRow[]): string {
  const reached = currentPhase(phases) ?? phases.findLast(({ state }) => state !== 'planned') ?? phases[0]
  if (reached === undefined) return 'spec'
  if (reached.kind !== 'custom') return reached.kind
  return phases.every(({ state }) => state === 'completed' || state === 'skipped') ? 'complete' : 'build'
}

function historyOf(phases: readonly PhaseRow[]) {
  const times = historied.flatMap((kind) => {
    const row = phases.find((phase) => phase.kind === kind)
    const started = row?.started_at ?? null
    const ended = row?.state === 'completed' ? row.ended_at : null
    return [
      [`${kind}_started_at`, started === null ? null : isoTime(started)],
      [`${kind}_completed_at`, ended === null ? null : isoTime(ended)],
    ] as const
  })
  return Object.fromEntries(times) as Record<string, string | null>
}

function buildProgress(checkpoints: readonly Readonly<BuildCheckpointRow>[]) {
  const sorted = [...checkpoints].sort((a, b) => a.checkpoint - b.checkpoint)
  return {
    checkpoints_total: sorted.length,
    checkpoints_completed: sorted.filter((row) => row.completed_at !== null).map(({ checkpoint }) => checkpoint),
    current_checkpoint: sorted.find((row) => row.completed_at === null)?.checkpoint ?? null,
  }
}
