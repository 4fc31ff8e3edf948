import { createHash } from 'node:crypto'
import { isAbsolute, relative } from 'node:path'
import { chainHash, type Draft, digestOf, firstHash } from '../../domain/log/event.ts'
import { slugOf } from '../../domain/log/identity.ts'
import { manifestStream } from '../../domain/manifest/facts.ts'
import { planStream } from '../../domain/plan/facts.ts'
import { fixedPhases } from '../../domain/plan/phases.ts'
import { sessionStream } from '../../domain/sessions/facts.ts'
import { statusMeant } from '../../domain/sessions/status-words.ts'
import type { ForeignEvent } from '../../log/adopt/foreign-event.ts'
import type { ManifestRead } from './read.ts'

type Dated = readonly [at: number, draft: Draft]

/** Stands in the log as the author of what a manifest says. */
const actor = 'onboard'

/**
 * The history that a folder with nothing but a manifest tells of: the same file gives the same events, with the same ids, in every
 * store. `project` is what a worktree is told relative to.
 */
export function bareHistory(
  manifest: ManifestRead,
  { name, project, changedAt }: { name: string; project: string; changedAt: number },
): { id: string; events: ForeignEvent[] } {
  const begun = manifest.created_at ?? earliest(manifest) ?? changedAt
  const id = rootId(name, begun)
  const drafts: Dated[] = [
    [begun, created(manifest, name, begun, id)],
    ...phaseMoves(manifest, begun),
    ...checkpoints(manifest, begun),
    ...tied(manifest, project, begun),
    ...ending(manifest, begun),
  ]
  return { id, events: chained(id, drafts) }
}

/** Ends as the name does where that ends like one of ours: its slug is then the name. */
function rootId(name: string, begun: number): string {
  const hash = createHash('sha256').update(`${name} ${begun}`).digest('hex')
  const own = /_([0-9a-f]{6})$/.exec(name)?.[1]
  return `sess_${hash.slice(0, 26)}${own ?? hash.slice(26, 32)}`
}

function earliest({ history }: ManifestRead): number | undefined {
  const times = Object.values(history).filter((at) => at !== null)
  return times.length === 0 ? undefined : Math.min(...times)
}

function created(manifest: ManifestRead, name: string, at: number, id: string): Draft {
  const { topic, description, session_type: type, others } = manifest
  return {
    type: 'session_created',
    stream: sessionStream(0),
    data: {
      no: 0,
      parent: null,
      status: 'running',
      type,
      topic,
      ...(slugOf(topic, at, id) === name ? {} : { name }),
      ...(description === '' ? {} : { description }),
      ...(Object.keys(others).length === 0 ? {} : { metadata: others }),
    },
  }
}

/** Phases in their order: those before the present one are over, whether the file says when or not. */
function phaseMoves(
  { session_type: type, current_phase: current, history, updated_at }: ManifestRead,
  begun: number,
): Dated[] {
  const fixed = fixedPhases(type)
  const reached = (fixed as readonly string[]).indexOf(current ?? '')
  let at = begun
  return fixed.flatMap((kind, index): Dated[] => {
    const [started, ended] = [history[`${kind}_started_at`] ?? null, history[`${kind}_completed_at`] ?? null]
    const isOver = ended !== null || (index < reached && started !== null)
    const isUnderWay = started !== null || index === reached
    const phase = index + 1
    const move = (from: 'planned' | 'running', to: 'running' | 'completed' | 'skipped', when: number | null): Dated => {
      at = Math.max(at, when ?? at)
      return [at, { type: 'phase_changed', stream: planStream, data: { phase, from, to } }]
    }
    if (kind === 'complete') return index === reached ? [move('planned', 'completed', ended ?? updated_at ?? null)] : []
    if (!isUnderWay && !isOver) return index < reached ? [move('planned', 'skipped', null)] : []
    return [move('planned', 'running', started), ...(isOver ? [move('running', 'completed', ended)] : [])]
  })
}

function checkpoints({ checkpoints: { total, completed, current }, updated_at }: ManifestRead, begun: number): Dated[] {
  const at = updated_at ?? begun
  const dated = (draft: Draft): Dated => [at, draft]
  const numbers = Array.from({ length: total }, (_, index) => index + 1)
  return [
    // Nobody knows when they were planned; commits may name them.
    ...numbers.map((checkpoint): Dated => {
      const data = { checkpoint, text: `Checkpoint ${checkpoint}` }
      return [begun, { type: 'checkpoint_added', stream: planStream, data }]
    }),
    ...completed.map((checkpoint) => dated({ type: 'checkpoint_completed', stream: planStream, data: { checkpoint } })),
    ...(current === null || completed.includes(current)
      ? []
      : [dated({ type: 'checkpoint_started', stream: planStream, data: { checkpoint: current } })]),
  ]
}

function tied(
  { git, commits, artifacts, checkpoints, updated_at }: ManifestRead,
  project: string,
  begun: number,
): Dated[] {
  const at = updated_at ?? begun
  const worktree = git.worktree === null ? null : relativeTo(project, git.worktree)
  const said = Object.entries({ ...git, worktree }).filter(([, value]) => value !== null)
  const seen = new Set<string>()
  const fresh = commits.filter(({ sha }) => !seen.has(sha) && seen.add(sha))
  return [
    ...(said.length === 0
      ? []
      : [[at, { type: 'git_changed', stream: manifestStream, data: Object.fromEntries(said) }] as Dated]),
    ...fresh.map(({ sha, message, checkpoint, at: when }): Dated => {
      const of = checkpoint !== null && checkpoint <= checkpoints.total ? { checkpoint } : {}
      return [
        when ?? at,
        { type: 'commit_added', stream: manifestStream, data: { sha, message: message || sha, ...of } },
      ]
    }),
    ...Object.entries(artifacts).map(
      ([name, path]): Dated => [at, { type: 'artifact_added', stream: manifestStream, data: { name, path } }],
    ),
  ]
}

/** A path of one machine stands in no event. */
export function relativeTo(project: string, path: string): string {
  return isAbsolute(path) ? relative(project, path) || '.' : path
}

function ending({ status, updated_at }: ManifestRead, begun: number): Dated[] {
  const to = status === undefined ? 'running' : statusMeant(status, 'running')
  if (to === 'running' || to === 'created') return []
  return [[updated_at ?? begun, { type: 'status_changed', stream: sessionStream(0), data: { from: 'running', to } }]]
}

/** The events in the order of their times, each after the one before it. */
function chained(root: string, drafts: readonly Dated[]): ForeignEvent[] {
  const [first, ...rest] = drafts
  const sorted = [...(first ? [first] : []), ...rest.toSorted(([a], [b]) => a - b)]
  const versions = new Map<string, number>()
  let hash = firstHash
  let before = 0
  return sorted.map(([when, { type, stream, data }], index) => {
    const version = (versions.get(stream) ?? 0) + 1
    versions.set(stream, version)
    before = Math.max(before, when)
    const seq = index + 1
    const text = JSON.stringify(data)
    const id = createHash('sha256').update(`${root}/${seq}`).digest('hex').slice(0, 32)
    const header = {
      seq,
      id,
      session_no: 0,
      stream,
      version,
      key: null,
      type,
      actor,
      at: before,
      request: null,
      cause: null,
    }
    hash = chainHash(hash, header, digestOf(text))
    return { ...header, data: text, hash, digest: null }
  })
}
