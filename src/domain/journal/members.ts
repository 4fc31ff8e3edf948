import { flag, integer, object, oneOf, optional, type Schema, text } from '../log/input-schema.ts'
import { refuse } from '../log/refusal.ts'
import { line, orNull, projectPath, prose, some } from '../log/text/entries.ts'
import { decisionKinds, needKinds } from './facts.ts'
import { type EntryKind, entryId, entryNumber } from './numbers.ts'
import { said, textOr, twoParts } from './written.ts'

/** Phases, tasks and entries are numbered from 1. */
export const count = integer('A number, from 1.', { min: 1 })

export const alternative = said('What else could have been done, and why not.', {
  text: line('What else could have been done.'),
  why_not: optional(line('Why not.')),
})

/** As it is given: also as one text, `NAME: WHY NOT`. */
export const alternativeGiven = textOr(alternative, (given) => {
  const [name, why_not] = twoParts(given)
  return { text: name, ...(why_not !== undefined && { why_not }) }
})

export const decisionMembers = {
  kind: oneOf('The kind of decision.', decisionKinds),
  text: prose('What was decided.'),
  context: prose('What it is about.'),
  reason: prose('Why.'),
  reversible: flag('Whether it can be taken back.'),
}

export const implementation = said('What was built, and how it can be checked.', {
  text: line('What was built.'),
  file: optional(projectPath('The file it is in.')),
  contains: optional(line('A text that the file contains.')),
  command: optional(line('A command that succeeds while it is there.')),
})

export const implementationGiven = textOr(implementation, (text) => ({ text }))

/** What was checked, and what was found. */
export const checkGiven = textOr(
  said('What was checked, and what was found.', {
    text: prose('What was checked.'),
    details: optional(prose('What was found.')),
  }),
  (given) => {
    const [text, details] = twoParts(given)
    return { text, ...(details !== undefined && { details }) }
  },
)

/** An entry by its id or its number. */
export function entry(kind: EntryKind, about: string): Schema<string> {
  return text(about, {
    max: 64,
    check: (given) =>
      entryNumber(kind, given) === undefined
        ? refuse(
            'invalid_input',
            `${JSON.stringify(given.slice(0, 40))} is no ${kind}.`,
            `Give its id, like ${entryId(kind, 1)}.`,
          )
        : undefined,
  })
}

const tasks = optional(some('Numbers of tasks.', count))

/** The bodies of the facts. */
export const bodies = {
  position_changed: object({
    phase: optional(orNull(count)),
    plan: optional(orNull(count)),
    task: optional(orNull(line('The task.'))),
    wave: optional(orNull(count)),
    status: optional(orNull(line('The status.'))),
  }),
  decision_made: object({
    decision: count,
    ...decisionMembers,
    alternatives: optional(some('What else there was.', alternative)),
    supersedes: optional(count),
  }),
  blocker_identified: object({
    blocker: count,
    text: prose('What is in the way.'),
    affects: some('What it is in the way of.', line('One of them.')),
    tasks,
  }),
  blocker_bypassed: object({ blocker: count, workaround: prose('What is done instead.'), tasks }),
  blocker_resolved: object({ blocker: count, resolution: prose('What ended it.') }),
  need_raised: object({
    need: count,
    kind: oneOf('Why a person is needed.', needKinds),
    session: integer('The session it is about.'),
    text: prose('What is needed.'),
    about: optional(line('What it is about.')),
    actions: optional(some('What can be answered.', line('One of them.'))),
  }),
  need_met: object({ need: count, how: line('How it was met.'), answer: optional(prose('The answer.')) }),
  next_action_set: object({ text: prose('What comes next.') }),
  note_added: object({ text: prose('The note.') }),
  resume_context_changed: object({
    files: optional(some('Files that were changed.', projectPath('A file.'))),
    implementations: optional(some('What was built.', implementation)),
    questions: optional(some('What is not known yet.', prose('A question.'))),
    clear: optional(
      some('What is emptied first.', oneOf('One of the lists.', ['files', 'implementations', 'questions'])),
    ),
  }),
  question_answered: object({ question: count, answer: prose('The answer.') }),
  verification_recorded: object({
    text: prose('What was checked.'),
    passed: flag('Whether it is as it should be.'),
    details: optional(prose('What was found.')),
  }),
}
