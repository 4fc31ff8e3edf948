import { barText } from '../../../domain/log/text/bar.ts'
import { safe } from '../output.ts'
import type { AnswerOf } from '../registry/presentation.ts'
import { table } from '../table.ts'
import type { Style, Terminal } from '../terminal.ts'
import { ago, until, type ViewOf } from './view.ts'

type Plan = AnswerOf<'plan.show'>
type Counts = Plan['tasks']
type PhaseShown = AnswerOf<'phase.list'>['phases'][number]
type Checkpoint = AnswerOf<'checkpoint.list'>['checkpoints'][number]
type Task = AnswerOf<'task.list' | 'task.ready'>['tasks'][number]

const styles: Partial<Record<string, Style>> = {
  running: 'green',
  claimed: 'green',
  started: 'green',
  paused: 'yellow',
  blocked: 'yellow',
  failed: 'red',
  completed: 'dim',
  done: 'dim',
  skipped: 'dim',
}

function countsText({ tasks, done, claimed, blocked }: Counts): string {
  if (tasks === 0) return '–'
  const more = [claimed > 0 && `${claimed} claimed`, blocked > 0 && `${blocked} blocked`].filter(Boolean)
  return [`${done} of ${tasks} done`, ...more].join(', ')
}

function since({ state, started_at, ended_at }: PhaseShown): string {
  return state === 'planned' ? '–' : ago(ended_at ?? started_at)
}

export const phaseTable: ViewOf<'phase.list'> = ({ phases }, terminal) => phasesIn(phases, terminal)

function phasesIn(rows: readonly PhaseShown[], terminal: Terminal): string {
  return table<PhaseShown>(
    [
      { title: 'NO', cell: ({ phase }) => String(phase), right: true },
      { title: 'PHASE', cell: ({ name }) => name, flexible: true, style: () => 'bold' },
      { title: 'STATE', cell: ({ state }) => state, style: ({ state }) => styles[state] },
      { title: 'SINCE', cell: since },
      { title: 'TASKS', cell: ({ tasks }) => countsText(tasks) },
    ],
    rows,
    terminal,
  )
}

/** The whole plan, from far away. */
export const planView: ViewOf<'plan.show'> = ({ phases, tasks, checkpoints, current_checkpoint }, terminal) => {
  const plans = phases.flatMap(({ name, plans }) => plans.map((plan) => ({ phase: name, ...plan })))
  const parts = [phasesIn(phases, terminal)]
  if (plans.length > 0) {
    parts.push(
      table<(typeof plans)[number]>(
        [
          { title: 'PHASE', cell: ({ phase }) => phase },
          { title: 'PLAN', cell: ({ plan, name }) => `${plan} ${name}`, flexible: true, style: () => 'bold' },
          { title: 'TASKS', cell: ({ tasks }) => countsText(tasks) },
        ],
        plans,
        terminal,
      ),
    )
  }
  if (checkpoints.length > 0) parts.push(checkpointsIn(checkpoints, current_checkpoint, terminal))
  if (tasks.tasks > 0) parts.push(`${barText(tasks.done, tasks.tasks)}  ${countsText(tasks)}\n`)
  return parts.join('\n')
}

function checkpointsIn(rows: readonly Checkpoint[], current: number | null, terminal: Terminal): string {
  return table<Checkpoint>(
    [
      { title: 'CHECKPOINT', cell: ({ checkpoint }) => String(checkpoint), right: true },
      {
        title: 'STATUS',
        cell: ({ status, checkpoint }) => (checkpoint === current ? `${status}, current` : status),
        style: ({ status }) => styles[status],
      },
      { title: 'WHAT', cell: ({ text }) => text, flexible: true },
    ],
    rows,
    terminal,
  )
}

export const checkpointTable: ViewOf<'checkpoint.list'> = ({ checkpoints, current_checkpoint }, terminal) => {
  if (checkpoints.length === 0) return 'No build checkpoints. Add one with cairn checkpoint add "TEXT".\n'
  return checkpointsIn(checkpoints, current_checkpoint, terminal)
}

/** Whether there was something to do: nobody is told of a change that was none. */
function isChanged(answer: object): boolean {
  return !('changed' in answer) || answer.changed === true
}

export const checkpointSaid: ViewOf<'checkpoint.add' | 'checkpoint.start' | 'checkpoint.complete'> = (
  answer,
  terminal,
) => {
  const { checkpoint, text, status } = answer
  const already = isChanged(answer) ? '' : ' already'
  return `build checkpoint ${terminal.paint('bold', String(checkpoint))} is${already} ${status}: ${safe(text)}\n`
}

