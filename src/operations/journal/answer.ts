import { journalStream } from '../../domain/journal/facts.ts'
import { journalRefs } from '../../domain/journal/journal.ts'
import { entry } from '../../domain/journal/members.ts'
import { entryId } from '../../domain/journal/numbers.ts'
import { journalQuestions } from '../../domain/journal/tables.ts'
import { refuse } from '../../domain/log/refusal.ts'
import { rowOf } from '../../domain/log/rows.ts'
import { prose } from '../../domain/log/text/entries.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'
import { noEntry, numberOf } from './changing.ts'

export const journalAnswer = change({
  name: 'journal.answer',
  summary: 'Answer an open question of the journal.',
  command: {
    words: ['journal answer'],
    positional: ['question', 'answer'],
    examples: ['cairn journal answer question-001 "UTF-8 only"'],
  },
  input: { question: entry('question', 'The question.'), answer: prose('The answer.') },
  needs: ({ question }) => [...journalRefs, rowOf(journalQuestions, numberOf('question', question))],
  decide({ question: given, answer }, on) {
    const refusal = mayWrite(on)
    if (refusal) return refusal
    const question = numberOf('question', given)
    const row = on.rows.get(journalQuestions, question)
    if (row === undefined) return noEntry('question', question, 'journal.show')
    const id = entryId('question', question)
    if (row.answered_at !== null) {
      return refuse('illegal_transition', `${id} was already answered.`, 'Write a note if there is more to say.', {
        id,
      })
    }
    const { seq } = on.record({ type: 'question_answered', stream: journalStream, data: { question, answer } })
    return { id, answer, seq }
  },
})
