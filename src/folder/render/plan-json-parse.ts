import { inputCeilings } from '../../domain/log/limits.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { findCycle } from '../../domain/plan/cycle.ts'
import type { PhaseState, TaskStatus } from '../../domain/plan/facts.ts'
import { afterOf, taskId } from '../../domain/plan/task.ts'
import type { JsonObject } from '../../json/value.ts'
import { type Command, notEditable, readObject } from './command.ts'
import { planShape } from './plan-json-shape.ts'
import type { RowsToRender } from './rows.ts'

interface Edited {
  readonly id?: string
  readonly text: string
  readonly phase?: string | null
  readonly plan?: number | null
  readonly wave?: number
  readonly after?: readonly string[]
  readonly status?: TaskStatus
}

interface EditedPlan {
  readonly phases?: readonly {
    readonly name: string
    readonly state?: PhaseState
    readonly plans?: readonly string[]
  }[]
  readonly checkpoints?: readonly { readonly id?: number; readonly text: string; readonly status?: string }[]
  readonly tasks?: readonly Edited[]
}

/** What an edit of `plan.json` asks for: all of it, or none. */
export function parsePlanJson(path: string, text: string, rows: RowsToRender): readonly Command[] | Refusal {
  const read = readObject(path, text)
  if (read instanceof Refusal) return read
  const plan = planShape.check(read, '', inputCeilings) as EditedPlan | Refusal
  if (plan instanceof Refusal) return plan
  const parts = [phaseCommands(path, plan, rows), checkpointCommands(path, plan, rows), taskCommands(path, plan, rows)]
  const commands: Command[] = []
  for (const part of parts) {
    if (part instanceof Refusal) return part
    commands.push(...part)
  }
  return commands
}

function phaseCommands(path: string, { phases = [] }: EditedPlan, rows: RowsToRender): Command[] | Refusal {
  const commands: Command[] = []
  const known = new Map(rows.phases.map((row) => [row.name.toLowerCase(), row]))
  for (const { name, state, plans = [] } of phases) {
    const row = known.get(name.toLowerCase())
    const phase = row?.phase
    const now = row?.state ?? 'planned'
    if (state !== undefined && state !== now)
      return notEditable(path, `the state of ${name}`, 'Go on to a phase with `phase.enter`.')
    if (phase === undefined) commands.push({ operation: 'phase.add', input: { name } })
    const there = rows.plans.filter((row) => row.phase === phase).map((row) => row.name)
    if (there.some((each, at) => plans[at] !== each))
      return notEditable(path, `plans of ${name}`, 'Add new plans after those that are there.')
    for (const added of plans.slice(there.length))
      commands.push({ operation: 'plan.add', input: { name: added, phase: name } })
  }
  return commands
}

function checkpointCommands(path: string, { checkpoints = [] }: EditedPlan, rows: RowsToRender): Command[] | Refusal {
  const known = new Map(rows.checkpoints.map((row) => [row.checkpoint, row]))
  const commands: Command[] = []
  let next = known.size
  for (const { id, text, status = 'open' } of checkpoints) {
    const row = id === undefined ? undefined : known.get(id)
    if (id !== undefined && row === undefined)
      return notEditable(path, `the id of checkpoint ${id}`, 'A new checkpoint has no id.')
    if (row !== undefined && row.text !== text)
      return notEditable(path, `the text of checkpoint ${id}`, 'Add another checkpoint.')
    if (row === undefined) {
      next += 1
      commands.push({ operation: 'checkpoint.add', input: { text } })
    }
    const checkpoint = row?.checkpoint ?? next
    if (row?.completed_at != null && status !== 'completed')
      return notEditable(path, `checkpoint ${id}`, 'It stays complete.')
    if (status === 'started' && row?.started_at == null)
      commands.push({ operation: 'checkpoint.start', input: { checkpoint } })
    if (status === 'completed' && row?.completed_at == null)
      commands.push({ operation: 'checkpoint.complete', input: { checkpoint } })
  }
  return commands
}

function taskCommands(path: string, { tasks = [] }: EditedPlan, rows: RowsToRender): Command[] | Refusal {
  const known = new Map(rows.tasks.map((task) => [taskId(task.row.task), task]))
  const missing = [...known.keys()].find((id) => !tasks.some((task) => task.id === id))
  if (missing !== undefined)
    return notEditable(path, missing, 'Tasks are not taken away: leave it in, and say that it is done.')
  const named = new Map(tasks.map((task, at) => [task.id ?? `#${at + 1}`, task]))
  if (named.size < tasks.length)
    return notEditable(path, 'an id that is there twice', 'Give each task an id of its own, or none.')
  const added = [...named].filter(([id]) => !known.has(id))
  const ordered = inOrder(added, named)
  if (ordered instanceof Refusal) return ordered
  // What they will be called: numbers follow those that are there.
  const ids = new Map([...known.keys()].map((id) => [id, id]))
  for (const [at, [id]] of ordered.entries()) ids.set(id, taskId(known.size + at + 1))
  const adding = ordered.map(([, task]) => addition(task, ids))
  const changing = tasks.flatMap((task) => changes(path, task, known, ids, rows))
  const refusal = changing.find((each) => each instanceof Refusal)
  return refusal instanceof Refusal ? refusal : [...adding, ...(changing as Command[])]
}

