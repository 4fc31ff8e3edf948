import { readInstant } from '../../domain/log/instant.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { understoodWords } from '../../domain/sessions/status-words.ts'
import { type Json, type JsonObject, readJson } from '../../json/value.ts'

/** What `state.json` says, of whichever version and whoever wrote it. */
export interface ManifestRead {
  readonly session_id: string
  readonly topic: string
  readonly description: string
  readonly session_type: string
  readonly created_at: number | undefined
  readonly updated_at: number | undefined
  readonly current_phase: string | undefined
  readonly status: string | undefined
  /** `spec_started_at` and the like, in milliseconds. */
  readonly history: Readonly<Record<string, number | null>>
  readonly checkpoints: {
    readonly total: number
    readonly completed: readonly number[]
    readonly current: number | null
  }
  readonly git: Readonly<Record<'branch' | 'worktree' | 'base_branch', string | null>>
  readonly commits: readonly { sha: string; message: string; checkpoint: number | null; at: number | undefined }[]
  readonly artifacts: Readonly<Record<string, string>>
  /** What stands there besides: the lists of version 1, and what other tools have put there. */
  readonly others: JsonObject
  /** Which store wrote it. */
  readonly cairn: { readonly root: string; readonly replica: string } | undefined
}

/** More than any plan has: beyond it the number is a mistake. */
const checkpointsMax = 10_000
const marker = /^(?:<{7} |={7}\r?$|>{7} )/m

/** Reads `state.json`; refuses what is none by what is wrong with it. */
export function readManifest(text: string): ManifestRead | Refusal {
  if (marker.test(text))
    return wrong('has conflict markers of git', 'Resolve the conflict, or delete the file: it is written anew.')
  const read = readJson(text.replace(/^\ufeff/, ''))
  if (read instanceof Refusal) return wrong(`is not valid JSON: ${read.message}`)
  const given = objectAt(read)
  if (given === undefined) return wrong('is not an object')
  try {
    return manifestOf(given)
  } catch (error) {
    if (error instanceof Wrong) return wrong(error.message)
    throw error
  }
}

class Wrong extends Error {}

function manifestOf(given: JsonObject): ManifestRead {
  const version =
    given.schema_version ?? (objectAt(given.build_progress) === undefined && given.goals !== undefined ? 1 : 2)
  if (version !== 1 && version !== 2)
    throw new Wrong(`has the schema_version ${JSON.stringify(version)}, which this program does not know`)
  const status = textAt(given, 'status')
  if (status !== undefined && !(understoodWords as readonly string[]).includes(status))
    throw new Wrong(`has the status ${JSON.stringify(status)}, which is none`)
  const topic = textAt(given, 'topic') ?? textAt(given, 'session_id')
  if (topic === undefined || topic.trim() === '') throw new Wrong('has neither a topic nor a session_id')
  const type = textAt(given, 'session_type') ?? 'full'
  if (!['full', 'quick', 'research'].includes(type))
    throw new Wrong(`has the session_type ${JSON.stringify(type)}, which is none`)
  const history = objectAt(given.phase_history) ?? {}
  return {
    session_id: textAt(given, 'session_id') ?? '',
    topic,
    description: textAt(given, 'description') ?? '',
    session_type: type,
    created_at: timeAt(given, 'created_at') ?? undefined,
    updated_at: timeAt(given, 'updated_at') ?? undefined,
    current_phase: textAt(given, 'current_phase'),
    status,
    history: Object.fromEntries(Object.keys(history).map((name) => [name, timeAt(history, name)])),
    checkpoints: progressOf(objectAt(given.build_progress) ?? {}),
    git: gitOf(objectAt(given.git) ?? {}),
    commits: listAt(given, 'commits').map((each, at) => commitOf(each, at)),
    artifacts: artifactsOf(objectAt(given.artifacts) ?? {}),
    cairn: writtenBy(objectAt(given.cairn)),
    others: Object.fromEntries(Object.entries(given).filter(([name]) => !known.has(name))),
  }
}

function writtenBy(given: JsonObject | undefined): ManifestRead['cairn'] {
  const { root, replica } = given ?? {}
  return typeof root === 'string' && typeof replica === 'string' ? { root, replica } : undefined
}

const known: ReadonlySet<string> = new Set([
  '$schema',
  'schema_version',
  'session_id',
  'topic',
  'description',
  'session_type',
  'created_at',
  'updated_at',
  'current_phase',
  'status',
  'phase_history',
  'build_progress',
  'git',
  'commits',
  'artifacts',
  'cairn',
])

function progressOf(given: JsonObject): ManifestRead['checkpoints'] {
  const total = numberAt(given, 'checkpoints_total') ?? 0
  const completed = listAt(given, 'checkpoints_completed')
  const most = Math.max(total, ...completed.map(Number))
  if (!completed.every((no) => isPlace(no)) || !(most <= checkpointsMax))
    throw new Wrong('has build_progress that cannot be')
  const current = numberAt(given, 'current_checkpoint')
  return {
    total: Math.max(most, current ?? 0),
    completed: [...new Set(completed as number[])].sort((a, b) => a - b),
    current,
  }
}

function gitOf(given: JsonObject): ManifestRead['git'] {
  const of = (name: string) => textAt(given, name) ?? null
  return { branch: of('branch'), worktree: of('worktree'), base_branch: of('base_branch') }
}

function commitOf(given: Json, at: number): ManifestRead['commits'][number] {
  const commit = objectAt(given)
  const sha = commit && textAt(commit, 'sha')
  if (commit === undefined || sha === undefined) throw new Wrong(`has commits[${at}] without a sha`)
  return {
    sha: sha.toLowerCase(),
    message: textAt(commit, 'message') ?? '',
    checkpoint: numberAt(commit, 'checkpoint'),
    at: timeAt(commit, 'created_at') ?? undefined,
  }
}

function artifactsOf(given: JsonObject): Record<string, string> {
  const own = new Set(['spec', 'plan', 'plan_readable'])
  const others = Object.entries(given).filter(
    (entry): entry is [string, string] => !own.has(entry[0]) && typeof entry[1] === 'string',
  )
  return Object.fromEntries(others)
}

const isPlace = (value: Json) => Number.isSafeInteger(value) && (value as number) > 0

function objectAt(value: Json | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

function textAt(of: JsonObject, name: string): string | undefined {
  const value = of[name] ?? undefined
  if (value !== undefined && typeof value !== 'string') throw new Wrong(`has a ${name} that is no text`)
  return value
}

function numberAt(of: JsonObject, name: string): number | null {
  const value = of[name] ?? null
  if (value !== null && !(Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= checkpointsMax))
    throw new Wrong(`has a ${name} that cannot be`)
  return value === 0 ? null : (value as number | null)
}

function listAt(of: JsonObject, name: string): readonly Json[] {
  const value = of[name] ?? []
  if (!Array.isArray(value)) throw new Wrong(`has ${name} that are no list`)
  return value
}

function timeAt(of: JsonObject, name: string): number | null {
  const value = of[name] ?? null
  if (value === null) return null
  const read = typeof value === 'string' ? readInstant(value) : undefined
  if (typeof read !== 'number' || read < 0) throw new Wrong(`has a ${name} that is no time`)
  return read
}

function wrong(what: string, hint = 'Correct it, or delete it: Cairn writes it from the log.'): Refusal {
  return refuse('invalid_input', `state.json ${what}.`, hint)
}
