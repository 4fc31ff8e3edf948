import type { Event } from '../log/event.ts'
import { type BodyShapes, checkBody, checkNoKey, impossible } from '../log/foreign-body.ts'
import type { ForeignFacts } from '../log/part.ts'
import type { Refusal } from '../log/refusal.ts'
import type { Rows } from '../log/rows.ts'
import { sessions } from '../sessions/tables.ts'
import { checkBlocker } from './blockers.ts'
import { type BlockerStatus, type JournalFact, journalStream } from './facts.ts'
import { journalOf } from './journal.ts'
import { bodies } from './members.ts'
import { blockers, decisions, journalQuestions, needs } from './tables.ts'

const shapes: BodyShapes<JournalFact> = bodies

type JournalEvent = Event & JournalFact

/** Whether a root could have recorded this in its journal. */
export const foreignJournal: ForeignFacts = {
  check(rows, given, limits) {
    const event = given as JournalEvent
    if (event.stream !== journalStream) return impossible('The journal has one stream.')
    return checkNoKey(event) ?? checkBody(shapes, event, limits) ?? checkRows(rows, event)
  },
}

function checkRows(rows: Rows, event: JournalEvent): Refusal | undefined {
  switch (event.type) {
    case 'decision_made':
      return checkNext('decision', event.data.decision, journalOf(rows).decisions) ?? checkSuperseded(rows, event.data)
    case 'blocker_identified':
      return checkNext('blocker', event.data.blocker, journalOf(rows).blockers)
    case 'blocker_bypassed':
      return checkMoved(rows, event.data.blocker, 'bypassed')
    case 'blocker_resolved':
      return checkMoved(rows, event.data.blocker, 'resolved')
    case 'need_raised':
      return checkRaised(rows, event.data)
    case 'need_met': {
      const row = rows.get(needs, event.data.need)
      return row?.open == null ? impossible(`No need ${event.data.need} is open.`) : undefined
    }
    case 'question_answered': {
      const row = rows.get(journalQuestions, event.data.question)
      if (row === undefined) return impossible(`There is no question ${event.data.question}.`)
      return row.answered_at === null ? undefined : impossible(`Question ${event.data.question} was answered before.`)
    }
    default:
      return undefined
  }
}

function checkNext(what: string, number: number, before: number): Refusal | undefined {
  return number === before + 1
    ? undefined
    : impossible(`It adds ${what} ${number}, where the next one is ${before + 1}.`)
}

function checkSuperseded(rows: Rows, { supersedes }: { supersedes?: number }): Refusal | undefined {
  if (supersedes === undefined) return undefined
  const row = rows.get(decisions, supersedes)
  if (row === undefined) return impossible(`There is no decision ${supersedes}.`)
  return row.superseded_by === null ? undefined : impossible(`Decision ${supersedes} was superseded before.`)
}

function checkMoved(rows: Rows, blocker: number, to: BlockerStatus): Refusal | undefined {
  const row = rows.get(blockers, blocker)
  return row === undefined
    ? impossible(`There is no blocker ${blocker}.`)
    : checkBlocker(row.status as BlockerStatus, to)
}

function checkRaised(rows: Rows, { need, session, about }: { need: number; session: number; about?: string }) {
  const refusal = checkNext('need', need, journalOf(rows).needs)
  if (refusal) return refusal
  if (rows.get(sessions, session) === undefined) return impossible(`There is no session ${session}.`)
  const open = about !== undefined && rows.all(needs).some((row) => row.open === about)
  return open ? impossible(`A need about ${JSON.stringify(about)} is open already.`) : undefined
}
