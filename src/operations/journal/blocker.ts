import { checkBlocker } from '../../domain/journal/blockers.ts'
import { type BlockerStatus, journalStream } from '../../domain/journal/facts.ts'
import { journalOf, journalRefs } from '../../domain/journal/journal.ts'
import { entry } from '../../domain/journal/members.ts'
import { meetNeed, needRefs, raiseNeed } from '../../domain/journal/need.ts'
import { entryId } from '../../domain/journal/numbers.ts'
import { type BlockerRow, blockers } from '../../domain/journal/tables.ts'
import type { Deciding } from '../../domain/log/deciding.ts'
import { alsoCalled, optional } from '../../domain/log/input-schema.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { type Ref, rowOf } from '../../domain/log/rows.ts'
import { line, prose, some } from '../../domain/log/text/entries.ts'
import { taskId } from '../../domain/plan/task.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'
import { type Blocked, blockTasks, unblockTasks } from '../plan/blocking.ts'
import { taskMeant, taskNamed, taskOf } from '../plan/named.ts'
import { checkEntries, noEntry, numberOf } from './changing.ts'

/** What a need is about that a blocker has raised. */
function aboutBlocker(blocker: number): string {
  return `blocker/${blocker}`
}

const blocker = entry('blocker', 'The blocker.')

function refsOf(given: string): Ref[] {
  const number = numberOf('blocker', given)
  return [...needRefs(aboutBlocker(number)), rowOf(blockers, number)]
}

/** A blocker that may become that. */
function blockerTo(on: Deciding, number: number, to: BlockerStatus): BlockerRow | Refusal {
  const refusal = mayWrite(on)
  if (refusal) return refusal
  const row = on.rows.get(blockers, number)
  if (row === undefined) return noEntry('blocker', number, 'blocker.list')
  return checkBlocker(row.status as BlockerStatus, to) ?? row
}

/** Tasks as they were named, each once. */
function tasksMeant(given: readonly string[]): number[] {
  return [...new Set(given.map(taskMeant))]
}

const isTask = /^task-\d+$/i

/** Nobody can go on: a person must see to it. */
function escalate(on: Deciding, number: number, text: string): string {
  on.rows.mustKnow(needRefs(aboutBlocker(number)))
  const actions = ['bypass', 'resolve']
  const about = aboutBlocker(number)
  return entryId('need', raiseNeed(on, { kind: 'blocker', session: 0, text, about, actions }))
}

export const blockerAdd = change({
  name: 'blocker.add',
  summary: 'Say what is in the way; tasks that it affects are blocked.',
  command: {
    words: ['block'],
    positional: ['description'],
    flags: { tasks: 'task' },
    topic: 'Keep the journal',
    examples: ['cairn block "No key for the API" --affects "the importer" --affects docs'],
  },
  input: {
    description: alsoCalled('text', prose('What is in the way.')),
    affects: optional(
      some(
        'What it is in the way of; the id of a task blocks that.',
        line('What it is in the way of; the id of a task blocks that.'),
      ),
    ),
    tasks: optional(some('Tasks that it blocks.', taskNamed)),
  },
  needs: () => [...journalRefs],
  decide({ description, affects = [], tasks: named = [] }, on) {
    const refusal = mayWrite(on) ?? checkEntries(on, 'blockers')
    if (refusal) return refusal
    const number = journalOf(on.rows).blockers + 1
    const tasks = tasksMeant([...named, ...affects.filter((each) => isTask.test(each))])
    const data = { blocker: number, text: description, affects, ...(tasks.length > 0 && { tasks }) }
    on.record({ type: 'blocker_identified', stream: journalStream, data })
    const blocked = tasks.length === 0 ? none : blockTasks(on, tasks, { blocker: number })
    if (blocked instanceof Refusal) return blocked
    const need = blocked.all ? { need: escalate(on, number, description) } : {}
    return { id: entryId('blocker', number), status: 'active', ...effectOf(blocked), ...need, ...seqOf(on) }
  },
})

const none: Blocked = { tasks: [], phases: [], all: false }

function effectOf({ tasks, phases }: Blocked) {
  return { blocked_tasks: tasks.map(taskId), paused_phases: [...phases] }
}

function seqOf(on: Deciding) {
  return { seq: on.rows.head()?.seq ?? 0 }
}

/** What it blocked can go on, and nobody needs to see to it any more. */
function release(on: Deciding, row: BlockerRow, how: 'bypassed' | 'resolved'): string[] {
  meetNeed(on, aboutBlocker(row.blocker), how)
  const tasks = JSON.parse(row.tasks) as number[]
  return tasks.length === 0 ? [] : unblockTasks(on, tasks, row.blocker).map(taskId)
}

export const blockerBypass = change({
  name: 'blocker.bypass',
  summary: 'Say how work goes on around a blocker: the tasks that it blocked are open again.',
  command: {
    words: ['bypass'],
    positional: ['blocker'],
    flags: { tasks: 'task' },
    examples: ['cairn bypass block-001 --workaround "Recorded answers until the key is there"'],
  },
  input: {
    blocker,
    workaround: prose('What is done instead.'),
    tasks: optional(some('Tasks that the workaround consists of.', taskNamed)),
  },
  needs: (input) => refsOf(input.blocker),
  decide({ blocker: given, workaround, tasks: named = [] }, on) {
    const number = numberOf('blocker', given)
    const row = blockerTo(on, number, 'bypassed')
    if (row instanceof Refusal) return row
    const tasks = tasksMeant(named)
    for (const task of tasks) {
      const found = taskOf(on.rows, task)
      if (found instanceof Refusal) return found
    }
    const data = { blocker: number, workaround, ...(tasks.length > 0 && { tasks }) }
    on.record({ type: 'blocker_bypassed', stream: journalStream, data })
    const open = release(on, row, 'bypassed')
    return { id: entryId('blocker', number), status: 'bypassed', open_tasks: open, ...seqOf(on) }
  },
})

export const blockerResolve = change({
  name: 'blocker.resolve',
  summary: 'Say that a blocker is gone, and what ended it: the tasks that it blocked are open again.',
  command: {
    words: ['unblock'],
    positional: ['blocker'],
    topic: 'Keep the journal',
    examples: ['cairn unblock block-001 --resolution "The key came"'],
  },
  input: { blocker, resolution: prose('What ended it.') },
  needs: (input) => refsOf(input.blocker),
  decide({ blocker: given, resolution }, on) {
    const number = numberOf('blocker', given)
    const row = blockerTo(on, number, 'resolved')
    if (row instanceof Refusal) return row
    on.record({ type: 'blocker_resolved', stream: journalStream, data: { blocker: number, resolution } })
    const open = release(on, row, 'resolved')
    return { id: entryId('blocker', number), status: 'resolved', open_tasks: open, ...seqOf(on) }
  },
})
