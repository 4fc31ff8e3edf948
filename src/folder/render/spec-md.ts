import { entryId } from '../../domain/journal/numbers.ts'
import { isoTime } from '../../domain/log/identity.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Command } from './command.ts'
import { heading, oneLine } from './markdown.ts'
import type { RowsToRender } from './rows.ts'

const begin = '<!-- cairn: open questions and decisions; edits between these lines are taken in -->'
const end = '<!-- cairn: end -->'

/** `spec.md` is the agents' own but for a block of Cairn's; a new one has places for goals. */
export function specMd(rows: RowsToRender, before: string | undefined): string {
  const block = `${begin}\n\n${blockOf(rows)}\n\n${end}`
  if (before === undefined) return template(rows, block)
  const found = blockIn(before)
  if (found !== undefined) return before.slice(0, found.from) + block + before.slice(found.to)
  return `${before.trimEnd()}\n\n${block}\n`
}

function template({ session }: RowsToRender, block: string): string {
  const goal = session.objective ?? session.topic
  const goals = [
    '## Goals',
    '',
    '### High-Level Goals',
    '',
    `- ${oneLine(goal)}`,
    '',
    '### Mid-Level Goals',
    '',
    '### Implementation Goals',
  ]
  return [`# ${heading(session.topic)}`, '', ...goals, '', block, ''].join('\n')
}

function blockIn(text: string): { from: number; to: number; inside: string } | undefined {
  const from = text.indexOf(begin)
  const stop = from < 0 ? -1 : text.indexOf(end, from)
  return stop < 0 ? undefined : { from, to: stop + end.length, inside: text.slice(from + begin.length, stop) }
}

function blockOf({ questions, decisions }: RowsToRender): string {
  const asked = questions.map(({ question, text, answer }) => {
    const mark = answer === null ? `- [ ] ${oneLine(text)}` : `- [x] ${oneLine(text)} → ${oneLine(answer)}`
    return `${mark} <!-- ${entryId('question', question)} -->`
  })
  const made = [...decisions]
    .reverse()
    .flatMap(({ decision, text, reason, at }) => [
      `### ${heading(text)} <!-- ${entryId('decision', decision)} -->`,
      '',
      `**Rationale**: ${oneLine(reason)}`,
      `**Made**: ${isoTime(at).slice(0, 10)}`,
      '',
    ])
  return ['## Open Questions', '', ...asked, ...(asked.length > 0 ? [''] : []), '## Key Decisions', '', ...made]
    .join('\n')
    .trimEnd()
}

interface Entry {
  readonly id: string | undefined
  readonly text: string
  /** The answer of a question, the reason of a decision. */
  readonly more: string
}

const question = /^- \[([ xX])\] (.*?)(?:\s*<!-- (question-\d+) -->)?\s*$/
const decision = /^### (.*?)(?:\s*<!-- (decision-\d+) -->)?\s*$/
const rationale = /^\*\*Rationale\*\*:?\s*(.*)$/

function entriesIn(inside: string): { questions: Entry[]; decisions: Entry[] } {
  const questions: Entry[] = []
  const decisions: Entry[] = []
  for (const line of inside.split(/\r?\n/)) {
    const [, mark, asked, questionId] = question.exec(line) ?? []
    const [, title, decisionId] = decision.exec(line) ?? []
    const [, why] = rationale.exec(line) ?? []
    if (asked !== undefined) {
      const [text = '', ...answer] = mark === ' ' ? [asked] : asked.split(/\s*(?:→|->)\s*/)
      questions.push({ id: questionId, text: text.trim(), more: answer.join(' → ').trim() })
    }
    if (title !== undefined) decisions.push({ id: decisionId, text: title.trim(), more: '' })
    const last = decisions.at(-1)
    if (why !== undefined && last !== undefined) decisions[decisions.length - 1] = { ...last, more: why.trim() }
  }
  return { questions, decisions }
}

/** What an edit of the block in `spec.md` asks for; the rest of the file is nobody's business here. */
export function parseSpecMd(path: string, text: string, rows: RowsToRender): readonly Command[] | Refusal {
  const found = blockIn(text)
  if (found === undefined) return []
  const [now, edited] = [entriesIn(blockOf(rows)), entriesIn(found.inside)]
  const commands = edited.questions.flatMap((entry) => questionCommands(entry, now.questions))
  for (const entry of edited.decisions) {
    const known = now.decisions.find(({ id }) => id !== undefined && id === entry.id)
    if (known?.text === entry.text && known.more === entry.more) continue
    if (entry.more === '') return noReason(path, entry.text)
    const supersedes = known?.id
    const input = {
      decision: entry.text,
      context: 'spec.md',
      reason: entry.more,
      ...(supersedes !== undefined && { supersedes }),
    }
    commands.push({ operation: 'decision.add', input })
  }
  return commands
}

function questionCommands({ id, text, more }: Entry, known: readonly Entry[]): Command[] {
  const before = known.find((entry) => id !== undefined && entry.id === id)
  if (before === undefined) return text === '' ? [] : [{ operation: 'journal.update', input: { questions: [text] } }]
  if (before.more !== '' || more === '') return []
  return [{ operation: 'journal.answer', input: { question: before.id ?? '', answer: more } }]
}

function noReason(path: string, text: string): Refusal {
  const message = `${path}: the decision ${JSON.stringify(text.slice(0, 80))} has no reason.`
  return refuse('invalid_input', message, 'Write a line below it: **Rationale**: why.', { path })
}