type Named = readonly [id: string, task: Edited]

/** New tasks, each after those that it waits for. */
function inOrder(added: readonly Named[], named: ReadonlyMap<string, Edited>): Named[] | Refusal {
  const before = (id: string) => named.get(id)?.after ?? []
  for (const [id, task] of named) {
    const unknown = (task.after ?? []).find((each) => !named.has(each))
    if (unknown !== undefined) return unknownBefore(id, unknown)
    const cycle = findCycle(id, before)
    if (cycle) {
      const way = cycle.join(' → ')
      return refuse('cycle', `These tasks would wait for each other: ${way}.`, 'Leave out one of these dependencies.', {
        cycle: [...cycle],
      })
    }
  }
  const ordered = new Map<string, Edited>()
  const isNew = new Map(added)
  const visit = (id: string): void => {
    const task = isNew.get(id)
    if (task === undefined || ordered.has(id)) return
    for (const each of before(id)) visit(each)
    ordered.set(id, task)
  }
  for (const [id] of added) visit(id)
  return [...ordered]
}

function unknownBefore(id: string, unknown: string): Refusal {
  const message = `${id} waits for ${JSON.stringify(unknown)}, and no task has that id.`
  return refuse('unknown_dependency', message, 'Name tasks by the ids that they have in the file.', {
    dependency: unknown,
  })
}

function addition({ text, phase, plan, wave, after = [] }: Edited, ids: ReadonlyMap<string, string>): Command {
  const input: JsonObject = {
    text,
    ...(phase != null && { phase }),
    ...(plan != null && { plan: String(plan) }),
    ...(wave !== undefined && { wave }),
    ...(after.length > 0 && { after: after.map((each) => ids.get(each) ?? each) }),
  }
  return { operation: 'task.add', input }
}

function changes(
  path: string,
  task: Edited,
  known: ReadonlyMap<string, RowsToRender['tasks'][number]>,
  ids: ReadonlyMap<string, string>,
  rows: RowsToRender,
): (Command | Refusal)[] {
  const there = task.id === undefined ? undefined : known.get(task.id)
  const named = ids.get(task.id ?? '')
  if (there === undefined || named === undefined)
    return task.status === 'done' && named !== undefined ? statusCommands(named, 'open', 'done') : []
  const { row, progress } = there
  if (row.text !== task.text)
    return [notEditable(path, `the text of ${named}`, 'Add another task, and say that this one is done.')]
  if (isMoved(task, there, rows))
    return [
      notEditable(path, `the phase or plan of ${named}`, 'Add another task there, and say that this one is done.'),
    ]
  if ((task.wave ?? row.wave) !== row.wave)
    return [notEditable(path, `the wave of ${named}`, 'Add another task in that wave.')]
  const after = (task.after ?? []).map((each) => ids.get(each) ?? each)
  const isSame = JSON.stringify(after) === JSON.stringify(afterOf(row).map(taskId))
  const rewired = isSame ? [] : [{ operation: 'task.after', input: { task: named, after } }]
  return [...rewired, ...statusCommands(named, progress.status, task.status ?? progress.status)]
}

/** A place that is not said is the one it has. */
function isMoved({ phase, plan }: Edited, { row }: RowsToRender['tasks'][number], { phases }: RowsToRender): boolean {
  const name = phases.find((each) => each.phase === row.phase)?.name ?? null
  const isElsewhere = phase !== undefined && (phase?.toLowerCase() ?? null) !== (name?.toLowerCase() ?? null)
  return isElsewhere || (plan !== undefined && (plan ?? 0) !== row.plan)
}

function statusCommands(task: string, from: TaskStatus, to: TaskStatus): Command[] {
  if (from === to) return []
  const reset = from === 'open' ? [] : [{ operation: 'task.reset', input: { task } }]
  const claim = { operation: 'task.claim', input: { task } }
  const done = { operation: 'task.done', input: { task } }
  if (to === 'open') return reset
  if (to === 'claimed') return [...reset, claim]
  if (to === 'blocked') return [...(from === 'done' ? reset : []), { operation: 'task.block', input: { task } }]
  return from === 'claimed' ? [done] : [...reset, claim, done]
}
