import { safe, safeLines } from '../output.ts'
import { cut } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { blockerStyle, positionLine } from './journal.ts'
import { ago, type View } from './view.ts'

type Row = { readonly [name: string]: unknown }

/** A text of several lines is a paragraph here: its beginning says what it is about. */
function line(text: string, { columns }: Terminal): string {
  return cut(safe(text.replace(/\s+/g, ' ')), Math.max(40, columns - 2))
}

function section(title: string, lines: readonly string[], terminal: Terminal): string[] {
  return lines.length === 0 ? [] : [terminal.paint('bold', title), ...lines.map((each) => `  ${each}`)]
}

function decisionLine(terminal: Terminal) {
  return ({ id, decision, reason }: Row) => line(`${id}  ${decision} (${reason})`, terminal)
}

function blockerLine(terminal: Terminal) {
  return ({ id, status, description, workaround, affects }: Row) => {
    const more = workaround === null ? '' : `; around it: ${workaround}`
    const others = (affects as string[]).length === 0 ? '' : ` [${(affects as string[]).join(', ')}]`
    const text = line(`${id}  ${status}  ${description}${others}${more}`, terminal)
    return text.replace(String(status), terminal.paint(blockerStyle(status), String(status)))
  }
}

/** The journal as a page: what matters most stands first, what is empty is left out. */
export const journal: View = (answer, terminal, around) => {
  const { position, next_action: next, decisions, blockers, resume_context: context, verifications, notes } = answer
  const { files, implementations, open_questions: questions } = context as { [name: string]: Row[] }
  const by = ({ by, at }: Row) => terminal.paint('dim', `(${around.nameOf(by)}, ${ago(at)})`)
  const each = (rows: unknown, show: (row: Row) => string) => (rows as Row[]).map(show)
  const all = [
    ...(position === null ? [] : [`${terminal.paint('bold', 'Position')}  ${positionLine(position as Row)}`]),
    ...(next === null
      ? []
      : section('Next', [`${line(String((next as Row).text), terminal)} ${by(next as Row)}`], terminal)),
    ...section('Blockers', each(blockers, blockerLine(terminal)), terminal),
    ...section('Decisions', each(decisions, decisionLine(terminal)), terminal),
    ...section(
      'Open questions',
      each(questions, ({ id, question }) => line(`${id}  ${question}`, terminal)),
      terminal,
    ),
    ...section(
      'Files',
      each(files, ({ file }) => line(String(file), terminal)),
      terminal,
    ),
    ...section(
      'Implementations',
      each(implementations, ({ text, file }) => line(`${text}${file === null ? '' : ` (${file})`}`, terminal)),
      terminal,
    ),
    ...section(
      'Verifications',
      each(verifications, ({ passed, text }) => line(`${passed ? 'passed' : 'failed'}  ${text}`, terminal)),
      terminal,
    ),
    ...section(
      'Notes',
      each(notes, (note) => `${line(String(note.text), terminal)} ${by(note)}`),
      terminal,
    ),
  ]
  return all.length === 0
    ? 'The journal is empty. Begin with cairn next, cairn decide or cairn note.\n'
    : `${all.join('\n')}\n`
}

/** The same text for a person as for a model. */
export const brief: View = ({ text }) => safeLines(String(text))
