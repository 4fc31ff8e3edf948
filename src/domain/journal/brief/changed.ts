import { type Event, type EventToShow, eventOf } from '../../log/event.ts'
import { taskId } from '../../plan/task.ts'
import { entryId } from '../numbers.ts'
import { dataName, dataText } from './data.ts'
import { type Author, minute } from './lines.ts'

const told = (text: string | undefined) => (text === undefined ? '' : `: ${dataText(text)}`)

/** What an event of journal or plan says in a line; nothing of what stands in a section of its own. */
function wordsOf(event: Event): string | undefined {
  switch (event.type) {
    case 'decision_made':
      return `${entryId('decision', event.data.decision)} was made`
    case 'blocker_identified':
      return `${entryId('blocker', event.data.blocker)} came up`
    case 'blocker_bypassed':
      return `${entryId('blocker', event.data.blocker)} was bypassed`
    case 'blocker_resolved':
      return `${entryId('blocker', event.data.blocker)} was resolved: ${dataText(event.data.resolution)}`
    case 'note_added':
      return `note ${dataText(event.data.text)}`
    case 'question_answered':
      return `${entryId('question', event.data.question)} was answered: ${dataText(event.data.answer)}`
    case 'need_met':
      return `${entryId('need', event.data.need)} was met: ${dataName(event.data.how)}${told(event.data.answer)}`
    case 'phase_changed':
      return `phase ${event.data.phase} is ${event.data.to}${told(event.data.reason)}`
    case 'task_added':
      return `${taskId(event.data.task)} was added: ${dataText(event.data.text)}`
    case 'task_claimed':
      return `${taskId(event.data.task)} was claimed`
    case 'task_done':
      return `${taskId(event.data.task)} is done${told(event.data.result)}`
    case 'task_blocked':
      return `${taskId(event.data.task)} is blocked${told(event.data.reason)}`
    case 'task_reopened':
      return `${taskId(event.data.task)} is open again (${event.data.why})${told(event.data.reason)}`
    case 'checkpoint_completed':
      return `build checkpoint ${event.data.checkpoint} is complete`
    default:
      return undefined
  }
}

/** Events as lines, the newest first. Each has its number, so that no two are alike. */
export function changedLines(rows: readonly EventToShow[], author: Author): string[] {
  const newest = [...rows].sort((a, b) => b.seq - a.seq)
  return newest.flatMap((row) => {
    if (row.data === null) return []
    const words = wordsOf(eventOf(row as EventToShow & { data: string }))
    return words === undefined ? [] : [`${row.seq}: ${words} (${author(row.session_no)}, ${minute(row.at)})`]
  })
}
