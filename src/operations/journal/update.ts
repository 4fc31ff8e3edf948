import { journalStream } from '../../domain/journal/facts.ts'
import { journalRefs } from '../../domain/journal/journal.ts'
import { checkGiven, implementationGiven } from '../../domain/journal/members.ts'
import { movePosition } from '../../domain/journal/move.ts'
import { journalFiles, nextActions } from '../../domain/journal/tables.ts'
import type { Deciding } from '../../domain/log/deciding.ts'
import { oneOf, optional, type Shape } from '../../domain/log/input-schema.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import { type Ref, rowOf } from '../../domain/log/rows.ts'
import { projectPath, prose, some } from '../../domain/log/text/entries.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'
import { checkEntries } from './changing.ts'
import { positionIn, positionMembers } from './position.ts'

const members = {
  ...positionMembers,
  next: optional(prose('What comes next.')),
  note: optional(prose('A note.')),
  files: optional(
    some(
      'Files that were changed, relative to the project.',
      projectPath('A file that was changed, relative to the project.'),
    ),
  ),
  implementations: optional(
    some('What was built: a text, or {text, file, contains, command} to check it by.', implementationGiven),
  ),
  questions: optional(some('What is not known yet.', prose('An open question.'))),
  verified: optional(some('What was checked and is as it should be: a text, or {text, details}.', checkGiven)),
  failed: optional(some('What was checked and is not: a text, or {text, details}.', checkGiven)),
  clear: optional(
    some(
      'Lists of the resume context to empty first.',
      oneOf('A list of the resume context to empty first.', ['files', 'implementations', 'questions']),
    ),
  ),
}

type Update = Shape<typeof members>

function checkUpdate(input: Update, on: Deciding): Refusal | undefined {
  const isSaid = Object.keys(members).some((name) => input[name as keyof Update] !== undefined)
  if (!isSaid) return refuse('invalid_input', 'Nothing is said.', `Give one of ${Object.keys(members).join(', ')}.`)
  const { files = [], implementations = [], questions = [], verified = [], failed = [], note } = input
  const added = new Set(files.filter((file) => on.rows.get(journalFiles, file) === undefined))
  return (
    mayWrite(on) ??
    checkEntries(on, 'files', added.size) ??
    checkEntries(on, 'implementations', implementations.length) ??
    checkEntries(on, 'questions', questions.length) ??
    checkEntries(on, 'verifications', verified.length + failed.length) ??
    checkEntries(on, 'notes', note === undefined ? 0 : 1)
  )
}

/** All that was said, each as the fact that it is. */
function recordUpdate(on: Deciding, input: Update): void {
  movePosition(on, positionIn(input))
  const { files, implementations, questions, clear, next, note, verified = [], failed = [] } = input
  const context = {
    ...(files && { files }),
    ...(implementations && { implementations }),
    ...(questions && { questions }),
    ...(clear && { clear }),
  }
  const stream = journalStream
  if (Object.keys(context).length > 0) on.record({ type: 'resume_context_changed', stream, data: context })
  for (const check of verified) on.record({ type: 'verification_recorded', stream, data: { ...check, passed: true } })
  for (const check of failed) on.record({ type: 'verification_recorded', stream, data: { ...check, passed: false } })
  if (note !== undefined) on.record({ type: 'note_added', stream, data: { text: note } })
  if (next !== undefined) on.record({ type: 'next_action_set', stream, data: { text: next } })
}

function refsOf({ files = [], next }: Update): Ref[] {
  return [...journalRefs, ...files.map((file) => rowOf(journalFiles, file)), ...(next ? [rowOf(nextActions)] : [])]
}

export const journalUpdate = change({
  name: 'journal.update',
  summary: 'Write into the journal, all at once: position, next action, a note, files, questions.',
  command: {
    words: ['journal update'],
    flags: { files: 'file', implementations: 'implementation', questions: 'question' },
    examples: [
      'cairn journal update --file src/parser.ts --implementation "A parser without recursion" --question "Which encodings?"',
      'cairn journal update --verified "npm test: 212 passed" --next "Measure it"',
    ],
  },
  input: members,
  needs: (input) => refsOf(input),
  decide(input, on) {
    const before = on.rows.head()?.seq ?? 0
    const refusal = checkUpdate(input, on)
    if (refusal) return refusal
    recordUpdate(on, input)
    const seq = on.rows.head()?.seq ?? 0
    return { recorded: seq - before, seq }
  },
})

export const journalNote = change({
  name: 'journal.note',
  summary: 'Add a note to the journal.',
  command: { words: ['note'], positional: ['text'], topic: 'Keep the journal' },
  input: { text: prose('The note.') },
  needs: () => [...journalRefs],
  decide({ text }, on) {
    const refusal = mayWrite(on) ?? checkEntries(on, 'notes')
    if (refusal) return refusal
    const { seq } = on.record({ type: 'note_added', stream: journalStream, data: { text } })
    return { text, seq }
  },
})

export const journalNext = change({
  name: 'journal.next',
  summary: 'Say what comes next: whoever goes on reads it first.',
  command: { words: ['next'], positional: ['text'], topic: 'Keep the journal' },
  input: { text: prose('The next action.') },
  needs: () => [...journalRefs, rowOf(nextActions)],
  decide({ text }, on) {
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const { seq } = on.record({ type: 'next_action_set', stream: journalStream, data: { text } })
    return { text, seq }
  },
})
