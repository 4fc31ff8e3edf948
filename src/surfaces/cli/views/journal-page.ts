import { safe, safeLines } from '../output.ts'
import type { AnswerOf } from '../registry/presentation.ts'
import { cut } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { blockerStyle, positionLine } from './journal.ts'
import { ago, type ViewOf } from './view.ts'

type Journal = AnswerOf<'journal.show'>

/** A text of several lines is a paragraph here: its beginning says what it is about. */
function line(text: string, { columns }: Terminal): string {
  return cut(safe(text.replace(/\s+/g, ' ')), Math.max(40, columns - 2))
}

function section(title: string, lines: readonly string[], terminal: Terminal): string[] {
  return lines.length === 0 ? [] : [terminal.paint('bold', title), ...lines.map((each) => `  ${each}`)]
}

function decisionLine(terminal: Terminal) {
  return ({ id, decision, reason }: Journal['decisions'][number]) => line(`${id}  ${decision} (${reason})`, terminal)
}

function blockerLine(terminal: Terminal) {
  return ({ id, status, description, workaround, affects }: Journal['blockers'][number]) => {
    const more = workaround === null ? '' : `; around it: ${workaround}`
    const others = affects.length === 0 ? '' : ` [${affects.join(', ')}]`
    const text = line(`${id}  ${status}  ${description}${others}${more}`, terminal)
    return text.replace(status, terminal.paint(blockerStyle(status), status))
  }
}

/** The journal as a page: what matters most stands first, what is empty is left out. */
export const journal: ViewOf<'journal.show'> = (answer, terminal, around) => {
  const { position, next_action: next, decisions, blockers, resume_context: context, verifications, notes } = answer
  const { files, implementations, open_questions: questions } = context
  const by = ({ by, at }: { by: string | null; at: string }) =>
    terminal.paint('dim', `(${around.nameOf(by)}, ${ago(at)})`)
  const sections: readonly [title: string, lines: readonly string[]][] = [
    ['Next', next === null ? [] : [`${line(next.text, terminal)} ${by(next)}`]],
    ['Blockers', blockers.map(blockerLine(terminal))],
    ['Decisions', decisions.map(decisionLine(terminal))],
    ['Open questions', questions.map(({ id, question }) => line(`${id}  ${question}`, terminal))],
    ['Files', files.map(({ file }) => line(file, terminal))],
    [
      'Implementations',
      implementations.map(({ text, file }) => line(`${text}${file === null ? '' : ` (${file})`}`, terminal)),
    ],
    [
      'Verifications',
      verifications.map(({ passed, text }) => line(`${passed ? 'passed' : 'failed'}  ${text}`, terminal)),
    ],
    ['Notes', notes.map((note) => `${line(note.text, terminal)} ${by(note)}`)],
  ]
  const all = [
    ...(position === null ? [] : [`${terminal.paint('bold', 'Position')}  ${positionLine(position)}`]),
    ...sections.flatMap(([title, lines]) => section(title, lines, terminal)),
  ]
  return all.length === 0
    ? 'The journal is empty. Begin with cairn next, cairn decide or cairn note.\n'
    : `${all.join('\n')}\n`
}

/** The same text for a person as for a model. */
export const brief: ViewOf<'journal.brief'> = ({ text }) => safeLines(text)
