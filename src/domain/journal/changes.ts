import { type Asking, ask, askRow } from '../log/questions.ts'
import { rowThen } from '../log/row-past.ts'
import { aboutLog } from '../log/sql/about-log.ts'
import type { Table } from '../log/tables.ts'
import { buildCheckpoints, phases, taskProgress, tasks } from '../plan/tables.ts'
import { taskId } from '../plan/task.ts'
import { entryId } from './numbers.ts'
import { blockers, decisions, journals, nextActions } from './tables.ts'

/** What a row says of a thing, as far as a difference shows it. */
export type Said = {
  readonly [name: string]: string | number | null
}

/** A thing that is not the same at two points: with what was said of it at each, null where it was not there. */
export type ThingChange = {
  readonly op: 'added' | 'removed' | 'changed'
  readonly id: string
  /** What it is about, where that never changes. */
  readonly text: string | null
  readonly before: Said | null
  readonly after: Said | null
}

export type Changes = {
  /** What was changed last comes first. */
  readonly changes: ThingChange[]
  /** Of how many more there was something to record. */
  readonly more: number
}

/** How things of a table are told from each other, and what is shown of them. */
interface Shown<Row> {
  readonly table: Table<Row & object>
  readonly id: (row: Row) => string
  readonly said: (row: Row) => Said
  readonly text?: (row: Row, root: number) => Asking<string | null>
}

/** Two points of the log. */
export interface Between {
  readonly from: number
  readonly to: number
}

function* rowAt<Row extends object>(table: Table<Row>, root: number, place: string, at: number) {
  const [kept] = yield* ask(aboutLog.row_at, root, table.name, place, at)
  return kept && ({ root, ...rowThen(table, undefined, kept.row) } as Row)
}

function opOf(before: Said | null, after: Said | null): ThingChange['op'] {
  if (before === null) return 'added'
  return after === null ? 'removed' : 'changed'
}

function* changesOf<Row extends object>(
  { table, id, said, text }: Shown<Row>,
  root: number,
  { from, to }: Between,
  most: number,
): Asking<Changes> {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  const places = yield* ask(aboutLog.places_changed, root, table.name, low, high, most)
  const changes: ThingChange[] = []
  for (const { place } of places) {
    const [then, later] = [yield* rowAt(table, root, place, from), yield* rowAt(table, root, place, to)]
    const row = later ?? then
    if (row === undefined) continue
    const [before, after] = [then === undefined ? null : said(then), later === undefined ? null : said(later)]
    if (JSON.stringify(before) === JSON.stringify(after)) continue
    const about = text === undefined ? null : yield* text(row, root)
    changes.push({ op: opOf(before, after), id: id(row), text: about, before, after })
  }
  return { changes, more: Number(places[0]?.total ?? 0) - places.length }
}

const shown = <Row extends object>(what: Shown<Row>) => what

const ofPhases = shown({
  table: phases,
  id: ({ phase }) => `phase-${phase}`,
  said: ({ name, state, reason }) => ({ name, state, reason }),
})

const ofTasks = shown({
  table: taskProgress,
  id: ({ task }) => taskId(task),
  said: ({ status, note, result, reason }) => ({ status, note, result, reason }),
  *text({ task }, root) {
    return (yield* askRow(tasks, root, task))?.text ?? null
  },
})

const ofCheckpoints = shown({
  table: buildCheckpoints,
  id: ({ checkpoint }) => `checkpoint-${checkpoint}`,
  said: ({ text, started_at, completed_at }) => ({
    text,
    status: completed_at !== null ? 'completed' : started_at !== null ? 'started' : 'open',
  }),
})

const ofDecisions = shown({
  table: decisions,
  id: ({ decision }) => entryId('decision', decision),
  said: ({ text, superseded_by: by }) => ({
    decision: text,
    superseded_by: by === null ? null : entryId('decision', by),
  }),
})

const ofBlockers = shown({
  table: blockers,
  id: ({ blocker }) => entryId('blocker', blocker),
  said: ({ text, status, workaround, resolution }) => ({ description: text, status, workaround, resolution }),
})

const ofPosition = shown({
  table: journals,
  id: () => 'position',
  said: ({ phase, plan, task, wave, status }) => ({ phase, plan, task, wave, status }),
})

const ofNext = shown({ table: nextActions, id: () => 'next_action', said: ({ text }) => ({ text }) })

/** What differs in the plan and in the journal of a root between two points: of each kind no more than so many. */
export function* workChanges(root: number, between: Between, most: number) {
  return {
    position: (yield* changesOf(ofPosition, root, between, 1)).changes[0] ?? null,
    next_action: (yield* changesOf(ofNext, root, between, 1)).changes[0] ?? null,
    phases: yield* changesOf(ofPhases, root, between, most),
    tasks: yield* changesOf(ofTasks, root, between, most),
    checkpoints: yield* changesOf(ofCheckpoints, root, between, most),
    decisions: yield* changesOf(ofDecisions, root, between, most),
    blockers: yield* changesOf(ofBlockers, root, between, most),
  }
}
