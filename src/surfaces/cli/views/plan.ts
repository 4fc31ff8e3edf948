import { barText } from '../../../domain/log/text/bar.ts'
import type { Json } from '../../../json/value.ts'
import { safe } from '../output.ts'
import { table } from '../table.ts'
import type { Style, Terminal } from '../terminal.ts'
import { ago, until, type View } from './view.ts'

type Shown = { readonly [name: string]: Json }

interface Counts {
  readonly tasks: number
  readonly open: number
  readonly claimed: number
  readonly blocked: number
  readonly done: number
}

interface PhaseShown {
  readonly phase: number
  readonly name: string
  readonly state: string
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly reason: string | null
  readonly tasks: Counts
  readonly plans?: readonly { readonly plan: number; readonly name: string; readonly tasks: Counts }[]
}

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

export const phaseTable: View = ({ phases }, terminal) => phasesIn(phases as unknown as readonly PhaseShown[], terminal)

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
export const planView: View = ({ phases, tasks, checkpoints, current_checkpoint }, terminal) => {
  const rows = phases as unknown as readonly PhaseShown[]
  const counts = tasks as unknown as Counts
  const plans = rows.flatMap(({ name, plans = [] }) => plans.map((plan) => ({ phase: name, ...plan })))
  const parts = [phasesIn(rows, terminal)]
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
  const built = checkpoints as Shown[]
  if (built.length > 0) parts.push(checkpointsIn(built, current_checkpoint ?? null, terminal))
  if (counts.tasks > 0) parts.push(`${barText(counts.done, counts.tasks)}  ${countsText(counts)}\n`)
  return parts.join('\n')
}

function checkpointsIn(rows: readonly Shown[], current: Json, terminal: Terminal): string {
  return table<Shown>(
    [
      { title: 'CHECKPOINT', cell: ({ checkpoint }) => String(checkpoint), right: true },
      {
        title: 'STATUS',
        cell: ({ status, checkpoint }) => (checkpoint === current ? `${status}, current` : String(status)),
        style: ({ status }) => styles[String(status)],
      },
      { title: 'WHAT', cell: ({ text }) => String(text), flexible: true },
    ],
    rows,
    terminal,
  )
}

export const checkpointTable: View = ({ checkpoints, current_checkpoint }, terminal) => {
  const rows = checkpoints as Shown[]
  if (rows.length === 0) return 'No build checkpoints. Add one with cairn checkpoint add "TEXT".\n'
  return checkpointsIn(rows, current_checkpoint ?? null, terminal)
}

export const checkpointSaid: View = ({ checkpoint, text, status, changed }, terminal) => {
  const already = changed === false ? ' already' : ''
  return `build checkpoint ${terminal.paint('bold', String(checkpoint))} is${already} ${status}: ${safe(String(text))}\n`
}

export const phaseSaid: View = ({ name, state, from, changed }, terminal) => {
  const shown = terminal.paint('bold', safe(String(name)))
  if (changed === false) return `the phase ${shown} is already ${state}\n`
  const left = from === undefined || from === null || from === name ? '' : `, after ${safe(String(from))}`
  return `the phase ${shown} is ${state}${left}\n`
}

export const planAdded: View = ({ phase_name, plan, name }, terminal) =>
  `plan ${plan} of ${safe(String(phase_name))}: ${terminal.paint('bold', safe(String(name)))}\n`

function stateOf({ status, ready, stale }: Shown): string {
  if (stale === true) return 'stale'
  return ready === true ? 'ready' : String(status)
}

function taskStyle(row: Shown): Style | undefined {
  const state = stateOf(row)
  return state === 'stale' ? 'red' : state === 'ready' ? 'cyan' : styles[state]
}

function waitsText({ after, blocked_by }: Shown): string {
  const names = [...(after as string[]), ...((blocked_by ?? []) as string[])]
  return names.length === 0 ? '–' : names.join(', ')
}

function place({ phase, plan, wave }: Shown): string {
  return [phase ?? '–', plan ?? '–', wave].join('/')
}

export const taskTable: View = (answer, terminal, { nameOf }) => {
  const rows = answer.tasks as Shown[]
  if (rows.length === 0)
    return 'more' in answer ? 'No task is ready.\n' : 'No tasks. Add one with cairn task add "TEXT".\n'
  const shown = table<Shown>(
    [
      { title: 'ID', cell: ({ id }) => String(id), style: () => 'bold' },
      { title: 'STATUS', cell: stateOf, style: taskStyle },
      { title: 'BY', cell: ({ claimed_by }) => (claimed_by === null ? '–' : nameOf(claimed_by)), flexible: true },
      { title: 'PHASE/PLAN/WAVE', cell: place },
      { title: 'AFTER', cell: waitsText, flexible: true },
      { title: 'TASK', cell: ({ text }) => String(text).split('\n')[0] ?? '', flexible: true },
    ],
    rows,
    terminal,
  )
  const { next_after: next, more } = answer
  if (more === true) return `${shown}… more are ready\n`
  return typeof next === 'number' ? `${shown}… more with --after ${next}\n` : shown
}

export const taskAdded: View = ({ id, text }, terminal) =>
  `${terminal.paint('bold', String(id))} ${safe(String(text).split('\n')[0] ?? '')}\n`

export const taskClaimed: View = ({ id, text, token, expires_at: at }, terminal) => {
  const [, no] = String(id).split('-')
  const lines = [
    `${terminal.paint('bold', String(id))} is claimed until ${at} (${until(String(at))})`,
    safe(String(text)),
    `token  ${token}`,
    terminal.paint('dim', `to write only while it is held: --fence task/${Number(no)}:${token}`),
  ]
  return `${lines.join('\n')}\n`
}

export const taskDone: View = ({ id, next }, terminal) => {
  const after = next as Shown | null
  const then = after === null ? '' : `next: ${after.id} ${safe(String(after.text).split('\n')[0] ?? '')}\n`
  return `${terminal.paint('bold', String(id))} is done\n${then}`
}

export const taskSaid: View = ({ id, status, was, crashed, expires_at: at, paused_phases }, terminal) => {
  const before = was === undefined ? '' : ` again; it was ${was}`
  const lost = crashed === true ? ', and nothing was heard of its worker' : ''
  const held = typeof at === 'string' ? ` until ${at} (${until(at)})` : ''
  const paused =
    Array.isArray(paused_phases) && paused_phases.length > 0 ? '; all that is left in its phase is blocked' : ''
  return `${terminal.paint('bold', String(id))} is ${status}${before}${lost}${held}${paused}\n`
}

export const taskRewired: View = (answer, terminal) => {
  const waits = waitsText(answer)
  return `${terminal.paint('bold', String(answer.id))} waits for ${waits === '–' ? 'no task' : waits}\n`
}