export const phaseSaid: ViewOf<'phase.enter' | 'phase.done' | 'phase.add'> = (answer, terminal) => {
  const { name, state } = answer
  const shown = terminal.paint('bold', safe(name))
  if (!isChanged(answer)) return `the phase ${shown} is already ${state}\n`
  const from = 'from' in answer ? answer.from : null
  const left = from === null || from === name ? '' : `, after ${safe(from)}`
  return `the phase ${shown} is ${state}${left}\n`
}

export const planAdded: ViewOf<'plan.add'> = ({ phase_name, plan, name }, terminal) =>
  `plan ${plan} of ${safe(phase_name)}: ${terminal.paint('bold', safe(name))}\n`

function stateOf({ status, ready, stale }: Task): string {
  if (stale) return 'stale'
  return ready ? 'ready' : status
}

function taskStyle(row: Task): Style | undefined {
  const state = stateOf(row)
  return state === 'stale' ? 'red' : state === 'ready' ? 'cyan' : styles[state]
}

function waitsText(after: readonly string[], blockers: readonly string[] = []): string {
  return [...after, ...blockers].join(', ') || '–'
}

function place({ phase, plan, wave }: Task): string {
  return [phase ?? '–', plan ?? '–', wave].join('/')
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}

export const taskTable: ViewOf<'task.list' | 'task.ready'> = (answer, terminal, { nameOf }) => {
  const { tasks } = answer
  if (tasks.length === 0)
    return 'more' in answer ? 'No task is ready.\n' : 'No tasks. Add one with cairn task add "TEXT".\n'
  const shown = table<Task>(
    [
      { title: 'ID', cell: ({ id }) => id, style: () => 'bold' },
      { title: 'STATUS', cell: stateOf, style: taskStyle },
      { title: 'BY', cell: ({ claimed_by }) => (claimed_by === null ? '–' : nameOf(claimed_by)), flexible: true },
      { title: 'PHASE/PLAN/WAVE', cell: place },
      { title: 'AFTER', cell: ({ after, blocked_by }) => waitsText(after, blocked_by), flexible: true },
      { title: 'TASK', cell: ({ text }) => firstLine(text), flexible: true },
    ],
    tasks,
    terminal,
  )
  if ('more' in answer) return answer.more ? `${shown}… more are ready\n` : shown
  return answer.next_after === null ? shown : `${shown}… more with --after ${answer.next_after}\n`
}

export const taskAdded: ViewOf<'task.add'> = ({ id, text }, terminal) =>
  `${terminal.paint('bold', id)} ${safe(firstLine(text))}\n`

const noneLeft = 'No task is left: all of them are done.\n'

export const taskAwaited: ViewOf<'task.wait'> = ({ id }, terminal) =>
  id === null ? noneLeft : `${terminal.paint('bold', id)} is ready\n`

export const taskClaimed: ViewOf<'task.claim'> = (answer, terminal) => {
  if (answer.id === null) return noneLeft
  const { id, text, token, expires_at: at } = answer
  const [, no] = id.split('-')
  const lines = [
    `${terminal.paint('bold', id)} is claimed until ${at} (${until(at)})`,
    safe(text),
    `token  ${token}`,
    terminal.paint('dim', `to write only while it is held: --fence task/${Number(no)}:${token}`),
  ]
  return `${lines.join('\n')}\n`
}

export const taskDone: ViewOf<'task.done'> = ({ id, next }, terminal) => {
  const then = next === null ? '' : `next: ${next.id} ${safe(firstLine(next.text))}\n`
  return `${terminal.paint('bold', id)} is done\n${then}`
}

export const taskProgressed: ViewOf<'task.progress'> = ({ id, status, expires_at: at }, terminal) =>
  `${terminal.paint('bold', id)} is ${status}${at === null ? '' : ` until ${at} (${until(at)})`}\n`

export const taskBlocked: ViewOf<'task.block'> = ({ id, status, paused_phases }, terminal) => {
  const paused = paused_phases.length > 0 ? '; all that is left in its phase is blocked' : ''
  return `${terminal.paint('bold', id)} is ${status}${paused}\n`
}

export const taskReset: ViewOf<'task.reset'> = ({ id, status, was, crashed }, terminal) => {
  const lost = crashed ? ', and nothing was heard of its worker' : ''
  return `${terminal.paint('bold', id)} is ${status} again; it was ${was}${lost}\n`
}

export const taskRewired: ViewOf<'task.after'> = ({ id, after }, terminal) =>
  `${terminal.paint('bold', id)} waits for ${after.length === 0 ? 'no task' : waitsText(after)}\n`
