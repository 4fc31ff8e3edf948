import { barText } from '../../domain/log/text/bar.ts'
import type { Task } from '../../domain/plan/known.ts'
import type { PhaseRow } from '../../domain/plan/tables.ts'
import { afterOf, taskId } from '../../domain/plan/task.ts'

import { heading, oneLine } from './markdown.ts'
import type { RowsToRender } from './rows.ts'

const marks = { open: ' ', claimed: '~', blocked: '!', done: 'x' } as const

function taskLine({ row, progress }: Task): string {
  const after = afterOf(row)
  const waits = after.length === 0 ? '' : ` (after ${after.map(taskId).join(', ')})`
  const state = progress.status === 'claimed' || progress.status === 'blocked' ? ` *${progress.status}*` : ''
  return `- [${marks[progress.status]}] ${taskId(row.task)} ${oneLine(row.text)}${waits}${state}`
}

function tally(tasks: readonly Task[]): string {
  const done = tasks.filter(({ progress }) => progress.status === 'done').length
  return `${barText(done, tasks.length)} (${done} of ${tasks.length})`
}

/** Tasks wave by wave; where there is but one, it needs no heading. */
function waveLines(tasks: readonly Task[], level: string): string[] {
  const waves = [...new Set(tasks.map(({ row }) => row.wave))].sort((a, b) => a - b)
  if (waves.length < 2) return tasks.map(taskLine)
  return waves.flatMap((wave) => [
    `${level} Wave ${wave}`,
    '',
    ...tasks.filter(({ row }) => row.wave === wave).map(taskLine),
    '',
  ])
}

function phaseLines(rows: RowsToRender, phase: PhaseRow): string[] {
  const own = rows.tasks.filter(({ row }) => row.phase === phase.phase)
  const lines = [`## Phase ${phase.phase}: ${heading(phase.name)} — ${phase.state}`, '']
  const loose = own.filter(({ row }) => row.plan === 0)
  if (loose.length > 0) lines.push(...waveLines(loose, '###'), '')
  for (const plan of rows.plans.filter((row) => row.phase === phase.phase)) {
    const tasks = own.filter(({ row }) => row.plan === plan.plan)
    lines.push(`### Plan ${plan.plan}: ${heading(plan.name)}`, '', ...waveLines(tasks, '####'), '')
  }
  return lines
}

/** `plan.md`: the plan as people read it. */
export function planMd(rows: RowsToRender): string {
  const lines = [
    `# Plan: ${heading(rows.session.topic)}`,
    '',
    '<!-- Rendered by Cairn from the log; edits are not kept. -->',
    '',
  ]
  if (rows.tasks.length > 0) lines.push(tally(rows.tasks), '')
  for (const phase of rows.phases) lines.push(...phaseLines(rows, phase))
  const none = rows.tasks.filter(({ row }) => row.phase === 0)
  if (none.length > 0) lines.push('## Tasks of no phase', '', ...waveLines(none, '###'), '')
  if (rows.checkpoints.length > 0) {
    lines.push('## Build checkpoints', '')
    for (const { checkpoint, text, completed_at } of [...rows.checkpoints].sort((a, b) => a.checkpoint - b.checkpoint))
      lines.push(`${checkpoint}. [${completed_at === null ? ' ' : 'x'}] ${oneLine(text)}`)
  }
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`
}

/** `{phase}-{plan}-PLAN.md` of each plan, which a worker loads alone. */
export function planFiles(rows: RowsToRender): { path: string; text: string }[] {
  return rows.plans.map(({ phase, plan, name }) => {
    const of = rows.phases.find((row) => row.phase === phase)
    const tasks = rows.tasks.filter(({ row }) => row.phase === phase && row.plan === plan)
    const lines = [
      `# Phase ${phase}, plan ${plan}: ${heading(name)}`,
      '',
      `Phase: ${heading(of?.name ?? String(phase))} (${of?.state ?? 'planned'})`,
      ...(tasks.length > 0 ? ['', tally(tasks), '', ...waveLines(tasks, '##')] : []),
    ]
    return { path: `${phase}-${plan}-PLAN.md`, text: `${lines.join('\n').trimEnd()}\n` }
  })
}
