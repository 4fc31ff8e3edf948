import { integer, oneOf, optional } from '../../../domain/log/input-schema.ts'
import { pastPlace } from '../../../domain/log/past/place.ts'
import { type Asking, askRow, askRows } from '../../../domain/log/questions.ts'
import { Refusal } from '../../../domain/log/refusal.ts'
import { rowsThen } from '../../../domain/log/row-past.ts'
import { taskStatuses } from '../../../domain/plan/facts.ts'
import type { Task } from '../../../domain/plan/known.ts'
import { placeOfRank, ranksOfWave } from '../../../domain/plan/order.ts'
import { planPart } from '../../../domain/plan/part.ts'
import { showTask } from '../../../domain/plan/shown.ts'
import { staleAt } from '../../../domain/plan/stale.ts'
import { type TaskProgressRow, type TaskRow, taskProgress, tasks, taskWaves } from '../../../domain/plan/tables.ts'
import { sessions } from '../../../domain/sessions/tables.ts'
import { limit, past } from '../../inputs.ts'
import { read } from '../../operation.ts'
import { phaseMeant, phaseNamed } from '../named.ts'
import { planSeen } from '../seen.ts'

const pageUsual = 100
/** As many as are looked at in one go where only some are wanted. */
const stride = 500

interface Around {
  readonly root: number
  readonly at: number | undefined
  readonly now: number
  readonly staleMs: number
  /** The waves of which tasks are handed out, by `lane/wave`. */
  readonly active: ReadonlySet<string>
}

function* showing(
  { root, at, now, staleMs, active }: Around,
  found: readonly Task[],
): Asking<ReturnType<typeof showTask>[]> {
  const by = new Map((yield* heldBy(root, found)).map((row) => [row.no, row]))
  const own = yield* askRow(sessions, root, 0)
  return found.map((task) => {
    const { progress } = task
    const { lane, wave } = placeOfRank(progress.rank)
    const holder = progress.claimed_by === null ? undefined : by.get(progress.claimed_by)
    const stale =
      progress.status === 'claimed' && at === undefined ? staleAt(progress, { holder, root: own }, staleMs) : undefined
    return showTask(task, holder?.id ?? null, {
      ready: progress.queue !== null && active.has(`${lane}/${wave}`),
      stale: stale !== undefined && stale <= now,
    })
  })
}

function* heldBy(root: number, found: readonly Task[]) {
  const rows = []
  for (const no of new Set(found.flatMap(({ progress }) => progress.claimed_by ?? []))) {
    const row = yield* askRow(sessions, root, no)
    if (row !== undefined) rows.push(row)
  }
  return rows
}

function joined(rows: readonly TaskRow[], all: readonly TaskProgressRow[]): Task[] {
  const byTask = new Map(all.map((progress) => [progress.task, progress]))
  return rows.flatMap((row) => {
    const progress = byTask.get(row.task)
    return progress === undefined ? [] : [{ row, progress }]
  })
}

function* pageAfter(root: number, after: number, at: number | undefined): Asking<Task[]> {
  if (at !== undefined) {
    const rows = (yield* rowsThen(tasks, root, at)).filter(({ task }) => task > after)
    return joined(
      [...rows].sort((a, b) => a.task - b.task),
      yield* rowsThen(taskProgress, root, at),
    )
  }
  const range = { column: 'task', from: after + 1, most: stride }
  return joined(yield* askRows(tasks, root, range), yield* askRows(taskProgress, root, range))
}

interface Wanted {
  readonly status: string | undefined
  readonly phase: number | undefined
  readonly after: number
  readonly most: number
}

/** Tasks by their numbers; where only some are wanted, the others are passed over a page at a time. */
function* tasksWanted(root: number, { status, phase, after, most }: Wanted, at: number | undefined): Asking<Task[]> {
  const found: Task[] = []
  for (let last = after; ; ) {
    const page = yield* pageAfter(root, last, at)
    const isWanted = ({ row, progress }: Task) =>
      (status === undefined || progress.status === status) && (phase === undefined || row.phase === phase)
    found.push(...page.filter(isWanted))
    if (found.length >= most || page.length < stride || at !== undefined) return found.slice(0, most)
    last = page.at(-1)?.row.task ?? last
  }
}

export const taskList = read({
  name: 'task.list',
  summary: 'List the tasks of the plan by their numbers, and what has become of each.',
  command: {
    words: ['task ls'],
    examples: ['cairn task ls', 'cairn task ls --status claimed', 'cairn task ls --at 40 --json'],
  },
  input: {
    status: optional(oneOf('Only those of this status.', taskStatuses)),
    phase: optional(phaseNamed),
    after: optional(integer('Only tasks with a higher number.')),
    limit,
    ...past,
  },
  snapshot: true,
  *read(input, { root }, now, _parts, _leaseTime, limits) {
    const { status, phase: named, after = 0, limit: most = pageUsual } = input
    const at = yield* pastPlace(root, input, planPart)
    if (at instanceof Refusal) return at
    const { phases, waves } = yield* planSeen(root, at)
    const phase = named === undefined ? undefined : phaseMeant(phases, named)
    if (phase instanceof Refusal) return phase
    const found = yield* tasksWanted(root, { status, phase: phase?.phase, after, most: most + 1 }, at)
    const active = new Set(waves.filter((row) => row.active === 1).map(({ lane, wave }) => `${lane}/${wave}`))
    const page = found.slice(0, most)
    const shown = yield* showing({ root, at, now, staleMs: limits.taskStaleMs, active }, page)
    const next = found.length > most ? (page.at(-1)?.row.task ?? null) : null
    return { tasks: shown, next_after: next }
  },
})

const readyUsual = 10

/** The tasks that are ready, in the order of work: those of the first waves that have any. */
export function* readyNow(root: number, most: number): Asking<Task[]> {
  const found: Task[] = []
  for (const { queue } of yield* askRows(taskWaves, root, { column: 'queue', from: 0, most })) {
    if (found.length >= most || queue === null) break
    const range = { column: 'queue', ...ranksOfWave(queue), most: most - found.length }
    for (const progress of yield* askRows(taskProgress, root, range)) {
      const row = yield* askRow(tasks, root, progress.task)
      if (row !== undefined) found.push({ row, progress })
    }
  }
  return found
}

function* readyThen(root: number, most: number, at: number): Asking<Task[]> {
  const waves = yield* rowsThen(taskWaves, root, at)
  const active = new Set(waves.filter((row) => row.active === 1).map(({ lane, wave }) => `${lane}/${wave}`))
  const isIn = (rank: number) => active.has(`${placeOfRank(rank).lane}/${placeOfRank(rank).wave}`)
  const all = joined(yield* rowsThen(tasks, root, at), yield* rowsThen(taskProgress, root, at))
  return all
    .filter(({ progress }) => progress.queue !== null && isIn(progress.queue))
    .sort((a, b) => a.progress.rank - b.progress.rank)
    .slice(0, most)
}

export const taskReady = read({
  name: 'task.ready',
  summary: 'List the tasks that can be begun now, in the order in which they are handed out.',
  command: { words: ['task ready'], topic: 'Plan' },
  input: { limit, ...past },
  snapshot: true,
  *read(input, { root }) {
    const at = yield* pastPlace(root, input, planPart)
    if (at instanceof Refusal) return at
    const most = input.limit ?? readyUsual
    const found = at === undefined ? yield* readyNow(root, most + 1) : yield* readyThen(root, most + 1, at)
    const shown = found.slice(0, most).map((task) => showTask(task, null, { ready: true, stale: false }))
    return { tasks: shown, more: found.length > most }
  },
})
